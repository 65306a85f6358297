package import Digests

/// A request for one block of a file.
package struct BlockRequest: Hashable, Sendable {
    package var id: Int32
    package var folder: String
    package var name: String
    package var offset: Int64
    package var size: Int32
    /// The block's digest, without which Syncthing 2.1.2 ends the connection.
    package var digest: SHA256Digest?
    /// True if a part of an incomplete file is enough. This machine has none.
    package var isForPartial = false

    package init(id: Int32, folder: String, name: String, block: FileBlock) {
        (self.id, self.folder, self.name) = (id, folder, name)
        (offset, size, digest) = (block.offset, block.size, block.digest)
    }

    init(decoding bytes: ArraySlice<UInt8>) throws(ProtocolViolation) {
        (id, folder, name, offset, size) = (0, "", "", 0, 0)
        var reader = ProtobufReader(bytes)
        while let field = try reader.next() {
            switch field.number {
            case 1: id = try field.small()
            case 2: folder = try field.text()
            case 3: name = try field.text(upTo: BridgeLimits.name)
            case 4: offset = try field.signed()
            case 5: size = try field.small()
            case 6: digest = SHA256Digest(bytes: try field.bytes())
            case 7: isForPartial = try field.isTrue()
            default: break
            }
        }
        guard offset >= 0, size >= 0, size <= BridgeLimits.block, BridgedName.isClean(name) else {
            throw ProtocolViolation("requested what is no block")
        }
    }

    var body: [UInt8] {
        var writer = ProtobufWriter()
        writer.number(1, Int64(id))
        writer.text(2, folder)
        writer.text(3, name)
        writer.number(4, offset)
        writer.number(5, Int64(size))
        if let digest { writer.data(6, digest.bytes) }
        writer.flag(7, isForPartial)
        return writer.bytes
    }
}
