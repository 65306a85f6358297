public import Vocabulary

/// Why a text can't be read as the value it was meant to be.
public struct BadValue: ExplainedError, Equatable {
    /// Always `usage.bad-value`.
    public let code: ErrorCode = ErrorCode(.invalid, "usage.bad-value")

    /// What was offered and which rule it broke.
    public let message: String

    /// The allowed form.
    public let nextStep: String

    /// - Parameters:
    ///   - offered: the text as it came; it is made printable here
    ///   - kind: what it was meant to be, with its article: `a duration`
    ///   - reason: the broken rule
    ///   - nextStep: the allowed form, in the imperative
    public init(_ offered: String, isNot kind: String, because reason: String, nextStep: String) {
        self.message = "“\(PrintableText(offered, limit: 80))” is not \(kind): \(reason)"
        self.nextStep = nextStep
    }
}
