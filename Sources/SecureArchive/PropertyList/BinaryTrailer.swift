/// The last 32 bytes of a binary property list, with the places of the rest. All of it is checked against the size of
/// the file before use.
struct BinaryTrailer {
    static let byteCount = 32

    /// The count of bytes of an entry of the offset table.
    let offsetSize: Int
    /// The count of bytes of an object's number within a collection.
    let referenceSize: Int
    let objectCount: Int
    let root: Int
    /// The start of the offset table, and the end of the objects.
    let tableOffset: Int

    init(of bytes: [UInt8]) throws(ArchiveError) {
        guard bytes.starts(with: BinaryPropertyList.header) else {
            let isOther = BinaryPropertyList.begins(bytes)
            throw ArchiveError(
                .damaged,
                isOther ? "a binary property list of another version than 00" : "no binary property list"
            )
        }
        let start = bytes.count - Self.byteCount
        guard start >= BinaryPropertyList.header.count else { throw Self.damaged("it ends before its trailer", 0) }
        offsetSize = Int(bytes[start + 6])
        referenceSize = Int(bytes[start + 7])
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize) else {
            throw Self.damaged("the size of offsets or references is not 1 to 8 bytes", start + 6)
        }
        let counts = (bytes.number(at: start + 8), bytes.number(at: start + 16), bytes.number(at: start + 24))
        // Each object and each offset has at least one byte, so these bounds keep the sums below from overflowing.
        guard counts.2 >= BinaryPropertyList.header.count, counts.2 < start else {
            throw Self.damaged("the offset table would lie outside of the file", start + 24)
        }
        tableOffset = Int(counts.2)
        guard counts.0 >= 1, counts.0 <= bytes.count, Int(counts.0) * offsetSize == start - tableOffset else {
            throw Self.damaged("the number of objects does not fit the size of the file", start + 8)
        }
        objectCount = Int(counts.0)
        guard counts.1 < counts.0 else { throw Self.damaged("the root is none of the objects", start + 16) }
        root = Int(counts.1)
    }

    private static func damaged(_ detail: String, _ offset: Int) -> ArchiveError {
        ArchiveError(.damaged, detail, offset: offset)
    }
}

extension [UInt8] {
    /// Up to eight bytes, the highest first. Traps outside of the array.
    func number(at offset: Int, size: Int = 8) -> UInt64 {
        var number: UInt64 = 0
        for position in offset..<offset + size {
            number = number << 8 | UInt64(self[position])
        }
        return number
    }
}
