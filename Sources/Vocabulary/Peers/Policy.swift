/// The treatment of a peer's invitations.
public enum Policy: String, CaseIterable, Hashable, Sendable {
    /// They are accepted without a question.
    case accept
    /// The user decides.
    case ask
    /// They get no answer, as if this machine were offline.
    case block
}
