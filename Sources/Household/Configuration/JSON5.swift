/// Converts JSON5 to plain JSON: comments, keys without quotes, single quotes, and commas behind the last value. The
/// reader of JSON judges all else. Line numbers stay the same, so that an error has the line of the original.
struct JSON5 {
    private let text: [UInt8]
    private var index = 0
    private var plain: [UInt8] = []
    /// A comma that counts only if a value follows.
    private var hasComma = false

    private init(_ text: [UInt8]) {
        self.text = text
        plain.reserveCapacity(text.count + 64)
    }

    static func plain(_ text: [UInt8]) -> [UInt8] {
        var reader = JSON5(text)
        return reader.read()
    }

    private mutating func read() -> [UInt8] {
        while index < text.count {
            let byte = text[index]
            switch byte {
            case UInt8(ascii: "/") where isNext("/"): skipLine()
            case UInt8(ascii: "/") where isNext("*"): skipComment()
            case UInt8(ascii: ","):
                hasComma = true
                index += 1
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                settleComma()
                copyString(endingWith: byte)
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                hasComma = false
                copyByte()
            case 0x20, 0x09, 0x0A, 0x0D: copyByte()
            case _ where Self.isLetter(byte):
                settleComma()
                copyWord()
            default:
                settleComma()
                copyByte()
            }
        }
        settleComma()
        return plain
    }

    private mutating func copyByte() {
        plain.append(text[index])
        index += 1
    }

    private mutating func settleComma() {
        if hasComma { plain.append(UInt8(ascii: ",")) }
        hasComma = false
    }

    private func isNext(_ character: UnicodeScalar) -> Bool {
        index + 1 < text.count && text[index + 1] == UInt8(ascii: character)
    }

    private mutating func skipLine() {
        while index < text.count, text[index] != UInt8(ascii: "\n") { index += 1 }
    }

    private mutating func skipComment() {
        index += 2
        while index < text.count {
            if text[index] == UInt8(ascii: "*"), isNext("/") {
                index += 2
                return
            }
            if text[index] == UInt8(ascii: "\n") { plain.append(text[index]) }
            index += 1
        }
    }

    private mutating func copyString(endingWith quote: UInt8) {
        plain.append(UInt8(ascii: "\""))
        index += 1
        while index < text.count {
            let byte = text[index]
            index += 1
            if byte == quote { break }
            switch byte {
            case UInt8(ascii: "\\") where index < text.count && text[index] == UInt8(ascii: "'"):
                plain.append(UInt8(ascii: "'"))
                index += 1
            case UInt8(ascii: "\\") where index < text.count:
                plain += [byte, text[index]]
                index += 1
            case UInt8(ascii: "\""): plain += [UInt8(ascii: "\\"), byte]
            default: plain.append(byte)
            }
        }
        plain.append(UInt8(ascii: "\""))
    }

    /// Copies a word. If a colon follows, it is a key; otherwise it is true, false, null or a mistake.
    private mutating func copyWord() {
        let start = index
        while index < text.count, Self.isLetter(text[index]) || (0x30...0x39).contains(text[index]) { index += 1 }
        let word = text[start..<index]
        let isKey = text[index...].first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } == UInt8(ascii: ":")
        let quote: [UInt8] = isKey ? [UInt8(ascii: "\"")] : []
        plain += quote + word + quote
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == UInt8(ascii: "_")
            || byte == UInt8(ascii: "$")
    }
}
