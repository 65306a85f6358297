import Digests
import Vocabulary

extension FileEntry {
    /// Reads an entry. Refuses the same entries as Syncthing: names that lead out of the folder, and contents that
    /// contradict the kind.
    init(decoding reader: ProtobufReader) throws(ProtocolViolation) {
        self.init(name: "")
        var (reader, hasPermissions) = (reader, true)
        var (isDeleted, isInvalid) = (false, false)
        var (seconds, nanoseconds) = (0 as Int64, 0 as Int32)
        while let field = try reader.next() {
            switch field.number {
            case 1: name = try field.text(upTo: BridgeLimits.name)
            case 2:
                guard let known = Kind(rawValue: try field.unsigned()) else {
                    throw ProtocolViolation("sent an entry of an unknown kind")
                }
                kind = known
            case 3: size = try field.signed()
            case 4: permissions = UInt32(truncatingIfNeeded: try field.unsigned()) & 0o777
            case 5: seconds = try field.signed()
            case 6: isDeleted = try field.isTrue()
            case 7: isInvalid = try field.isTrue()
            case 8: hasPermissions = try !field.isTrue()
            case 9: version = try DeviceVector(decoding: field.message())
            case 10: sequence = try field.signed()
            case 11: nanoseconds = try field.small()
            case 12: changer = try field.unsigned()
            case 13: blockSize = try field.small()
            case 16: try addBlock(try field.message())
            default: break
            }
        }
        permissions = hasPermissions ? permissions ?? 0 : nil
        modified = FileTime(seconds: seconds, nanoseconds: UInt32(min(max(nanoseconds, 0), 999_999_999)))
        standing = isInvalid ? .invalid : isDeleted ? .deleted : .present
        try check(isDeleted: isDeleted)
    }

    private mutating func addBlock(_ reader: ProtobufReader) throws(ProtocolViolation) {
        guard blocks.count < BridgeLimits.blocksPerFile else {
            throw ProtocolViolation("sent a file of more than \(BridgeLimits.blocksPerFile) blocks")
        }
        var (reader, offset, size) = (reader, 0 as Int64, 0 as Int32)
        var digest: SHA256Digest?
        while let field = try reader.next() {
            switch field.number {
            case 1: offset = try field.signed()
            case 2: size = try field.small()
            case 3: digest = SHA256Digest(bytes: try field.bytes())
            default: break
            }
        }
        guard let digest else { throw ProtocolViolation("sent a block without a hash") }
        blocks.append(FileBlock(offset: offset, size: size, digest: digest))
    }

    private mutating func check(isDeleted: Bool) throws(ProtocolViolation) {
        guard BridgedName.isClean(name) else {
            throw ProtocolViolation("sent a name that is no path within a folder")
        }
        if blockSize == 0 { blockSize = FileBlock.leastSize }
        if standing != .present || kind != .file {
            guard blocks.isEmpty || isDeleted == false && kind == .file else {
                throw ProtocolViolation("sent blocks of something that has none")
            }
            // Old versions of Syncthing send 128 as the size of a folder. Neither size nor blocks of these entries mean
            // anything.
            (size, blocks) = (0, [])
            return
        }
        guard areBlocksWhole else { throw ProtocolViolation("sent blocks that are not those of a file") }
    }

    /// True if the blocks follow each other and make up the file. Without this check a device could announce a small
    /// file and have this machine fetch 16 MiB for each of its blocks.
    private var areBlocksWhole: Bool {
        guard blockSize >= FileBlock.leastSize, blockSize <= BridgeLimits.block, blockSize.nonzeroBitCount == 1,
            size >= 0, !blocks.isEmpty, size > 0 || blocks.count == 1
        else { return false }
        var offset: Int64 = 0
        for block in blocks {
            let expected = min(Int64(blockSize), size - offset)
            guard block.offset == offset, Int64(block.size) == expected, expected > 0 || size == 0 else { return false }
            offset += expected
        }
        return offset == size
    }

    func write(to writer: inout ProtobufWriter) {
        writer.text(1, name)
        writer.number(2, kind.rawValue)
        writer.number(3, size)
        writer.number(4, UInt64(permissions ?? 0))
        writer.number(5, modified.seconds)
        writer.flag(6, standing == .deleted)
        writer.flag(7, standing == .invalid)
        writer.flag(8, permissions == nil)
        writer.message(9, version.write)
        writer.number(10, sequence)
        writer.number(11, Int64(modified.nanoseconds))
        writer.number(12, changer)
        guard kind == .file, standing == .present else { return }
        writer.number(13, Int64(blockSize))
        for block in blocks {
            writer.message(16) { writer in
                writer.number(1, block.offset)
                writer.number(2, Int64(block.size))
                writer.data(3, block.digest.bytes)
            }
        }
        writer.data(18, blocksDigest.bytes)
    }

    /// The SHA-256 over the digests of all blocks.
    private var blocksDigest: SHA256Digest {
        var stream = SHA256Stream()
        for block in blocks { stream.update(block.digest.bytes) }
        return stream.finish()
    }
}
