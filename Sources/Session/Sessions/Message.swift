public import Vocabulary

/// A message from a peer.
public struct Message: Hashable, Sendable {
    /// The sender.
    public let peer: PeerID
    /// The content. The peer can send any bytes: check them before use.
    public let bytes: [UInt8]
    /// True if it was sent reliably: then none before it is missing.
    public let isReliable: Bool
}
