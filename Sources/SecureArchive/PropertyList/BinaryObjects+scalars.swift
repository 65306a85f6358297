extension BinaryObjects {
    /// The value of an object that is no collection. The caller has counted it as one value; its memory is counted
    /// here.
    func scalar(_ object: BinaryObject, drawingOn budget: inout ReadingBudget) throws(ArchiveError) -> ArchiveValue {
        switch object {
        case .bool(let value): return .bool(value)
        case .integer(let start, let size): return .integer(try integer(at: start, size: size))
        case .real(let start, let size): return .real(real(at: start, size: size))
        case .date(let start):
            let seconds = Double(bitPattern: bytes.number(at: start))
            guard let date = ArchiveDate(secondsSince2001: seconds) else {
                throw ArchiveError(.damaged, "a date that is none", offset: start)
            }
            return .date(date)
        case .data(let range):
            try budget.take(values: 0, bytes: range.count)
            try budget.hold(data: range.count)
            return .data(Array(bytes[range]))
        case .ascii(let range): return .string(try ascii(in: range, drawingOn: &budget))
        case .utf16(let range): return .string(try utf16(in: range, drawingOn: &budget))
        case .uid(let start, let size):
            guard let number = UInt32(exactly: bytes.number(at: start, size: size)) else {
                throw ArchiveError(.damaged, "the number of an object has more than 32 bits", offset: start)
            }
            return .reference(number)
        case .array(let start, _), .dictionary(let start, _):
            throw ArchiveError(.damaged, "a collection where none may be", offset: start)
        }
    }

    /// One, two and four bytes are unsigned, eight are signed; sixteen are used only for larger numbers.
    private func integer(at start: Int, size: Int) throws(ArchiveError) -> ArchiveInteger {
        switch size {
        case 1, 2, 4: return ArchiveInteger(bytes.number(at: start, size: size))
        case 8: return ArchiveInteger(Int(truncatingIfNeeded: bytes.number(at: start)))
        default:
            guard bytes.number(at: start) == 0 else {
                throw ArchiveError(.damaged, "an integer has more than 64 bits", offset: start)
            }
            return ArchiveInteger(bytes.number(at: start + 8))
        }
    }

    private func real(at start: Int, size: Int) -> ArchiveReal {
        let bits = bytes.number(at: start, size: size)
        let value =
            size == 4 ? Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits))) : Double(bitPattern: bits)
        return ArchiveReal(said: value)
    }

    private func ascii(in range: Range<Int>, drawingOn budget: inout ReadingBudget) throws(ArchiveError) -> String {
        try budget.check(textBytes: range.count)
        try budget.take(values: 0, bytes: range.count)
        try budget.hold(text: range.count)
        let text = bytes[range]
        guard text.isASCII else {
            throw ArchiveError(.damaged, "a text is not the ASCII that it says it is", offset: range.lowerBound)
        }
        return String(decoding: text, as: UTF8.self)
    }

    private func utf16(in range: Range<Int>, drawingOn budget: inout ReadingBudget) throws(ArchiveError) -> String {
        try budget.check(textBytes: range.count / 2)
        var count = 0
        try forEachScalar(ofUTF16In: range) { count += Self.utf8Count(of: $0) }
        try budget.check(textBytes: count)
        try budget.take(values: 0, bytes: count)
        try budget.hold(text: count)
        // Once as bytes, and once as a text.
        try budget.check(comingMemory: count)
        var text: [UInt8] = []
        text.reserveCapacity(count)
        try forEachScalar(ofUTF16In: range) { text.append(utf8: $0) }
        return String(decoding: text, as: UTF8.self)
    }

    /// Calls the body with each scalar, and refuses halves of surrogate pairs.
    private func forEachScalar(ofUTF16In range: Range<Int>, _ body: (UInt32) -> Void) throws(ArchiveError) {
        var position = range.lowerBound
        while position < range.upperBound {
            let unit = UInt32(bytes[position]) << 8 | UInt32(bytes[position + 1])
            position += 2
            guard unit & 0xF800 == 0xD800 else {
                body(unit)
                continue
            }
            guard unit < 0xDC00, position < range.upperBound, bytes[position] & 0xFC == 0xDC else {
                throw ArchiveError(.damaged, "a text holds half a character", offset: position - 2)
            }
            let low = UInt32(bytes[position]) << 8 | UInt32(bytes[position + 1])
            position += 2
            body(0x1_0000 + (unit & 0x3FF) << 10 + low & 0x3FF)
        }
    }

    private static func utf8Count(of scalar: UInt32) -> Int {
        switch scalar {
        case ..<0x80: 1
        case ..<0x800: 2
        case ..<0x1_0000: 3
        default: 4
        }
    }
}

extension ArraySlice<UInt8> {
    /// True if all characters are ASCII.
    var isASCII: Bool {
        // One sum over all bytes, which the compiler can vectorize.
        var bits: UInt8 = 0
        for byte in self { bits |= byte }
        return bits < 0x80
    }
}

extension [UInt8] {
    /// Appends a scalar, which must not be half of a surrogate pair.
    fileprivate mutating func append(utf8 scalar: UInt32) {
        switch scalar {
        case ..<0x80: append(UInt8(scalar))
        case ..<0x800:
            append(UInt8(0xC0 | scalar >> 6))
            append(UInt8(0x80 | scalar & 0x3F))
        case ..<0x1_0000:
            append(UInt8(0xE0 | scalar >> 12))
            append(UInt8(0x80 | scalar >> 6 & 0x3F))
            append(UInt8(0x80 | scalar & 0x3F))
        default:
            append(UInt8(0xF0 | scalar >> 18))
            append(UInt8(0x80 | scalar >> 12 & 0x3F))
            append(UInt8(0x80 | scalar >> 6 & 0x3F))
            append(UInt8(0x80 | scalar & 0x3F))
        }
    }
}
