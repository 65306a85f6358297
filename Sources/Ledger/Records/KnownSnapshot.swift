import Database
public import SaveRules
public import Vocabulary

/// A snapshot that this machine knows of, whether or not it has what the snapshot holds.
public struct KnownSnapshot: Hashable, Sendable {
    /// Its name.
    public let id: SnapshotID
    /// After how many others of its set it came to this machine, itself counted.
    public let place: Int
    /// Its canonical encoding.
    public let bytes: [UInt8]
    /// When it came to this machine.
    public let cameAt: WallTime
    /// Why it is not put into the folder; nil where nothing speaks against it.
    public let refusal: String?
    /// Whether something of it was given up as damaged, and has not come again.
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

/// When a snapshot came to this machine.
public struct SnapshotArrival: Hashable, Sendable {
    /// Which.
    public let id: SnapshotID
    /// After how many others of its set, itself counted, whatever the clock said.
    public let place: Int
    /// What the clock said.
    public let time: WallTime

    init(_ row: Row) throws(UnreadableValue) {
        id = try row.snapshot("id")
        place = Int(try row.integer("place"))
        time = try row.time("came_at")
    }
}

/// What has changed about the snapshots of a set that are here whole.
public struct HeldChange: Hashable, Sendable {
    /// The newest of them now.
    public let heads: [SnapshotID]
    /// Those that were not here before.
    public let come: Set<SnapshotID>
    /// Those that were.
    public let gone: Set<SnapshotID>

    /// - Parameters:
    ///   - heads: the newest of them now
    ///   - come: those that were not here before
    ///   - gone: those that were
    public init(heads: [SnapshotID], come: Set<SnapshotID> = [], gone: Set<SnapshotID> = []) {
        (self.heads, self.come, self.gone) = (heads, come, gone)
    }
}

/// What was kept of a set's snapshots for the next start: as much as is not looked up later.
public struct SnapshotStanding: Hashable, Sendable {
    /// The newest of those that are here whole; nil if they were never found out.
    public let heads: [SnapshotID]?
    /// Those that are here whole.
    public let held: Set<SnapshotID>
    /// Why some are not put into the folder.
    public let refusals: [SnapshotID: String]
    /// Of which something was given up as damaged.
    public let lacking: Set<SnapshotID>
}

/// How much a machine remembers of what others gave it. What this machine makes is not counted.
public struct GivenLimits: Hashable, Sendable {
    /// How many snapshots.
    public var snapshots: Int
    /// How many bytes they have.
    public var bytes: Int

    /// - Parameters:
    ///   - snapshots: how many
    ///   - bytes: how many bytes they have
    public init(snapshots: Int, bytes: Int) {
        (self.snapshots, self.bytes) = (snapshots, bytes)
    }
}

/// Who gives snapshots, and how much may be taken.
public struct SnapshotGiver: Hashable, Sendable {
    /// Whose are too many.
    public enum Excess: Error, Hashable, Sendable {
        /// That peer's.
        case peer
        /// All peers'.
        case everybody
    }

    let peer: PeerID
    let limits: (peer: GivenLimits, everybody: GivenLimits)

    /// - Parameters:
    ///   - peer: who
    ///   - limits: how much may come from it
    ///   - everybody: how much may come from all peers together
    public init(_ peer: PeerID, within limits: GivenLimits, everybody: GivenLimits) {
        (self.peer, self.limits) = (peer, (limits, everybody))
    }

    /// Equal when peer and limits are.
    public static func == (left: SnapshotGiver, right: SnapshotGiver) -> Bool {
        left.peer == right.peer && left.limits == right.limits
    }

    /// Hashes what tells them apart.
    public func hash(into hasher: inout Hasher) { hasher.combine(peer) }
}

extension Row {
    func snapshot(_ column: String) throws(UnreadableValue) -> SnapshotID {
        try required(SnapshotID(bytes: try bytes(column)), column)
    }
}
