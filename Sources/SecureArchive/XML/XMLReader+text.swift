extension XMLReader {
    /// Text and CDATA sections up to the next tag or comment.
    mutating func readText(within budget: borrowing ReadingBudget) throws(ArchiveError) -> String {
        let start = position
        skipPlainText()
        let isPlain = position >= bytes.count || isAtEndOfText
        let length = (isPlain ? position : endOfText(from: position)) - start
        try limits.check(textBytes: length)
        // Once as a text, and before that as bytes if something in it changes.
        try budget.check(comingMemory: isPlain ? length : 2 * length)
        if isPlain { return text(of: start..<start + length) }
        var changed: [UInt8]? = beginning(from: start, reserving: length)
        while position < bytes.count, !isAtEndOfText {
            try readChanging(into: &changed)
            let plain = position
            skipPlainText()
            changed?.append(contentsOf: bytes[plain..<position])
        }
        return changed.map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// The bytes from a place up to here, with room for more.
    func beginning(from start: Int, reserving length: Int) -> [UInt8] {
        var copy: [UInt8] = []
        copy.reserveCapacity(length)
        copy += bytes[start..<position]
        return copy
    }

    /// The place of the next tag or comment, behind CDATA sections.
    private func endOfText(from start: Int) -> Int {
        var end = start
        while let angle = bytes[end...].firstIndex(of: UInt8(ascii: "<")) {
            guard bytes[angle...].starts(with: "<![CDATA[".utf8) else { return angle }
            // The earliest place of the section's “>”.
            end = min(angle + 11, bytes.count)
            while end < bytes.count, !isEndOfSection(end) { end += 1 }
        }
        return bytes.count
    }

    /// True for the last byte of “]]>”.
    private func isEndOfSection(_ place: Int) -> Bool {
        bytes[place] == UInt8(ascii: ">") && bytes[place - 1] == UInt8(ascii: "]")
            && bytes[place - 2] == UInt8(ascii: "]")
    }

    private var isAtEndOfText: Bool {
        bytes[position] == UInt8(ascii: "<") && !(follows(UInt8(ascii: "!")) && starts(with: "<![CDATA["))
    }

    private func follows(_ byte: UInt8) -> Bool {
        position + 1 < bytes.count && bytes[position + 1] == byte
    }

    /// Skips up to a byte with a meaning of its own.
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
            if starts(with: "]]>") { throw damaged("“]]>” must be written as “]]&gt;” in a text") }
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
        }
        guard skip("]]>") else {
            position = opening
            throw damaged("a section of character data does not end")
        }
    }

    /// Reads `&lt;` and its like, `&#233;`, `&#xE9;`.
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
        guard skip(";") else { throw damaged("“;” is expected after a reference") }
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

    /// The digits of a character's number and the semicolon; nil if there is no such character.
    private mutating func readScalarNumber() throws(ArchiveError) -> Unicode.Scalar? {
        let radix: UInt32 = skip("x") ? 16 : 10
        let start = position
        var number: UInt32 = 0
        while position < bytes.count, let digit = HexadecimalDigit.value(of: bytes[position]), digit < radix {
            // Beyond the last character the number stays there, with any further digits.
            number = min(number * radix + UInt32(digit), 0x11_0000)
            position += 1
        }
        guard position > start, skip(";") else { throw damaged("this reference is incomplete") }
        return Unicode.Scalar(number).flatMap { XMLCharacter.mayStand($0) ? $0 : nil }
    }

    mutating func readComment(within budget: borrowing ReadingBudget) throws(ArchiveError) -> String {
        let opening = position
        position += 4
        let start = position
        while position < bytes.count {
            if bytes[position] == UInt8(ascii: "-"), starts(with: "--") {
                let end = position
                guard skip("-->") else { throw damaged("“--” is not allowed in a comment") }
                try limits.check(textBytes: end - start)
                try budget.check(comingMemory: 2 * (end - start))
                return XMLCharacter.withPlainLineEnds(bytes[start..<end])
            }
            position += 1
        }
        position = opening
        throw damaged("a comment does not end")
    }
}
