import Vocabulary

extension Snapshot {
    static let letters: StaticString = "HUDSNAP"
    static let form: UInt8 = 2
    /// The largest number of pieces of a manifest. All but the last have a minimum size.
    static let maximumPieceCount = Manifest.maximumByteCount / PieceSizes.manifest.minimum + 1

    /// Decodes a version of any peer and checks all signatures in it. It accepts only canonical encodings: encoding the
    /// result gives the same bytes.
    /// - Parameters:
    ///   - bytes: the canonical encoding
    ///   - check: the check of signatures; it remembers proven ones
    public init(decoding bytes: [UInt8], checkedBy check: inout SealCheck) throws(SaveRefusal) {
        do throws(SaveFormatError) { try self.init(kept: bytes, hashedBy: check.hash) } catch {
            throw SaveRefusal(.format(error))
        }
        let body = bytes.dropLast(Signature.byteCount)
        guard check.holds(.snapshot(body), seal) else { throw SaveRefusal(.forgedAuthor) }
        guard check.holds(signedVersion, in: set) else { throw SaveRefusal(.forgedCounter) }
    }

    /// Decodes a version that this machine has stored: one that it made, or checked on arrival. It checks no signature,
    /// so it must not read bytes from elsewhere.
    /// - Parameters:
    ///   - bytes: the canonical encoding
    ///   - id: the expected id; nil if any is right
    ///   - hash: SHA-256
    public init(
        kept bytes: [UInt8],
        expecting id: SnapshotID? = nil,
        hashedBy hash: ContentHash
    ) throws(SaveFormatError) {
        guard bytes.count <= Self.maximumByteCount else { throw SaveFormatError(.tooManyBytes) }
        let digest = SnapshotID(of: bytes, hashedBy: hash)
        guard id == nil || id == digest else { throw SaveFormatError(.otherContents) }
        var reader = CanonicalReader(bytes)
        let (draft, key) = try Draft.read(from: &reader, hashedBy: hash)
        let seal = SignedVersion.Proof(key: key, signature: try reader.signature())
        try reader.finish()
        let author = PeerID(of: key, hashedBy: hash)
        do throws(SaveFormatError.Fault) { try draft.check(by: author) } catch { throw SaveFormatError(error) }
        try self.init(draft, by: author, seal, digest, byteCount: bytes.count)
    }
}

extension Snapshot.Draft {
    /// Checks the rules that its fields obey together.
    func check(by author: PeerID) throws(SaveFormatError.Fault) {
        guard !version.vector.isEmpty else { throw .badVersion }
        switch origin {
        case .merged:
            guard parents.count == 2 else { throw .badParents }
        case .captured, .restored, .resolved, .delivered, .foreign:
            guard version.vector[author] > 0 else { throw .authorWithoutPart }
            guard parents.count <= 2 else { throw .badParents }
        }
        guard zip(parents, parents.dropFirst()).allSatisfy({ $0 < $1 }) else { throw .badParents }
        guard !manifest.isEmpty, manifest.count <= Snapshot.maximumPieceCount else { throw .tooManyPieces }
        guard manifest.totalLength <= UInt64(Manifest.maximumByteCount) else { throw .tooManyBytes }
    }

    /// Returns the encoding without the signature. The author signs these bytes.
    func encoded(by author: PublicKey) -> [UInt8] {
        var bytes = Array(Snapshot.letters.description.utf8)
        bytes.append(Snapshot.form)
        bytes.append(contentsOf: set.bytes)
        bytes.append(origin.rawValue)
        bytes.append(contentsOf: author.bytes)
        bytes.append(version)
        bytes.append(UInt8(parents.count))
        for parent in parents { parent.append(to: &bytes) }
        bytes.append(bigEndian: time)
        bytes.append(counted: note?.text ?? "")
        bytes.append(manifest)
        return bytes
    }

    static func read(
        from reader: inout CanonicalReader,
        hashedBy hash: ContentHash
    ) throws(SaveFormatError) -> (draft: Self, author: PublicKey) {
        try reader.header(Snapshot.letters, version: Snapshot.form)
        let set = SaveSetID(high: try reader.integer(), low: try reader.integer())
        let kind = try reader.integer(UInt8.self)
        guard let origin = Snapshot.Origin(rawValue: kind) else { throw reader.error(.unknownOrigin(kind)) }
        let author = try reader.key()
        let version = try SignedVersion(from: &reader, hashedBy: hash)
        let parentCount = try reader.integer(UInt8.self)
        guard parentCount <= 2 else { throw reader.error(.badParents) }
        var parents: [SnapshotID] = []
        for _ in 0..<parentCount { parents.append(try reader.id()) }
        let time = try reader.integer(Int64.self)
        let note = try Label(noteFrom: &reader)
        var limit = Snapshot.maximumPieceCount
        let manifest = try reader.pieces(limit: &limit)
        var draft = Self(set: set, origin, version: version, manifest: manifest)
        (draft.parents, draft.time, draft.note) = (parents, time, note)
        return (draft, author)
    }
}

extension SignedVersion {
    fileprivate init(from reader: inout CanonicalReader, hashedBy hash: ContentHash) throws(SaveFormatError) {
        let count = Int(try reader.integer(UInt16.self))
        guard count <= VersionVector.maximumPeerCount else { throw reader.error(.badVersion) }
        var (parts, proofs): ([VersionVector.Part], [Proof]) = ([], [])
        for _ in 0..<count {
            let key = try reader.key()
            parts.append(VersionVector.Part(PeerID(of: key, hashedBy: hash), try reader.integer()))
            proofs.append(Proof(key: key, signature: try reader.signature()))
        }
        guard let version = VersionVector(parts) else { throw reader.error(.badVersion) }
        self.init(unchecked: version, proofs)
    }
}

extension VersionVector {
    init(from reader: inout CanonicalReader) throws(SaveFormatError) {
        let count = Int(try reader.integer(UInt16.self))
        guard count <= Self.maximumPeerCount else { throw reader.error(.badVersion) }
        var parts: [Part] = []
        for _ in 0..<count { parts.append(Part(try reader.peer(), try reader.integer())) }
        guard let version = VersionVector(parts) else { throw reader.error(.badVersion) }
        self = version
    }
}

extension Label {
    /// Reads a note; nil if it is empty.
    fileprivate init?(noteFrom reader: inout CanonicalReader) throws(SaveFormatError) {
        let bytes = try reader.bytes(Int(try reader.integer(UInt16.self)))
        guard !bytes.isEmpty else { return nil }
        guard let text = String(validating: bytes, as: UTF8.self), let label = try? Label(text) else {
            throw reader.error(.badNote)
        }
        self = label
    }
}
