import Session
package import Vocabulary

/// An error that one program passes on to another: its texts for the user, and its word for programs.
package struct PassedOnError: Error, CustomStringConvertible, FieldGroup {
    /// Code of the error, such as `session.declined`.
    package let word: String
    package let errorClass: ErrorClass
    /// The reason why the peer is offline or declined, if that caused the error.
    package let because: PartingReason?
    package let message: String
    package let nextStep: String?

    package init(_ error: any Error) {
        switch error {
        case let error as PassedOnError: self = error
        case let error as any ExplainedError:
            (word, errorClass) = (error.code.description, error.code.errorClass)
            because = (error as? SessionError)?.reason
            message = error.explanation
            nextStep = error.nextStep
        default:
            (word, errorClass) = ("failed", .failed)
            because = nil
            message = "\(error)"
            nextStep = nil
        }
    }

    /// Reads the keys of an error; nil if there is none.
    package init?(_ fields: JSONFields) throws {
        guard let word = try fields.text("reason"), let message = try fields.text("message") else { return nil }
        self.init(word, try fields.text("class"), because: try fields.text("because"), message, try fields.text("next"))
    }

    private init(_ word: String, _ errorClass: String?, because: String?, _ message: String, _ nextStep: String?) {
        (self.word, self.message, self.nextStep) = (word, message, nextStep)
        // A class that only another version of the daemon has counts as the usual one.
        self.errorClass = errorClass.flatMap(ErrorClass.init) ?? .refused
        self.because = because.flatMap { word in PartingReason.allCases.first { $0.word == word } }
    }

    package func add(to fields: inout JSONFields) {
        fields.set("reason", word)
        fields.set("class", errorClass.rawValue)
        fields.set("because", because?.word)
        fields.set("message", message)
        fields.set("next", nextStep)
    }

    /// The lines for the user: `error: ` with the failure and its reason, then one `hint: ` for each possible action.
    package var lines: [String] { lines(about: message) }

    /// - Parameter sentence: the failure and its reason, in place of the message
    package func lines(about sentence: String) -> [String] {
        let hints = nextStep?.split(separator: "\n") ?? []
        return ["error: \(sentence)"] + hints.map { "hint: \($0)" }
    }

    package var description: String { nextStep.map { "\(message): \($0)" } ?? message }
}
