public import Vocabulary

/// A rule of TXT records that a key or a value broke.
public struct InvalidTXT: ExplainedError, Equatable {
    /// Stable code of the rule.
    public let code: ErrorCode
    /// The value and the rule that it broke.
    public let message: String
    /// The recommended change.
    public let nextStep: String

    init(_ code: ErrorCode, _ message: String, nextStep: String) {
        self.code = code
        self.message = message
        self.nextStep = nextStep
    }
}
