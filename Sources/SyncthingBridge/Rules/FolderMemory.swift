import Digests

/// The part of ``BridgedFolder`` that must outlive the program.
///
/// Without its own index, the household would announce every file as a change of its own after each start.
package struct FolderMemory: Hashable, Sendable {
    /// A version of the device that is stored, and that the household's newest version does not include yet.
    package struct Stored: Hashable, Sendable {
        package let version: BridgedFolder.Version
        /// The device's files in it.
        package let entries: [String: FileEntry]

        package init(version: BridgedFolder.Version, entries: [String: FileEntry]) {
            (self.version, self.entries) = (version, entries)
        }
    }

    package let own: HouseholdIndex
    /// The last version from which the device's content is made.
    package let agreed: BridgedFolder.Version?
    package let stored: Stored?

    package init(own: HouseholdIndex, agreed: BridgedFolder.Version? = nil, stored: Stored? = nil) {
        (self.own, self.agreed, self.stored) = (own, agreed, stored)
    }
}

// MARK: On disk

extension FolderMemory {
    /// The first bytes of the file, with the version of its form.
    private static let mark = Array("huddle syncthing folder 1\n".utf8)
    /// The SHA-256 of everything else at the end: a damaged index must not announce anything.
    private static let checkCount = 32

    /// - Throws: ``ProtocolViolation`` if the file is damaged
    package init(decoding file: [UInt8]) throws(ProtocolViolation) {
        let body = file.dropLast(Self.checkCount)
        guard file.count >= Self.checkCount, body.starts(with: Self.mark),
            body.withUnsafeBytes({ Digest.sha256($0) }).bytes == Array(file.suffix(Self.checkCount))
        else { throw ProtobufReader.malformed }
        var reader = ProtobufReader(body.dropFirst(Self.mark.count))
        var (id, released, entries) = (0 as UInt64, 0 as Int64, [FileEntry]())
        var (agreed, version, taken) = (SHA256Digest?.none, SHA256Digest?.none, [String: FileEntry]())
        while let field = try reader.next() {
            switch field.number {
            case 1: id = try field.unsigned()
            case 2: released = try field.signed()
            case 3: agreed = SHA256Digest(bytes: try field.bytes())
            case 4: version = SHA256Digest(bytes: try field.bytes())
            case 5: entries.append(try FileEntry(decoding: field.message()))
            case 6:
                let entry = try FileEntry(decoding: field.message())
                taken[entry.name] = entry
            default: break
            }
        }
        own = HouseholdIndex(id: id, entries: entries, released: released)
        self.agreed = agreed
        stored = version.map { Stored(version: $0, entries: taken) }
    }

    package var encoded: [UInt8] {
        var writer = ProtobufWriter()
        writer.number(1, own.id)
        writer.number(2, own.released)
        if let agreed { writer.data(3, agreed.bytes) }
        if let stored { writer.data(4, stored.version.bytes) }
        for entry in own.entries.values { writer.message(5, entry.write) }
        for entry in stored?.entries.values ?? [:].values { writer.message(6, entry.write) }
        let body = Self.mark + writer.bytes
        return body + body.withUnsafeBytes { Digest.sha256($0) }.bytes
    }
}
