public import Vocabulary

/// One immutable state of a save set: what it held (by the pieces of its manifest), what it came from, and who had a part
/// in it. Its name is the digest of its encoding, so it can't be changed, and can't be its own ancestor.
///
/// ```swift
/// var draft = Snapshot.Draft(set: celeste, .captured, by: own, version: next, manifest: pieces)
/// draft.parents = [applied.id]
/// draft.time = now
/// let snapshot = try Snapshot(draft, hashedBy: sha256)
/// ```
public struct Snapshot: Sendable {
    /// How long the canonical encoding may be. The pieces of the largest manifest take 432 KiB of it.
    public static let maximumByteCount = 512 << 10

    /// How a snapshot came about.
    public enum Origin: UInt8, CaseIterable, Hashable, Sendable {
        /// The set's folder was read after it had settled.
        case captured = 1
        /// A person wanted an older state back.
        case restored = 2
        /// A person ended a conflict.
        case resolved = 3
        /// The set's rules ended a conflict. It has no author: whoever applies the same rules to the same two parents gets
        /// the same snapshot, byte by byte.
        case merged = 4
        /// A peer has given something of it once, which was put into what there was.
        case delivered = 5
    }

    /// What a snapshot is made of. Making a snapshot of it checks the rules.
    public struct Draft: Hashable, Sendable {
        /// Which set.
        public var set: SaveSetID
        /// How it came about.
        public var origin: Origin
        /// Who made it; nil where the rules did.
        public var author: PeerID?
        /// Who had which part in it, the author's own included.
        public var version: VersionVector
        /// The snapshots that it follows, by ascending id: none for the first, one usually, two where a conflict ended.
        public var parents: [SnapshotID] = []
        /// Milliseconds since 1970 as the author's clock had it. For people to read; nothing is decided by it.
        public var time: Int64 = 0
        /// What a person may want to read about it.
        public var note: Label?
        /// The canonical encoding of its ``Manifest``, cut into pieces.
        public var manifest: [PieceReference]

        /// - Parameters:
        ///   - set: which set
        ///   - origin: how it came about
        ///   - author: who made it; nil where the rules did
        ///   - version: who had which part in it, the author's own included
        ///   - manifest: the canonical encoding of its manifest, in pieces
        public init(
            set: SaveSetID,
            _ origin: Origin,
            by author: PeerID?,
            version: VersionVector,
            manifest: [PieceReference]
        ) {
            self.set = set
            self.origin = origin
            self.author = author
            self.version = version
            self.manifest = manifest
        }
    }

    /// The digest of ``encoded``.
    public let id: SnapshotID
    /// How many bytes ``encoded`` has.
    public let byteCount: Int
    private let draft: Draft

    /// - Parameters:
    ///   - draft: what it is made of
    ///   - hash: SHA-256
    public init(_ draft: Draft, hashedBy hash: ContentHash) throws(SaveFormatError) {
        do throws(SaveFormatError.Fault) { try draft.check() } catch { throw SaveFormatError(error) }
        let bytes = draft.encoded
        guard bytes.count <= Self.maximumByteCount else { throw SaveFormatError(.tooManyBytes) }
        try self.init(draft, SnapshotID(of: bytes, hashedBy: hash), byteCount: bytes.count)
    }

    init(_ draft: Draft, _ id: SnapshotID, byteCount: Int) throws(SaveFormatError) {
        guard !draft.parents.contains(id) else { throw SaveFormatError(.ownParent) }
        self.id = id
        self.byteCount = byteCount
        self.draft = draft
    }

    /// Which set.
    public var set: SaveSetID { draft.set }
    /// How it came about.
    public var origin: Origin { draft.origin }
    /// Who made it; nil where the rules did.
    public var author: PeerID? { draft.author }
    /// Who had which part in it.
    public var version: VersionVector { draft.version }
    /// The snapshots that it follows, by ascending id.
    public var parents: [SnapshotID] { draft.parents }
    /// Milliseconds since 1970 as the author's clock had it, for people to read.
    public var time: Int64 { draft.time }
    /// What a person may want to read about it.
    public var note: Label? { draft.note }
    /// Whether that is a person's word. Of what was delivered, the note says from where.
    public var isNamed: Bool { note != nil && origin != .delivered }
    /// The canonical encoding of its manifest, in pieces.
    public var manifest: [PieceReference] { draft.manifest }
    /// The one way to write it: `docs/history-format.md`.
    public var encoded: [UInt8] { draft.encoded }
}

extension Snapshot: Hashable, Identifiable {
    /// Snapshots of the same name are the same.
    public static func == (left: Snapshot, right: Snapshot) -> Bool { left.id == right.id }

    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
