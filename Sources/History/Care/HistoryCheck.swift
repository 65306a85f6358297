public import SaveRules
public import Vocabulary

/// What a check of a whole history found.
public struct HistoryCheck: Sendable {
    /// Bytes of a pack that are not what was written.
    public struct Damage: Hashable, Sendable {
        /// The number of the pack, which is in its name.
        public let pack: UInt32
        /// Where in it.
        public let range: Range<UInt64>
        /// What stood there, where that is known.
        public let lost: Lost?
    }

    /// What was damaged.
    public enum Lost: Hashable, Sendable {
        /// A piece of a file or a manifest.
        case piece(PieceID)
        /// A snapshot.
        case snapshot(SnapshotID)
        /// What every pack begins with; it is written anew from another one.
        case head
        /// A note; nothing is lost by it.
        case note
    }

    /// A snapshot that can't be restored as a whole.
    public struct Touched: Sendable {
        /// Which.
        public let snapshot: SnapshotID
        /// Of which set, where that can be read.
        public let set: SaveSetID?
        /// The pieces that are damaged or not there, each once.
        public let pieces: [PieceID]
        /// The files that these belong to. Where the manifest itself is touched, nobody knows.
        public let files: [SavePath]
    }

    /// How many packs were read.
    public internal(set) var packs = 0
    /// How many sound pieces there are, each as often as it is stored.
    public internal(set) var pieces = 0
    /// How many snapshots are kept.
    public internal(set) var snapshots = 0
    /// How many bytes were read.
    public internal(set) var bytes: UInt64 = 0
    /// What is damaged.
    public internal(set) var damages: [Damage] = []
    /// Whether the index said of all pieces and snapshots where they are, and no more.
    public internal(set) var isIndexSound = true
    /// Sound pieces that the index did not know; most of them what collecting garbage left behind.
    var forgotten: Set<PieceID> = []
    /// The snapshots that are kept and lack something, and those that were kept and are lost as a whole.
    public internal(set) var touched: [Touched] = []
    /// Whether what was found was repaired, as far as that is possible: the index made anew, what is damaged given up, so that it is not there
    /// any more and can be put again.
    public internal(set) var isRepaired = false

    /// Whether all is as it should be.
    public var isSound: Bool { damages.isEmpty && isIndexSound && touched.isEmpty }
}
