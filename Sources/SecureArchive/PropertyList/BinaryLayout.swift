/// Writes numbered objects as bytes.
struct BinaryLayout {
    private let flattener: BinaryFlattener
    private let referenceSize: Int
    private var bytes = BinaryPropertyList.header

    init(_ flattener: BinaryFlattener) {
        self.flattener = flattener
        referenceSize = Self.size(for: flattener.objects.count)
    }

    consuming func laidOut() -> [UInt8] {
        bytes.reserveCapacity(flattener.objects.count * 12 + flattener.references.count * referenceSize)
        var offsets: [Int] = []
        offsets.reserveCapacity(flattener.objects.count)
        for object in flattener.objects {
            offsets.append(bytes.count)
            append(object)
        }
        let table = bytes.count
        let offsetSize = Self.size(for: table)
        for offset in offsets { append(UInt64(offset), size: offsetSize) }
        bytes += [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)]
        append(UInt64(flattener.objects.count), size: 8)
        append(0, size: 8)
        append(UInt64(table), size: 8)
        return bytes
    }

    private mutating func append(_ object: BinaryFlattener.Object) {
        switch object {
        case .scalar(let value): append(value)
        case .array(let start, let count):
            append(marker: 0xA0, count: count)
            appendReferences(from: start, count: count)
        case .dictionary(let start, let count):
            append(marker: 0xD0, count: count)
            appendReferences(from: start, count: count * 2)
        }
    }

    private mutating func append(_ scalar: ArchiveValue) {
        switch scalar {
        case .bool(let value): bytes.append(value ? 0x09 : 0x08)
        case .integer(let integer): append(integer)
        case .real(let real): append(0x23, real.value.bitPattern)
        case .date(let date): append(0x33, date.secondsSince2001.bitPattern)
        case .string(let text): append(text)
        case .data(let data):
            append(marker: 0x40, count: data.count)
            bytes += data
        case .reference(let number):
            let size = Self.size(for: Int(number))
            bytes.append(0x80 | UInt8(size - 1))
            append(UInt64(number), size: size)
        case .null, .array, .dictionary, .tagged: preconditionFailure("the flattener lets no such scalar pass")
        }
    }

    private mutating func append(_ marker: UInt8, _ bits: UInt64) {
        bytes.append(marker)
        append(bits, size: 8)
    }

    private mutating func append(_ integer: ArchiveInteger) {
        if let small = integer.value(as: UInt32.self) {
            appendCount(UInt64(small))
        } else if let signed = integer.value(as: Int64.self) {
            append(0x13, UInt64(bitPattern: signed))
        } else if let unsigned = integer.value(as: UInt64.self) {
            append(0x14, 0)
            append(unsigned, size: 8)
        }
    }

    private mutating func append(_ text: String) {
        let utf8 = text.utf8
        let isASCII = utf8.allSatisfy { $0 < 0x80 }
        if isASCII {
            append(marker: 0x50, count: utf8.count)
            bytes.append(contentsOf: utf8)
        } else {
            append(marker: 0x60, count: text.utf16.count)
            for unit in text.utf16 {
                bytes.append(UInt8(unit >> 8))
                bytes.append(UInt8(truncatingIfNeeded: unit))
            }
        }
    }

    private mutating func appendReferences(from start: Int, count: Int) {
        for reference in flattener.references[start..<start + count] {
            append(UInt64(reference), size: referenceSize)
        }
    }

    private mutating func append(marker: UInt8, count: Int) {
        if count < 15 {
            bytes.append(marker | UInt8(count))
        } else {
            bytes.append(marker | 0xF)
            appendCount(UInt64(count))
        }
    }

    /// An unsigned integer in as few bytes as possible.
    private mutating func appendCount(_ count: UInt64) {
        let size = Self.size(for: Int(count))
        bytes.append(0x10 | UInt8(size.trailingZeroBitCount))
        append(count, size: size)
    }

    private mutating func append(_ number: UInt64, size: Int) {
        for position in (0..<size).reversed() {
            bytes.append(UInt8(truncatingIfNeeded: number >> (position * 8)))
        }
    }

    /// One, two, four or eight bytes: every reader knows these.
    private static func size(for number: Int) -> Int {
        switch number {
        case ..<0x100: 1
        case ..<0x1_0000: 2
        case ..<0x1_0000_0000: 4
        default: 8
        }
    }
}
