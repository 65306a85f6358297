import SaveRules

/// One version on its way into a tar archive.
actor ArchiveExport {
    private let reader: VersionReader
    private let version: Snapshot
    private var parts: [ArchivePart]?
    private var next = 0

    init(_ reader: VersionReader, _ version: Snapshot) { (self.reader, self.version) = (reader, version) }

    func next() async throws -> [UInt8]? {
        let parts: [ArchivePart]
        if let known = self.parts {
            parts = known
        } else {
            parts = try await reader.archiveParts(of: version)
            self.parts = parts
        }
        guard next < parts.count else { return nil }
        // Small pieces are joined, because each answer is one chunk of the response.
        var bytes: [UInt8] = []
        while next < parts.count, bytes.count < 1 << 20 {
            switch parts[next] {
            case .bytes(let more): bytes += more
            case .piece(let id): bytes += try await reader.piece(id)
            }
            next += 1
        }
        return bytes
    }
}
