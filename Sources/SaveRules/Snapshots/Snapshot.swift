public import Vocabulary

/// One immutable state of a save set: what it held (by the pieces of its manifest), what it came from, and who had a part
/// in it. Its name is the digest of its encoding, so it can't be changed, and can't be its own ancestor.
///
/// There are three ways to one: this machine makes and signs it, a peer sends it and all signatures in it are checked, or this machine
/// reads what it has kept. So whatever takes a snapshot knows that its author made it.
///
/// ```swift
/// var draft = Snapshot.Draft(set: celeste, .captured, version: next, manifest: pieces)
/// draft.parents = [applied.id]
/// draft.time = now
/// let snapshot = try Snapshot(draft, sealedBy: seal)
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
        /// The set's rules ended a conflict. The machine that makes it adds nothing of its own: it counts the same as its two
        /// parents do, so merges of the same two that several machines made at once need no merge in turn.
        case merged = 4
        /// A peer has given something of it once, which was put into what there was.
        case delivered = 5
        /// A device that does not run Huddle saved it, and a bridge of the author took it. The note names the device.
        case foreign = 6
    }

    /// The parts of a snapshot without the signature of its author. Making a snapshot of it checks the rules.
    public struct Draft: Hashable, Sendable {
        /// Which set.
        public var set: SaveSetID
        /// How it came about.
        public var origin: Origin
        /// The part of each machine in it, the author's own included.
        public var version: SignedVersion
        /// The snapshots that it follows, by ascending id: none for the first, one usually, two where a conflict ended.
        public var parents: [SnapshotID] = []
        /// Milliseconds since 1970 as the author's clock had it. For people to read; nothing is decided by it.
        public var time: Int64 = 0
        /// A note for users.
        public var note: Label?
        /// The canonical encoding of its ``Manifest``, cut into pieces.
        public var manifest: [PieceReference]

        /// - Parameters:
        ///   - set: which set
        ///   - origin: how it came about
        ///   - version: who had which part in it, the author's own included
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
    /// How many bytes ``encoded`` has.
    public let byteCount: Int
    /// The machine that made it. Of a merge, the one that applied the rules.
    public let author: PeerID
    private let draft: Draft
    let seal: SignedVersion.Proof

    /// Makes one, and signs it.
    /// - Parameters:
    ///   - draft: what it is made of
    ///   - seal: its author's
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

    /// Which set.
    public var set: SaveSetID { draft.set }
    /// How it came about.
    public var origin: Origin { draft.origin }
    /// The part of each machine in it.
    public var version: VersionVector { draft.version.vector }

    /// The number for users, as in `celeste@12`: the same on every machine, and greater than that of each version before it. Two versions that were made at
    /// the same time may share one.
    public var number: Int { Int(clamping: version.total) }
    /// The same, with each machine's word for it.
    public var signedVersion: SignedVersion { draft.version }
    /// The snapshots that it follows, by ascending id.
    public var parents: [SnapshotID] { draft.parents }
    /// Milliseconds since 1970 as the author's clock had it, for people to read.
    public var time: Int64 { draft.time }
    /// A note for users.
    public var note: Label? { draft.note }
    /// True if that is a person's word. The note of a delivered or a foreign version says where it is from.
    public var isNamed: Bool { note != nil && origin != .delivered && origin != .foreign }
    /// The device that saved it; nil if a machine with Huddle did.
    public var device: Label? { origin == .foreign ? note : nil }
    /// The canonical encoding of its manifest, in pieces.
    public var manifest: [PieceReference] { draft.manifest }
    /// The one way to write it: `docs/internals/history-format.md`.
    public var encoded: [UInt8] { draft.encoded(by: seal.key) + seal.signature.bytes }
}

extension Snapshot: Hashable, Identifiable {
    /// Snapshots of the same name are the same.
    public static func == (left: Snapshot, right: Snapshot) -> Bool { left.id == right.id }

    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
