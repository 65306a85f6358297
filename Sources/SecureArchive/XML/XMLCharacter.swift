/// The rules of XML 1.0 for single characters.
enum XMLCharacter {
    /// The use of an ASCII byte in a name.
    enum NameRole {
        case none, start, later
        /// Part of a character of several bytes.
        case beyondASCII
    }

    static let nameRole: [NameRole] = (0..<256).map { byte in
        switch UInt8(byte) {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
            UInt8(ascii: ":"):
            .start
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."): .later
        case 0x80...: .beyondASCII
        default: .none
        }
    }

    static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x09 || byte == 0x0D
    }

    /// Refuses a document with a character that XML does not know.
    static func check(_ bytes: [UInt8]) throws(ArchiveError) {
        do throws(UTF8.ValidationError) {
            _ = try UTF8Span(validating: bytes.span)
        } catch {
            throw ArchiveError(.damaged, "this is not UTF-8", offset: error.byteOffsets.lowerBound)
        }
        for index in bytes.indices {
            let byte = bytes[index]
            if byte < 0x20 ? !isSpace(byte) : byte == 0xEF && isNoncharacter(at: index, in: bytes) {
                throw ArchiveError(.damaged, "XML does not allow this character", offset: index)
            }
        }
    }

    /// U+FFFE and U+FFFF.
    private static func isNoncharacter(at index: Int, in bytes: [UInt8]) -> Bool {
        index + 2 < bytes.count && bytes[index + 1] == 0xBF && bytes[index + 2] >= 0xBE
    }

    static func mayStand(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x9, 0xA, 0xD, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
        default: false
        }
    }

    static func isName(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first, startsName(first) else { return false }
        return text.unicodeScalars.allSatisfy { startsName($0) || continuesName($0) }
    }

    private static func startsName(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x3A, 0x5F, 0x41...0x5A, 0x61...0x7A, 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x2FF, 0x370...0x37D,
            0x37F...0x1FFF, 0x200C...0x200D, 0x2070...0x218F, 0x2C00...0x2FEF, 0x3001...0xD7FF, 0xF900...0xFDCF,
            0xFDF0...0xFFFD, 0x10000...0xEFFFF:
            true
        default: false
        }
    }

    private static func continuesName(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x2D, 0x2E, 0x30...0x39, 0xB7, 0x300...0x36F, 0x203F...0x2040: true
        default: false
        }
    }

    /// A text in which every line ends with `
    /// `, as XML demands of readers.
    static func withPlainLineEnds(_ bytes: ArraySlice<UInt8>) -> String {
        guard bytes.contains(0x0D) else { return String(decoding: bytes, as: UTF8.self) }
        var plain = [UInt8]()
        plain.reserveCapacity(bytes.count)
        for index in bytes.indices {
            if bytes[index] != 0x0D {
                plain.append(bytes[index])
            } else if index + 1 == bytes.endIndex || bytes[index + 1] != 0x0A {
                plain.append(0x0A)
            }
        }
        return String(decoding: plain, as: UTF8.self)
    }
}
