extension ArchiveFormat {
    /// The format that the first bytes of a file show, as far as they can: a property list may turn out to be a keyed archive.
    ///
    /// What no reader here takes is refused in words, the old text form of property lists (“OpenStep”) among it: everything that is not another
    /// format would be taken for one, so programs that read it take any text.
    public init(sniffing bytes: [UInt8]) throws(ArchiveError) {
        if bytes.starts(with: Array("bplist".utf8)) {
            self = .binaryPropertyList
            return
        }
        try TextEncoding.refuseOthersThanUTF8(bytes, in: "a text")
        let text = bytes[TextEncoding.markByteCount(of: bytes)...].drop(while: XMLCharacter.isSpace)
        switch text.first {
        case UInt8(ascii: "<") where !Self.isOldText(text): self = Self.isPropertyList(text) ? .xmlPropertyList : .xml
        case nil: throw ArchiveError(.damaged, "there is nothing but space in it")
        case .some where Self.isOldText(text):
            throw ArchiveError(.notAllowed, "old property lists in plain text (OpenStep) are not read")
        case .some where Self.beginsJSON(Self.behindComments(text)): self = .json
        default: throw ArchiveError(.unknown, "it is no property list, no JSON and no XML")
        }
    }

    /// Whether a text takes two or four bytes for each character.
    static func isWide(_ beginning: [UInt8]) -> Bool {
        // Half a character at the end says nothing of those before it.
        (try? TextEncoding.refuseOthersThanUTF8(Array(beginning.dropLast(beginning.count % 2)), in: "a text")) == nil
    }

    /// Whether a file would be taken for a property list, in whatever encoding, as far as its beginning tells; nil where that is nothing but space,
    /// comments and the type of a document, or ends in the middle of a word.
    public static func isPropertyList(beginning bytes: [UInt8], isWhole: Bool) -> Bool? {
        // Room that was made for a file, or what a power cut left.
        if bytes.prefix(4).allSatisfy({ $0 == 0 }) { return false }
        if bytes.starts(with: Array("bplist".utf8)) { return true }
        // Of other encodings no more has to be understood than that.
        let marks: [[UInt8]] = [[0xEF, 0xBB, 0xBF], [0xFF, 0xFE], [0xFE, 0xFF]]
        let text = isWide(bytes) ? bytes.filter { $0 != 0 } : bytes
        let mark = marks.first { text.starts(with: $0) }?.count ?? 0
        let rest = behindPreamble(text[mark...].drop(while: XMLCharacter.isSpace))
        // Readers don't compare the name of a document type with that of the element behind it, and where the type ends only they know.
        let hasType = rest.starts(with: "<!DOCTYPE".utf8)
        if namesPropertyList(rest) || hasType && holds("<plist", rest) { return true }
        if isWhole { return false }
        let mayFollow = rest.count < 16 || hasType
        return mayFollow && rest.first ?? UInt8(ascii: "<") == UInt8(ascii: "<") ? nil : false
    }

    /// `( … )`, `{ key = value; }`, `"key" = "value";`, `<0fbd77 1c2735>`, each perhaps behind `/* … */`.
    private static func isOldText(_ whole: ArraySlice<UInt8>) -> Bool {
        let text = behindComments(whole)
        let rest = text.dropFirst().drop(while: XMLCharacter.isSpace)
        switch text.first {
        case UInt8(ascii: "("): return true
        case UInt8(ascii: "{"): return beginsAssignment(behindComments(rest))
        case UInt8(ascii: "\""): return beginsAssignment(text)
        case UInt8(ascii: "<"):
            let digits = rest.prefix { HexadecimalDigit.value(of: $0) != nil || XMLCharacter.isSpace($0) }
            return !digits.isEmpty && rest.dropFirst(digits.count).first == UInt8(ascii: ">")
                && digits.contains { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
                && !XMLCharacter.isName(String(decoding: digits, as: UTF8.self))
        default: return false
        }
    }

    /// `key =` or `"key" =`
    private static func beginsAssignment(_ text: ArraySlice<UInt8>) -> Bool {
        var behindKey = text
        if text.first == UInt8(ascii: "\"") {
            var isEscaped = false
            let key = text.dropFirst().prefix { byte in
                guard isEscaped || byte != UInt8(ascii: "\"") else { return false }
                isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
                return true
            }
            behindKey = text[key.endIndex...].dropFirst()
        } else {
            behindKey = text.drop { XMLCharacter.nameRole[Int($0)] != .none }
            guard behindKey.count < text.count else { return false }
        }
        return behindKey.drop(while: XMLCharacter.isSpace).first == UInt8(ascii: "=")
    }

    /// What follows after `/* … */` and `// …`, which old property lists have, and what some call JSON.
    private static func behindComments(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var rest = text
        while true {
            if rest.starts(with: "/*".utf8) {
                rest = after("*/", in: rest.dropFirst(2))
            } else if rest.starts(with: "//".utf8) {
                rest = rest.drop { $0 != UInt8(ascii: "\n") }
            } else {
                return rest
            }
            rest = rest.drop(while: XMLCharacter.isSpace)
        }
    }

    private static func beginsJSON(_ text: ArraySlice<UInt8>) -> Bool {
        switch text.first {
        case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\""), UInt8(ascii: "-"),
            .some(UInt8(ascii: "0")...UInt8(ascii: "9")):
            true
        case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"):
            ["true", "false", "null"].contains { $0.utf8.starts(with: text.prefix(5)) || text.starts(with: $0.utf8) }
        default: false
        }
    }

    /// Whether the document type or the first element has the name `plist`.
    private static func isPropertyList(_ text: ArraySlice<UInt8>) -> Bool { namesPropertyList(behindPreamble(text)) }

    /// What follows the declaration, instructions to programs, space and comments.
    private static func behindPreamble(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var rest = text
        while true {
            rest = rest.drop(while: XMLCharacter.isSpace)
            if rest.starts(with: "<!--".utf8) {
                rest = after("-->", in: rest.dropFirst(4))
            } else if rest.starts(with: "<?".utf8) {
                rest = after("?>", in: rest)
            } else {
                return rest
            }
        }
    }

    private static func namesPropertyList(_ rest: ArraySlice<UInt8>) -> Bool {
        for opening in ["<!DOCTYPE", "<"] where rest.starts(with: opening.utf8) {
            let name = rest.dropFirst(opening.utf8.count).drop(while: XMLCharacter.isSpace)
            guard name.starts(with: "plist".utf8), let next = name.dropFirst(5).first else { return false }
            return XMLCharacter.isSpace(next) || next == UInt8(ascii: ">") || next == UInt8(ascii: "/")
        }
        return false
    }

    private static func holds(_ words: StaticString, _ text: ArraySlice<UInt8>) -> Bool {
        !after(words, in: text).isEmpty
    }

    private static func after(_ end: StaticString, in text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let end = Array(end.description.utf8)
        var rest = text
        while let place = rest.firstIndex(of: end[0]) {
            rest = rest[place...]
            if rest.starts(with: end) { return rest.dropFirst(end.count) }
            rest = rest.dropFirst()
        }
        return []
    }
}
