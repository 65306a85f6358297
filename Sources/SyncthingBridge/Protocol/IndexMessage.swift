/// A part of a device's index: entries that are new or have changed.
package struct IndexMessage: Hashable, Sendable {
    package enum Extent: Hashable, Sendable {
        /// The whole index: earlier entries of this folder are forgotten.
        case whole
        case update
    }

    package var folder: String
    package var extent: Extent
    package var entries: [FileEntry]

    package init(folder: String, extent: Extent, entries: [FileEntry]) {
        (self.folder, self.extent, self.entries) = (folder, extent, entries)
    }

    init(decoding bytes: ArraySlice<UInt8>, extent: Extent) throws(ProtocolViolation) {
        self.init(folder: "", extent: extent, entries: [])
        var reader = ProtobufReader(bytes)
        while let field = try reader.next() {
            switch field.number {
            case 1: folder = try field.text()
            case 2:
                guard entries.count < BridgeLimits.filesPerMessage else {
                    throw ProtocolViolation("sent more than \(BridgeLimits.filesPerMessage) files in one message")
                }
                entries.append(try FileEntry(decoding: field.message()))
            default: break
            }
        }
    }

    var body: [UInt8] {
        var writer = ProtobufWriter()
        writer.text(1, folder)
        for entry in entries { writer.message(2, entry.write) }
        return writer.bytes
    }
}
