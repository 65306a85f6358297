public import Vocabulary

/// Why something can't stand in a TXT record.
public struct InvalidTXT: ExplainedError, Equatable {
    /// The rule that was broken, as a stable word.
    public let code: ErrorCode
    /// What was offered and which rule it broke.
    public let message: String
    /// What to do instead.
    public let nextStep: String

    init(_ code: ErrorCode, _ message: String, nextStep: String) {
        self.code = code
        self.message = message
        self.nextStep = nextStep
    }
}
