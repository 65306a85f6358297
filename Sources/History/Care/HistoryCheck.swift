public import SaveRules
public import Vocabulary

/// The findings of a check of a whole history.
public struct HistoryCheck: Sendable {
    /// Bytes of a pack that differ from those that were written.
    public struct Damage: Hashable, Sendable {
        /// The number of the pack, which is part of its name.
        public let pack: UInt32
        /// The damaged bytes, counted from the start of the pack.
        public let range: Range<UInt64>
        /// The record that was there, or nil if it is unknown.
        public let lost: Lost?
    }

    /// The kind of a damaged record.
    public enum Lost: Hashable, Sendable {
        /// A piece of a file or a manifest.
        case piece(PieceID)
        /// A snapshot.
        case snapshot(SnapshotID)
        /// The head of a pack. A repair writes it again from the seal.
        case head
        /// A note or drop record. Its loss costs no data.
        case note
    }

    /// A snapshot that can't be restored in full.
    public struct Touched: Sendable {
        /// The id of the snapshot.
        public let snapshot: SnapshotID
        /// The game of the snapshot, or nil if it can't be read.
        public let set: SaveSetID?
        /// The pieces that are damaged or missing, each once.
        public let pieces: [PieceID]
        /// The files that need these pieces. Empty if the manifest itself is damaged, because then the files are
        /// unknown.
        public let files: [SavePath]

        /// The snapshots of which nothing more than their entries is known, sorted by id.
        static func all(_ entries: [SnapshotID: SnapshotCatalog.Entry]) -> [Touched] {
            entries.sorted { $0.key < $1.key }
                .map { Touched(snapshot: $0.key, set: $0.value.set, pieces: [], files: []) }
        }
    }

    /// The number of packs that were read.
    public internal(set) var packs = 0
    /// The number of intact piece records; a piece that is stored twice counts twice.
    public internal(set) var pieces = 0
    /// The number of snapshots that are kept.
    public internal(set) var snapshots = 0
    /// The number of bytes that were read.
    public internal(set) var bytes: UInt64 = 0
    /// The damaged parts of packs.
    public internal(set) var damages: [Damage] = []
    /// True if the index names the right place of every piece and snapshot.
    public internal(set) var isIndexSound = true
    /// Intact pieces that the index did not know. Garbage collection leaves most of them behind.
    var forgotten: Set<PieceID> = []
    /// The snapshots that are kept but incomplete, and those that were kept and are lost.
    public internal(set) var touched: [Touched] = []
    /// True after a repair: the index is rebuilt, and damaged records are discarded so that their pieces can be put
    /// again.
    public internal(set) var isRepaired = false

    /// True if the check found no damage.
    public var isSound: Bool { damages.isEmpty && isIndexSound && touched.isEmpty }
}
