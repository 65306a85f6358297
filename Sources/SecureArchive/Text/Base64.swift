/// Data as text by RFC 4648, section 4.
package enum Base64 {
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let none: UInt8 = 0xFF
    private static let space: UInt8 = 0xFE
    private static let padding = UInt8(ascii: "=")

    private static let values: [UInt8] = (0..<256).map { byte in
        if [0x20, 0x0A, 0x0D, 0x09].contains(byte) { return space }
        return digits.firstIndex(of: UInt8(byte)).map(UInt8.init) ?? none
    }

    /// Decodes data. Space is skipped everywhere. Nil for anything else outside of the RFC: other characters, wrong
    /// padding, bits that would be lost.
    package static func decode(_ text: some Sequence<UInt8>) -> [UInt8]? {
        var data = [UInt8]()
        data.reserveCapacity(text.underestimatedCount / 4 * 3)
        var bits: UInt32 = 0
        var count = 0
        var paddingCount = 0
        for character in text {
            let value = values[Int(character)]
            if value == space { continue }
            if character == padding {
                paddingCount += 1
                continue
            }
            guard value != none, paddingCount == 0 else { return nil }
            bits = bits << 6 | UInt32(value)
            count += 1
            if count == 4 {
                data.append(UInt8(truncatingIfNeeded: bits >> 16))
                data.append(UInt8(truncatingIfNeeded: bits >> 8))
                data.append(UInt8(truncatingIfNeeded: bits))
                (bits, count) = (0, 0)
            }
        }
        switch (count, paddingCount) {
        case (0, 0): break
        case (2, 2) where bits & 0xF == 0: data.append(UInt8(truncatingIfNeeded: bits >> 4))
        case (3, 1) where bits & 0x3 == 0:
            data.append(UInt8(truncatingIfNeeded: bits >> 10))
            data.append(UInt8(truncatingIfNeeded: bits >> 2))
        default: return nil
        }
        return data
    }

    /// Encodes data without line ends.
    package static func encode(_ data: ArraySlice<UInt8>) -> [UInt8] {
        var text = [UInt8]()
        text.reserveCapacity((data.count + 2) / 3 * 4)
        var index = data.startIndex
        while index < data.endIndex {
            let group = data[index..<min(index + 3, data.endIndex)]
            index += 3
            let bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << (8 * (3 - UInt32(group.count)))
            for place in 0..<4 {
                let digit = digits[Int(bits >> (18 - 6 * UInt32(place)) & 0x3F)]
                text.append(place <= group.count ? digit : padding)
            }
        }
        return text
    }
}
