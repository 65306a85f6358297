public import Vocabulary

/// What a peer sent whole.
public struct Message: Hashable, Sendable {
    /// Who sent it.
    public let peer: PeerID
    /// What it says. It is the peer's word and nothing more: check it before you believe it.
    public let bytes: [UInt8]
    /// Whether it was sent reliably: then none before it is missing.
    public let isReliable: Bool
}
