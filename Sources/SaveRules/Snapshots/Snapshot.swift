public import Vocabulary

/// One version of a game, which never changes: its content (by the pieces of its manifest), its parents, and the
/// changes of each machine in it. Its id is the digest of its encoding, so a version can't be its own ancestor.
///
/// A value exists only if its author made it: this machine makes and signs it, a peer sends it and all its signatures
/// are checked, or this machine reads what it has stored.
///
/// ```swift
/// var draft = Snapshot.Draft(set: celeste, .captured, version: next, manifest: pieces)
/// draft.parents = [applied.id]
/// draft.time = now
/// let snapshot = try Snapshot(draft, sealedBy: seal)
/// ```
public struct Snapshot: Sendable {
    /// The largest size of the canonical encoding. The pieces of the largest manifest take 432 KiB of it.
    public static let maximumByteCount = 512 << 10

    /// The events that make a version.
    public enum Origin: UInt8, CaseIterable, Hashable, Sendable {
        /// A scan read the game's folder after a quiet period.
        case captured = 1
        /// A user restored an old version.
        case restored = 2
        /// A user ended a conflict.
        case resolved = 3
        /// The game's rules ended a conflict. The machine that merges adds no change of its own: the version counts the
        /// same as its two parents. So merges of the same two on several machines need no further merge.
        case merged = 4
        /// A peer sent a part of it once, which was added to the content.
        case delivered = 5
        /// A device that does not run Huddle saved it, and a bridge on the author's machine took it. The note names the
        /// device.
        case foreign = 6
    }

    /// The parts of a version without its author's signature. ``Snapshot/init(_:sealedBy:)`` checks the rules.
    public struct Draft: Hashable, Sendable {
        /// The game.
        public var set: SaveSetID
        /// The event that makes the version.
        public var origin: Origin
        /// The version vector, including the author's counter.
        public var version: SignedVersion
        /// The ids of the parents, ascending: none for the first version, usually one, two after a conflict.
        public var parents: [SnapshotID] = []
        /// Milliseconds since 1970 by the author's clock. It is only for users and decides nothing.
        public var time: Int64 = 0
        /// A note for users.
        public var note: Label?
        /// The canonical encoding of its ``Manifest``, cut into pieces.
        public var manifest: [PieceReference]

        /// - Parameters:
        ///   - set: the game
        ///   - origin: the event that makes the version
        ///   - version: the version vector, including the author's counter
        ///   - manifest: the canonical encoding of its manifest, in pieces
        public init(
            set: SaveSetID,
            _ origin: Origin,
            version: SignedVersion,
            manifest: [PieceReference]
        ) {
            self.set = set
            self.origin = origin
            self.version = version
            self.manifest = manifest
        }
    }

    /// The digest of ``encoded``.
    public let id: SnapshotID
    /// The size of ``encoded`` in bytes.
    public let byteCount: Int
    /// The machine that made it. For a merge: the machine that applied the rules.
    public let author: PeerID
    private let draft: Draft
    let seal: SignedVersion.Proof

    /// Creates a version and signs it.
    /// - Parameters:
    ///   - draft: the parts of the version
    ///   - seal: the author's key
    public init(_ draft: Draft, sealedBy seal: VersionSeal) throws(SaveFormatError) {
        do throws(SaveFormatError.Fault) { try draft.check(by: seal.owner) } catch { throw SaveFormatError(error) }
        var bytes = draft.encoded(by: seal.key)
        let signature = seal.signature(of: .snapshot(bytes[...]))
        bytes += signature.bytes
        guard bytes.count <= Self.maximumByteCount else { throw SaveFormatError(.tooManyBytes) }
        let id = SnapshotID(of: bytes, hashedBy: seal.hash)
        let proof = SignedVersion.Proof(key: seal.key, signature: signature)
        try self.init(draft, by: seal.owner, proof, id, byteCount: bytes.count)
    }

    init(
        _ draft: Draft,
        by author: PeerID,
        _ seal: SignedVersion.Proof,
        _ id: SnapshotID,
        byteCount: Int
    ) throws(SaveFormatError) {
        guard !draft.parents.contains(id) else { throw SaveFormatError(.ownParent) }
        (self.id, self.byteCount, self.author) = (id, byteCount, author)
        (self.draft, self.seal) = (draft, seal)
    }

    /// The game.
    public var set: SaveSetID { draft.set }
    /// The event that made it.
    public var origin: Origin { draft.origin }
    /// The changes of each machine that it includes.
    public var version: VersionVector { draft.version.vector }

    /// The number for users, as in `celeste@12`. It is the same on every machine, and greater than that of each
    /// ancestor. Two versions that were made at the same time may share a number.
    public var number: Int { Int(clamping: version.total) }
    /// The changes of each machine that it includes, with the machines' signatures.
    public var signedVersion: SignedVersion { draft.version }
    /// The ids of its parents, ascending.
    public var parents: [SnapshotID] { draft.parents }
    /// Milliseconds since 1970 by the author's clock, for users only.
    public var time: Int64 { draft.time }
    /// A note for users.
    public var note: Label? { draft.note }
    /// True if a user wrote the note. The note of a delivered or a foreign version names its source.
    public var isNamed: Bool { note != nil && origin != .delivered && origin != .foreign }
    /// The device that saved it; nil if a machine with Huddle did.
    public var device: Label? { origin == .foreign ? note : nil }
    /// The canonical encoding of its manifest, in pieces.
    public var manifest: [PieceReference] { draft.manifest }
    /// The canonical encoding; `docs/internals/history-format.md` describes it.
    public var encoded: [UInt8] { draft.encoded(by: seal.key) + seal.signature.bytes }
}

extension Snapshot: Hashable, Identifiable {
    /// Compares ids. Versions with the same id are the same.
    public static func == (left: Snapshot, right: Snapshot) -> Bool { left.id == right.id }

    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
