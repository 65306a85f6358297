import Vocabulary

/// How a value is written on the command line: read, written back, explained, completed.
///
/// Forms of a program's own join with ``init(placeholder:like:completion:write:read:)``; `read` throws ``BadValue`` or
/// another `ExplainedError`.
public struct ValueForm<Value: Sendable>: Sendable {
    /// How the value is called in help, in capitals.
    public let placeholder: String

    /// How it is written, as in “write it like 300ms, 5s, 2m or 1h”.
    public let pattern: String

    /// The texts that may be given, where only these may.
    public let choices: [String]

    /// What a shell can offer.
    public let completion: Completion

    let write: @Sendable (Value) -> String
    private let convert: @Sendable (String) throws -> Value

    /// - Parameters:
    ///   - placeholder: how the value is called in help, in capitals
    ///   - pattern: how it is written: examples, as in “write it like …”
    ///   - completion: what a shell can offer
    ///   - write: the text that reads as the value; defaults are shown with it
    ///   - read: the value of a text; what it throws is shown to the person
    public init(
        placeholder: String,
        like pattern: String,
        completion: Completion = .nothing,
        write: @escaping @Sendable (Value) -> String,
        read: @escaping @Sendable (String) throws -> Value
    ) {
        self.placeholder = placeholder
        self.pattern = pattern
        self.choices = []
        self.completion = completion
        self.write = write
        self.convert = read
    }

    init(
        choices: [String],
        write: @escaping @Sendable (Value) -> String,
        read: @escaping @Sendable (String) throws -> Value
    ) {
        self.placeholder = "WHICH"
        self.pattern = choices.joined(separator: ", ")
        self.choices = choices
        self.completion = .words(choices)
        self.write = write
        self.convert = read
    }

    private init(_ form: ValueForm, placeholder: String, completion: Completion) {
        self.placeholder = placeholder
        self.pattern = form.pattern
        self.choices = form.choices
        self.completion = completion
        self.write = form.write
        self.convert = form.convert
    }

    /// The same form under another name in help: `.text.named("PEER")`.
    public func named(_ placeholder: String) -> ValueForm {
        ValueForm(self, placeholder: placeholder, completion: completion)
    }

    /// The same form with these words to offer, though others may be given as well.
    public func offering(_ words: [String]) -> ValueForm {
        ValueForm(self, placeholder: placeholder, completion: .words(words))
    }

    /// Reads a text; an error names the option or argument it was meant for.
    func read(_ given: GivenText, for place: String) throws(UsageError) -> Value {
        do {
            return try convert(given.text)
        } catch let error as any ExplainedError {
            throw UsageError.badValue(error, given, for: place)
        } catch {
            throw UsageError.badValue(
                BadValue(given.text, isNot: placeholder, because: "\(error)", nextStep: "write it like \(pattern)"),
                given,
                for: place
            )
        }
    }
}
