import SecureArchive

/// RetroArch's list of files: `manifest.server`. Each file has the MD5 of its bytes; a file without one was deleted.
package struct DeviceManifest: Hashable, Sendable {
    /// Maximum size of a manifest in bytes, enough for 50,000 files.
    package static let maximumByteCount = 8 << 20
    package static let maximumFileCount = 50_000

    /// The MD5 of each file as 32 hexadecimal digits; nil for a deleted one.
    package var files: [DevicePath: String?]

    package init(_ files: [DevicePath: String?] = [:]) { self.files = files }

    /// Reads a manifest of RetroArch's. Entries of other folders are passed over.
    package init(_ bytes: [UInt8]) throws(DeviceRequest.Refusal) {
        guard bytes.count <= Self.maximumByteCount else {
            throw DeviceRequest.Refusal(413, "manifest.server has more than 8 MiB")
        }
        guard let value = try? JSON.read(bytes), case .array(let entries) = value else {
            throw DeviceRequest.Refusal(400, "manifest.server is no list in JSON")
        }
        guard entries.count <= Self.maximumFileCount else {
            throw DeviceRequest.Refusal(413, "manifest.server lists more than \(Self.maximumFileCount) files")
        }
        files = [:]
        for entry in entries {
            guard case .dictionary(let fields) = entry, case .string(let path)? = fields["path"] else {
                throw DeviceRequest.Refusal(400, "an entry of manifest.server has no path")
            }
            guard let path = DevicePath(path) else { continue }
            var hash: String?
            if case .string(let text)? = fields["hash"], !text.isEmpty { hash = text.lowercased() }
            files.updateValue(hash, forKey: path)
        }
    }

    /// The manifest as RetroArch reads it, sorted as RetroArch sorts: without regard to the case of letters.
    package var bytes: [UInt8] {
        let sorted = files.sorted { ($0.key.text.lowercased(), $0.key) < ($1.key.text.lowercased(), $1.key) }
        let entries = sorted.map { path, hash in
            var fields = ArchiveFields(reserving: 2)
            fields["path"] = .string(path.text)
            // RetroArch takes any entry without a text here for a deleted file.
            fields["hash"] = hash.map { .string($0) } ?? .null
            return ArchiveValue.dictionary(fields)
        }
        guard let bytes = try? JSON.write(.array(entries), as: .compact) else {
            preconditionFailure("JSON has words for texts, lists and nothing")
        }
        return bytes
    }
}
