public import Vocabulary

/// The end of a transfer.
public enum TransferOutcome: Hashable, Sendable {
    /// The receiver has stored all of it.
    case stored
    /// The receiver declined it.
    case refused(PartingReason)
    /// This side cancelled it.
    case cancelledHere(PartingReason)
    /// The other side cancelled it.
    case cancelledThere(PartingReason)
    /// It failed on this side.
    case failedHere(TransferFault)
    /// It failed on the other side.
    case failedThere(TransferFault)
    /// The peer or the connection is lost.
    case gone(PartingReason)
}

/// The fault of a transfer, as the frame Failed has it.
public struct TransferFault: Hashable, Sendable {
    /// A fixed word, such as `resource.disk-full`.
    public var code: String
    /// A sentence, which is untrusted if it comes from a peer.
    public var message: String

    /// A fault with these values.
    public init(code: String, message: String) {
        self.code = code
        self.message = message
    }
}
