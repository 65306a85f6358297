import Database
public import SaveRules
public import Vocabulary

/// A snapshot that this machine knows, with or without its contents.
public struct KnownSnapshot: Hashable, Sendable {
    /// The id of the snapshot.
    public let id: SnapshotID
    /// Its place in the order of arrival in its set, from 1.
    public let place: Int
    /// The canonical encoding.
    public let bytes: [UInt8]
    /// The time of its arrival on this machine.
    public let cameAt: WallTime
    /// The reason why it is not applied to the folder, or nil.
    public let refusal: String?
    /// True if pieces of it were discarded as damaged and have not arrived again.
    public let isLacking: Bool

    init(_ row: Row) throws(UnreadableValue) {
        id = try row.snapshot("id")
        place = Int(try row.integer("place"))
        bytes = try row.bytes("bytes")
        cameAt = try row.time("came_at")
        refusal = try row.optionalText("refusal")
        isLacking = try row.integer("is_lacking") != 0
    }
}

/// The arrival of a snapshot on this machine.
public struct SnapshotArrival: Hashable, Sendable {
    /// The id of the snapshot.
    public let id: SnapshotID
    /// Its place in the order of arrival in its set, from 1, independent of the clock.
    public let place: Int
    /// The time by this machine's clock.
    public let time: WallTime

    init(_ row: Row) throws(UnreadableValue) {
        id = try row.snapshot("id")
        place = Int(try row.integer("place"))
        time = try row.time("came_at")
    }
}

/// A change of the snapshots of a set that are here in full.
public struct HeldChange: Hashable, Sendable {
    /// The newest of them after the change.
    public let heads: [SnapshotID]
    /// The added ones.
    public let come: Set<SnapshotID>
    /// The removed ones.
    public let gone: Set<SnapshotID>

    /// - Parameters:
    ///   - heads: the newest of them after the change
    ///   - come: the added ones
    ///   - gone: the removed ones
    public init(heads: [SnapshotID], come: Set<SnapshotID> = [], gone: Set<SnapshotID> = []) {
        (self.heads, self.come, self.gone) = (heads, come, gone)
    }
}

/// The state of a set's snapshots that is stored for the next start, without the parts that are looked up later.
public struct SnapshotStanding: Hashable, Sendable {
    /// The newest of those that are here in full; nil if they were never computed.
    public let heads: [SnapshotID]?
    /// The snapshots that are here in full.
    public let held: Set<SnapshotID>
    /// The reasons why some are not applied to the folder.
    public let refusals: [SnapshotID: String]
    /// The snapshots that miss pieces which were discarded as damaged.
    public let lacking: Set<SnapshotID>
}

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
        case everybody
    }

    let peer: PeerID
    let limits: (peer: GivenLimits, everybody: GivenLimits)

    /// - Parameters:
    ///   - peer: the peer
    ///   - limits: the limits of this peer
    ///   - everybody: the limits of all peers together
    public init(_ peer: PeerID, within limits: GivenLimits, everybody: GivenLimits) {
        (self.peer, self.limits) = (peer, (limits, everybody))
    }

    /// Compares peers and limits.
    public static func == (left: SnapshotGiver, right: SnapshotGiver) -> Bool {
        left.peer == right.peer && left.limits == right.limits
    }

    /// Hashes the peer.
    public func hash(into hasher: inout Hasher) { hasher.combine(peer) }
}

extension Row {
    func snapshot(_ column: String) throws(UnreadableValue) -> SnapshotID {
        try required(SnapshotID(bytes: try bytes(column)), column)
    }
}
