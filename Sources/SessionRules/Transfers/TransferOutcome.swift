public import Vocabulary

/// How a transfer came to its end.
public enum TransferOutcome: Hashable, Sendable {
    /// It lies there whole.
    case stored
    /// The receiver did not want it.
    case refused(PartingReason)
    /// This side cancelled it.
    case cancelledHere(PartingReason)
    /// The other side cancelled it.
    case cancelledThere(PartingReason)
    /// It could not be done on this side.
    case failedHere(TransferFault)
    /// It could not be done on the other side.
    case failedThere(TransferFault)
    /// The peer, or the way to it, is gone.
    case gone(PartingReason)
}

/// What went wrong with a transfer, as it travels in Failed.
public struct TransferFault: Hashable, Sendable {
    /// A stable word, such as `resource.disk-full`.
    public var code: String
    /// A sentence; untrusted where it comes from a peer.
    public var message: String

    /// Takes both as they are.
    public init(code: String, message: String) {
        self.code = code
        self.message = message
    }
}
