extension XMLReader {
    /// Text and sections of character data up to the next tag or comment.
    mutating func readText() throws(ArchiveError) -> String {
        let start = position
        skipPlainText()
        if position >= bytes.count || isAtEndOfText {
            let end = position
            try limits.check(textBytes: end - start)
            return text(of: start..<end)
        }
        var changed: [UInt8]? = Array(bytes[start..<position])
        while position < bytes.count, !isAtEndOfText {
            try readChanging(into: &changed)
            let plain = position
            skipPlainText()
            changed?.append(contentsOf: bytes[plain..<position])
            try limits.check(textBytes: position - start)
        }
        return changed.map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    private var isAtEndOfText: Bool {
        bytes[position] == UInt8(ascii: "<") && !(follows(UInt8(ascii: "!")) && starts(with: "<![CDATA["))
    }

    private func follows(_ byte: UInt8) -> Bool {
        position + 1 < bytes.count && bytes[position + 1] == byte
    }

    /// Up to a byte that may mean something else than itself.
    private mutating func skipPlainText() {
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "<"), UInt8(ascii: "&"), UInt8(ascii: "]"), 0x0D: return
            default: position += 1
            }
        }
    }

    private mutating func readChanging(into changed: inout [UInt8]?) throws(ArchiveError) {
        switch bytes[position] {
        case UInt8(ascii: "&"): try readReference(into: &changed)
        case 0x0D:
            changed?.append(0x0A)
            position += starts(with: "\r\n") ? 2 : 1
        case UInt8(ascii: "]"):
            if starts(with: "]]>") { throw damaged("“]]>” has to be written as “]]&gt;” in a text") }
            changed?.append(UInt8(ascii: "]"))
            position += 1
        default: try readCharacterData(into: &changed)
        }
    }

    private mutating func readCharacterData(into changed: inout [UInt8]?) throws(ArchiveError) {
        let opening = position
        position += 9
        while position < bytes.count {
            let byte = bytes[position]
            if byte == UInt8(ascii: "]"), starts(with: "]]>") { break }
            changed?.append(byte == 0x0D ? 0x0A : byte)
            position += byte == 0x0D && starts(with: "\r\n") ? 2 : 1
            try limits.check(textBytes: position - opening)
        }
        guard skip("]]>") else {
            position = opening
            throw damaged("a section of character data does not end")
        }
    }

    /// `&lt;` and its like, `&#233;`, `&#xE9;`.
    mutating func readReference(into changed: inout [UInt8]?) throws(ArchiveError) {
        let start = position
        position += 1
        if skip("#") {
            guard let scalar = try readScalarNumber(), let utf8 = UTF8.encode(scalar) else {
                position = start
                throw damaged("there is no character of this number")
            }
            changed?.append(contentsOf: utf8)
            return
        }
        let name = try readName()
        guard skip(";") else { throw damaged("“;” has to stand after a reference") }
        let character: UInt8
        switch text(of: name) {
        case "lt": character = UInt8(ascii: "<")
        case "gt": character = UInt8(ascii: ">")
        case "amp": character = UInt8(ascii: "&")
        case "quot": character = UInt8(ascii: "\"")
        case "apos": character = UInt8(ascii: "'")
        default:
            position = start
            throw ArchiveError(.notAllowed, "entities are not read, except the five of XML itself", offset: start)
        }
        changed?.append(character)
    }

    /// The digits of a character's number and the semicolon; nil where no character has it.
    private mutating func readScalarNumber() throws(ArchiveError) -> Unicode.Scalar? {
        let radix: UInt32 = skip("x") ? 16 : 10
        let start = position
        var number: UInt32 = 0
        while position < bytes.count, let digit = HexadecimalDigit.value(of: bytes[position]), digit < radix {
            // Beyond the last character it stays there, however many digits follow.
            number = min(number * radix + UInt32(digit), 0x11_0000)
            position += 1
        }
        guard position > start, skip(";") else { throw damaged("this reference is not whole") }
        return Unicode.Scalar(number).flatMap { XMLCharacter.mayStand($0) ? $0 : nil }
    }

    mutating func readComment() throws(ArchiveError) -> String {
        let opening = position
        position += 4
        let start = position
        while position < bytes.count {
            if bytes[position] == UInt8(ascii: "-"), starts(with: "--") {
                let end = position
                guard skip("-->") else { throw damaged("“--” may not stand in a comment") }
                try limits.check(textBytes: end - start)
                return XMLCharacter.withPlainLineEnds(bytes[start..<end])
            }
            position += 1
        }
        position = opening
        throw damaged("a comment does not end")
    }
}
