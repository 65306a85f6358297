/// What becomes of an invitation from a peer.
public enum Policy: String, CaseIterable, Hashable, Sendable {
    /// It is let in without a question.
    case accept
    /// A person decides.
    case ask
    /// It gets no answer, and can't tell that from nobody being there.
    case block
}
