public import Vocabulary

/// The peer said something that the rules don't allow. The link it came over is to be closed; closing it ends the machines
/// of that link, so a machine that throws this has not changed.
public struct ProtocolViolation: ExplainedError, Equatable {
    /// Which rule, as a stable word.
    public let code: ErrorCode
    /// What the peer did.
    public let message: String
    /// What a person can do about it.
    public var nextStep: String { "update huddle on both machines; if it happens again, report it with both logs" }

    /// - Parameters:
    ///   - code: which rule, such as `invitation.double-answer`
    ///   - message: what the peer did, as a plain sentence without a full stop
    public init(_ code: ErrorCode, _ message: String) {
        self.code = code
        self.message = message
    }
}
