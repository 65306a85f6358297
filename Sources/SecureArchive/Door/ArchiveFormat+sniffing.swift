extension ArchiveFormat {
    /// Finds the format from the first bytes of a file. A property list may turn out to be a keyed archive.
    ///
    /// A format that is not read here is refused by name. Among these is the old text form of property lists
    /// (“OpenStep”): programs that read it accept any text.
    public init(sniffing bytes: [UInt8]) throws(ArchiveError) {
        if bytes.starts(with: Array("bplist".utf8)) {
            self = .binaryPropertyList
            return
        }
        if let format = Self.xmlInUTF16(bytes) {
            self = format
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

    /// The format of XML in UTF-16; nil for everything else.
    private static func xmlInUTF16(_ bytes: [UInt8]) -> ArchiveFormat? {
        guard TextEncoding.utf16(bytes) != nil else { return nil }
        // The first bytes of markup are enough.
        let beginning = bytes.prefix(64 << 10).drop { $0 >= 0xFE }.filter { $0 != 0 }
        let text = beginning.drop(while: XMLCharacter.isSpace)
        guard text.first == UInt8(ascii: "<"), !isOldText(text) else { return nil }
        return isPropertyList(text) ? .xmlPropertyList : .xml
    }

    /// True if a text uses two or four bytes for each character.
    static func isWide(_ beginning: [UInt8]) -> Bool {
        // A half character at the end must not hide the encoding of the rest.
        (try? TextEncoding.refuseOthersThanUTF8(Array(beginning.dropLast(beginning.count % 2)), in: "a text")) == nil
    }

    /// True if readers would take a file for a property list, in any encoding, as far as its beginning shows.
    ///
    /// Nil if the beginning has only space, comments and a document type, or ends within a word. A file with the root
    /// of a list may still be a game's own XML: see ``Archive/plainList(_:limits:)``.
    public static func isPropertyList(beginning bytes: [UInt8], isWhole: Bool) -> Bool? {
        // A file that was preallocated, or zeros that a power cut left.
        if bytes.prefix(4).allSatisfy({ $0 == 0 }) { return false }
        if bytes.starts(with: Array("bplist".utf8)) { return true }
        // For other encodings their first bytes are enough.
        let marks: [[UInt8]] = [[0xEF, 0xBB, 0xBF], [0xFF, 0xFE], [0xFE, 0xFF]]
        let text = isWide(bytes) ? bytes.filter { $0 != 0 } : bytes
        let mark = marks.first { text.starts(with: $0) }?.count ?? 0
        let start = text[mark...].drop(while: XMLCharacter.isSpace)
        let rest = behindPreamble(start)
        // Readers don't compare the name of a document type with that of the element behind it. The type ends at the
        // first “>” unless it has definitions; then the rest can't be found without reading them.
        let hasType = rest.starts(with: "<!DOCTYPE".utf8)
        if namesPropertyList(rest) || hasListRoot(behindTypes(rest)) || isAllEscaped(start) { return true }
        let hidden = hasType ? ["plist"] + (hasDefinitions(rest) ? XMLPropertyList.bareRoots : []) : []
        if hidden.contains(where: { holds("<\($0)", rest) }) { return true }
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

    /// The text behind `/* … */` and `// …`, which old property lists have, and some files that are called JSON.
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

    /// True if the document type or the first element has the name `plist`.
    private static func isPropertyList(_ text: ArraySlice<UInt8>) -> Bool { namesPropertyList(behindPreamble(text)) }

    /// The text behind the declaration, processing instructions, space and comments.
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

    /// The same, and behind all document types: some readers skip any number of them.
    private static func behindTypes(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var rest = text
        while rest.starts(with: "<!DOCTYPE".utf8) { rest = behindPreamble(after(">", in: rest)) }
        return rest
    }

    private static func hasDefinitions(_ type: ArraySlice<UInt8>) -> Bool {
        type.first { $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "[") } == UInt8(ascii: "[")
    }

    private static func namesPropertyList(_ rest: ArraySlice<UInt8>) -> Bool {
        names("plist", rest, behind: rest.starts(with: "<!DOCTYPE".utf8) ? "<!DOCTYPE" : "<")
    }

    private static func hasListRoot(_ rest: ArraySlice<UInt8>) -> Bool {
        XMLPropertyList.bareRoots.contains { names($0, rest, behind: "<") }
    }

    private static func names(_ name: String, _ rest: ArraySlice<UInt8>, behind opening: String) -> Bool {
        guard rest.starts(with: opening.utf8) else { return false }
        let text = rest.dropFirst(opening.utf8.count).drop(while: XMLCharacter.isSpace)
        guard text.starts(with: name.utf8), let next = text.dropFirst(name.utf8.count).first else { return false }
        return XMLCharacter.isSpace(next) || next == UInt8(ascii: ">") || next == UInt8(ascii: "/")
    }

    /// True if a text says that it is in UTF-7, in which every “<” may be spelled with letters.
    private static func isAllEscaped(_ start: ArraySlice<UInt8>) -> Bool {
        guard start.starts(with: "<?xml".utf8) else { return false }
        let declaration = String(decoding: start.dropLast(after("?>", in: start).count), as: UTF8.self).lowercased()
        return declaration.contains("utf-7") || declaration.contains("utf7")
    }

    private static func holds(_ words: String, _ text: ArraySlice<UInt8>) -> Bool {
        !after(words, in: text).isEmpty
    }

    private static func after(_ end: String, in text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let end = Array(end.utf8)
        var rest = text
        while let place = rest.firstIndex(of: end[0]) {
            rest = rest[place...]
            if rest.starts(with: end) { return rest.dropFirst(end.count) }
            rest = rest.dropFirst()
        }
        return []
    }
}
