import Vocabulary

extension Manifest {
    static let letters: StaticString = "HUDMANI"
    static let form: UInt8 = 1
    /// The size of the letters, the form and the end.
    static let frameByteCount = 9

    enum Tag: UInt8 {
        case end = 0
        case folder = 1
        case file = 2
        case link = 3
    }

    /// The canonical encoding: `docs/internals/history-format.md`.
    public var encoded: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(entries.reduce(Self.frameByteCount) { $0 + $1.byteCount })
        bytes.append(contentsOf: Self.letters.description.utf8)
        bytes.append(Self.form)
        for entry in entries { entry.append(to: &bytes) }
        bytes.append(Tag.end.rawValue)
        return bytes
    }

    /// Decodes a manifest of any peer. It accepts only canonical encodings: encoding the result gives the same bytes.
    /// - Parameter limit: the largest ``memoryByteCount``. Decoding stops there.
    public init(decoding bytes: [UInt8], memoryLimit limit: Int = .max) throws(SaveFormatError) {
        guard bytes.count <= Self.maximumByteCount else { throw SaveFormatError(.tooManyBytes) }
        guard bytes.count <= limit else { throw SaveFormatError(.listTooLong) }
        var reader = CanonicalReader(bytes)
        try reader.header(Self.letters, version: Self.form)
        var (entries, check) = ([ManifestEntry](), ManifestCheck(memoryLimit: limit))
        var pieceLimit = Self.maximumPieceCount
        while let entry = try ManifestEntry(from: &reader, pieceLimit: &pieceLimit) {
            do throws(SaveFormatError.Fault) { try check.take(entry) } catch { throw reader.error(error) }
            entries.append(entry)
        }
        try reader.finish()
        self.init(known: entries)
    }
}

extension ManifestEntry {
    /// The memory of the decoded entry: some 200 bytes beside its texts and pieces, and for each piece its place in the
    /// list of pieces to fetch.
    var memoryByteCount: Int { 200 + byteCount + 64 * (file?.pieces.count ?? 0) }

    /// The size of the encoded entry.
    package var byteCount: Int {
        let head = 3 + path.text.utf8.count
        switch content {
        case .folder: return head + 2
        case .file(let file): return head + 18 + file.pieces.count * PieceReference.byteCount
        case .link(let target): return head + 2 + target.text.utf8.count
        }
    }

    func append(to bytes: inout [UInt8]) {
        switch content {
        case .folder(let mode):
            append(.folder, to: &bytes)
            bytes.append(bigEndian: UInt16(mode.rawValue))
        case .file(let file):
            append(.file, to: &bytes)
            bytes.append(bigEndian: UInt16(file.mode.rawValue))
            bytes.append(bigEndian: file.modified.seconds)
            bytes.append(bigEndian: file.modified.nanoseconds)
            bytes.append(file.pieces)
        case .link(let target):
            append(.link, to: &bytes)
            bytes.append(counted: target.text)
        }
    }

    private func append(_ tag: Manifest.Tag, to bytes: inout [UInt8]) {
        bytes.append(tag.rawValue)
        bytes.append(counted: path.text)
    }

    /// Reads the next entry; nil at the end.
    init?(from reader: inout CanonicalReader, pieceLimit: inout Int) throws(SaveFormatError) {
        let kind = try reader.integer(UInt8.self)
        guard let tag = Manifest.Tag(rawValue: kind) else { throw reader.error(.unknownEntry(kind)) }
        guard tag != .end else { return nil }
        path = try SavePath(from: &reader)
        switch tag {
        case .folder, .end: content = .folder(try reader.mode())
        case .file:
            let (mode, modified) = (try reader.mode(), try reader.time())
            content = .file(SavedFile(mode: mode, modified: modified, pieces: try reader.pieces(limit: &pieceLimit)))
        case .link:
            let count = Int(try reader.integer(UInt16.self))
            guard let target = LinkTarget(try reader.bytes(count), depth: path.depth - 1) else {
                throw reader.error(.linkLeadsOut)
            }
            content = .link(target)
        }
    }
}

extension SavePath {
    init(from reader: inout CanonicalReader) throws(SaveFormatError) {
        let bytes = try reader.bytes(Int(try reader.integer(UInt16.self)))
        do throws(Refusal) { try self.init(bytes: bytes) } catch { throw reader.error(.badPath(error)) }
    }
}
