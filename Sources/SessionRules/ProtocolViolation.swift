public import Vocabulary

/// The error for a frame that the rules don't allow. The caller closes the link, which ends the state machines of that
/// link. So a state machine that throws this has not changed.
public struct ProtocolViolation: ExplainedError, Equatable {
    /// The broken rule, as a fixed word.
    public let code: ErrorCode
    /// The peer's mistake.
    public let message: String
    /// The advice for the user.
    public var nextStep: String { "update huddle on both machines; if it happens again, report it with both logs" }

    /// - Parameters:
    ///   - code: the broken rule, such as `invitation.double-answer`
    ///   - message: the peer's mistake, as a plain sentence without a full stop
    public init(_ code: ErrorCode, _ message: String) {
        self.code = code
        self.message = message
    }
}
