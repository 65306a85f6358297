public import Vocabulary

/// Limits of the snapshots that a machine stores from others. Its own are not counted.
public struct GivenLimits: Hashable, Sendable {
    /// The number of snapshots.
    public var snapshots: Int
    /// The total size of their encodings in bytes.
    public var bytes: Int

    /// - Parameters:
    ///   - snapshots: the number of snapshots
    ///   - bytes: the total size of their encodings
    public init(snapshots: Int, bytes: Int) {
        (self.snapshots, self.bytes) = (snapshots, bytes)
    }
}

/// A peer that sends snapshots, with its limits.
public struct SnapshotGiver: Hashable, Sendable {
    /// An exceeded limit.
    public enum Excess: Error, Hashable, Sendable {
        /// The limit of that peer.
        case peer
        /// The limit of all peers together.
        case allPeers
    }

    let peer: PeerID
    let limits: (peer: GivenLimits, allPeers: GivenLimits)

    /// - Parameters:
    ///   - peer: the peer
    ///   - limits: the limits of this peer
    ///   - everybody: the limits of all peers together
    public init(_ peer: PeerID, within limits: GivenLimits, allPeers: GivenLimits) {
        (self.peer, self.limits) = (peer, (limits, allPeers))
    }

    /// Compares peers and limits.
    public static func == (left: SnapshotGiver, right: SnapshotGiver) -> Bool {
        left.peer == right.peer && left.limits == right.limits
    }

    /// Hashes the peer.
    public func hash(into hasher: inout Hasher) { hasher.combine(peer) }
}
