import Vocabulary

/// The textual form of a value. It says how programs read, print, explain and complete the value.
///
/// Programs define forms of their own with ``init(placeholder:like:completion:write:read:)``. Their `read` throws
/// ``BadValue`` or another `ExplainedError`.
public struct ValueForm<Value: Sendable>: Sendable {
    /// The placeholder in help, in capitals.
    public let placeholder: String

    /// The pattern of the text, as in “write it like 300ms, 5s, 2m or 1h”.
    public let pattern: String

    /// The only allowed texts, if the form restricts them.
    public let choices: [String]

    /// The candidates that a shell can offer.
    public let completion: Completion

    let write: @Sendable (Value) -> String
    private let convert: @Sendable (String) throws -> Value

    /// - Parameters:
    ///   - placeholder: the placeholder in help, in capitals
    ///   - pattern: examples, as in “write it like …”
    ///   - completion: the candidates that a shell can offer
    ///   - write: returns the text of a value; help shows defaults with it
    ///   - read: returns the value of a text; the user sees the errors that it throws
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

    /// Returns the same form with another placeholder in help: `.text.named("PEER")`.
    public func named(_ placeholder: String) -> ValueForm {
        ValueForm(self, placeholder: placeholder, completion: completion)
    }

    /// Returns the same form with candidates for completion. Other texts are still allowed.
    public func offering(_ words: [String]) -> ValueForm {
        ValueForm(self, placeholder: placeholder, completion: .words(words))
    }

    /// Reads a text that is not from a command line, but for example from a file of settings.
    public func value(of text: String) throws -> Value { try convert(text) }

    /// Reads a text. An error names the option or argument.
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
