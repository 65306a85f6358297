import Vocabulary

extension Snapshot {
    static let letters: StaticString = "HUDSNAP"
    static let form: UInt8 = 1
    /// As many pieces of a manifest as there can be; each but the last has a certain size at least.
    static let maximumPieceCount = Manifest.maximumByteCount / PieceSizes.manifest.minimum + 1

    /// Reads what ``encoded`` writes, from anybody, and nothing else: whatever can be read is written as the same bytes.
    /// - Parameters:
    ///   - bytes: the canonical encoding
    ///   - id: the name by which it was asked for; nil where any will do
    ///   - hash: SHA-256
    public init(
        decoding bytes: [UInt8],
        expecting id: SnapshotID? = nil,
        hashedBy hash: ContentHash
    ) throws(SaveFormatError) {
        guard bytes.count <= Self.maximumByteCount else { throw SaveFormatError(.tooManyBytes) }
        let digest = SnapshotID(of: bytes, hashedBy: hash)
        guard id == nil || id == digest else { throw SaveFormatError(.otherContents) }
        var reader = CanonicalReader(bytes)
        let draft = try Draft(from: &reader)
        try reader.finish()
        try self.init(draft, digest, byteCount: bytes.count)
    }
}

extension Snapshot.Draft {
    /// The rules that its fields obey together.
    func check() throws(SaveFormatError.Fault) {
        guard !version.isEmpty else { throw .badVersion }
        switch origin {
        case .merged:
            guard author == nil else { throw .authorWithoutPart }
            guard parents.count == 2 else { throw .badParents }
        case .captured, .restored, .resolved, .delivered:
            guard let author, version[author] > 0 else { throw .authorWithoutPart }
            guard parents.count <= 2 else { throw .badParents }
        }
        guard zip(parents, parents.dropFirst()).allSatisfy({ $0 < $1 }) else { throw .badParents }
        guard !manifest.isEmpty, manifest.count <= Snapshot.maximumPieceCount else { throw .tooManyPieces }
        guard manifest.totalLength <= UInt64(Manifest.maximumByteCount) else { throw .tooManyBytes }
    }

    var encoded: [UInt8] {
        var bytes = Array(Snapshot.letters.description.utf8)
        bytes.append(Snapshot.form)
        bytes.append(contentsOf: set.bytes)
        bytes.append(origin.rawValue)
        bytes.append(contentsOf: author?.bytes ?? [])
        bytes.append(version)
        bytes.append(UInt8(parents.count))
        for parent in parents { parent.append(to: &bytes) }
        bytes.append(bigEndian: time)
        bytes.append(counted: note?.text ?? "")
        bytes.append(manifest)
        return bytes
    }

    init(from reader: inout CanonicalReader) throws(SaveFormatError) {
        try reader.header(Snapshot.letters, version: Snapshot.form)
        let set = SaveSetID(high: try reader.integer(), low: try reader.integer())
        let kind = try reader.integer(UInt8.self)
        guard let origin = Snapshot.Origin(rawValue: kind) else { throw reader.error(.unknownOrigin(kind)) }
        let author = origin == .merged ? nil : try reader.peer()
        let version = try VersionVector(from: &reader)
        let parentCount = try reader.integer(UInt8.self)
        guard parentCount <= 2 else { throw reader.error(.badParents) }
        var parents: [SnapshotID] = []
        for _ in 0..<parentCount { parents.append(try reader.id()) }
        let time = try reader.integer(Int64.self)
        let note = try Label(noteFrom: &reader)
        var limit = Snapshot.maximumPieceCount
        let manifest = try reader.pieces(limit: &limit)
        self.init(set: set, origin, by: author, version: version, manifest: manifest)
        (self.parents, self.time, self.note) = (parents, time, note)
        do throws(SaveFormatError.Fault) { try check() } catch { throw reader.error(error) }
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
    /// Nil where there is none.
    fileprivate init?(noteFrom reader: inout CanonicalReader) throws(SaveFormatError) {
        let bytes = try reader.bytes(Int(try reader.integer(UInt16.self)))
        guard !bytes.isEmpty else { return nil }
        guard let text = String(validating: bytes, as: UTF8.self), let label = try? Label(text) else {
            throw reader.error(.badNote)
        }
        self = label
    }
}
