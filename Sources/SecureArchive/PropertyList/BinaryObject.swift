/// One object of a binary property list, as its first bytes describe it. Its contents lie within the file's part for
/// objects; that was checked.
enum BinaryObject {
    case bool(Bool)
    case integer(at: Int, size: Int)
    case real(at: Int, size: Int)
    case date(at: Int)
    case data(Range<Int>)
    case ascii(Range<Int>)
    case utf16(Range<Int>)
    case uid(at: Int, size: Int)
    /// The position of the numbers of the elements.
    case array(at: Int, count: Int)
    /// The position of the numbers of the keys; those of the values follow.
    case dictionary(at: Int, count: Int)
}

extension BinaryObjects {
    /// The object at an offset, and its end.
    func object(at offset: Int) throws(ArchiveError) -> (object: BinaryObject, end: Int) {
        let marker = bytes[offset]
        let start = offset + 1
        switch marker >> 4 {
        case 0x0 where marker == 0x08: return (.bool(false), start)
        case 0x0 where marker == 0x09: return (.bool(true), start)
        case 0x1 where marker <= 0x14:
            let size = 1 << Int(marker & 0xF)
            return (.integer(at: start, size: size), try end(of: size, from: start))
        case 0x2 where marker == 0x22 || marker == 0x23:
            let size = marker == 0x22 ? 4 : 8
            return (.real(at: start, size: size), try end(of: size, from: start))
        case 0x3 where marker == 0x33:
            return (.date(at: start), try end(of: 8, from: start))
        case 0x8 where marker <= 0x87:
            let size = Int(marker & 0xF) + 1
            return (.uid(at: start, size: size), try end(of: size, from: start))
        case 0x4, 0x5, 0x6, 0xA, 0xD:
            let (count, start) = try count(in: marker, from: start)
            return try counted(marker >> 4, count: count, from: start)
        default: throw Self.unknown(marker, at: offset)
        }
    }

    private func counted(
        _ kind: UInt8,
        count: Int,
        from start: Int
    ) throws(ArchiveError) -> (object: BinaryObject, end: Int) {
        let unit =
            switch kind {
            case 0x6: 2
            case 0xA: trailer.referenceSize
            case 0xD: trailer.referenceSize * 2
            default: 1
            }
        // By division, because a product could overflow.
        guard count <= (trailer.tableOffset - start) / unit else {
            throw ArchiveError(.damaged, "an object is longer than the file", offset: start)
        }
        let end = start + count * unit
        switch kind {
        case 0x4: return (.data(start..<end), end)
        case 0x5: return (.ascii(start..<end), end)
        case 0x6: return (.utf16(start..<end), end)
        case 0xA: return (.array(at: start, count: count), end)
        default: return (.dictionary(at: start, count: count), end)
        }
    }

    private func end(of size: Int, from start: Int) throws(ArchiveError) -> Int {
        guard size <= trailer.tableOffset - start else {
            throw ArchiveError(.damaged, "an object is longer than the file", offset: start)
        }
        return start + size
    }

    /// Counts below 15 stand in the marker; others follow it as an integer.
    private func count(in marker: UInt8, from start: Int) throws(ArchiveError) -> (count: Int, start: Int) {
        let short = Int(marker & 0xF)
        guard short == 0xF else { return (short, start) }
        guard start < trailer.tableOffset, bytes[start] & 0xFC == 0x10 else {
            throw ArchiveError(.damaged, "the length of an object is missing", offset: start)
        }
        let size = 1 << Int(bytes[start] & 0x3)
        let end = try end(of: size, from: start + 1)
        let count = bytes.number(at: start + 1, size: size)
        guard count <= UInt64(bytes.count) else {
            throw ArchiveError(.damaged, "an object is longer than the file", offset: start)
        }
        return (Int(count), end)
    }

    private static func unknown(_ marker: UInt8, at offset: Int) -> ArchiveError {
        let kind: String
        switch marker {
        case 0x00: kind = "null"
        case 0x0C, 0x0D: kind = "URL"
        case 0x0E: kind = "UUID"
        case 0x0F: kind = "filler"
        case 0x70...0x7F: kind = "UTF-8 text"
        case 0xB0...0xBF: kind = "ordered set"
        case 0xC0...0xCF: kind = "set"
        default:
            let digits = String(marker, radix: 16)
            return ArchiveError(.damaged, "an object of the unknown kind 0x\(digits)", offset: offset)
        }
        // CoreFoundation's source knows these markers, but version 00 has none of them, and its readers have crashed on
        // them.
        return ArchiveError(.damaged, "an object of the kind “\(kind)”, which no property list has", offset: offset)
    }
}
