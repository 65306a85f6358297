public import Vocabulary

/// A text that is not in the expected form.
public struct BadValue: ExplainedError, Equatable {
    /// The code, which is always `usage.bad-value`.
    public let code: ErrorCode = ErrorCode(.invalid, "usage.bad-value")

    /// The text and the rule that it breaks.
    public let message: String

    /// The allowed form.
    public let nextStep: String

    /// - Parameters:
    ///   - offered: the raw text, which this initializer makes printable
    ///   - kind: the expected kind of value, with its article: `a duration`
    ///   - reason: the rule that the text breaks
    ///   - nextStep: the allowed form, in the imperative
    public init(_ offered: String, isNot kind: String, because reason: String, nextStep: String) {
        self.message = "“\(PrintableText(offered, limit: 80))” is not \(kind): \(reason)"
        self.nextStep = nextStep
    }
}
