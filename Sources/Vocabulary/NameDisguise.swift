/// What in a name would have a reader take it for something else: for another name, for the words around it, or for a name with its id.
enum NameDisguise {
    private enum Script {
        case latin, cyrillic, greek, armenian, styled

        init?(_ scalar: Unicode.Scalar) {
            switch scalar.value {
            case 0x41...0x5A, 0x61...0x7A, 0xC0...0x24F, 0x250...0x2AF, 0x1E00...0x1EFF: self = .latin
            case 0x370...0x3FF, 0x1F00...0x1FFF: self = .greek
            case 0x400...0x52F: self = .cyrillic
            case 0x531...0x58F: self = .armenian
            case 0x2100...0x2188, 0xFF21...0xFF5A, 0x1D400...0x1D7FF: self = .styled
            default: return nil
            }
        }
    }

    /// Where characters of a name are that deceive.
    static func positions(in name: [Unicode.Scalar]) -> Set<Int> {
        spaces(in: name).union(quotes(in: name)).union(mixedScripts(in: name)).union(ids(in: name))
    }

    /// Spaces that can't be seen: at an end, behind another, or of another kind.
    private static func spaces(in name: [Unicode.Scalar]) -> Set<Int> {
        let isSpace = name.map(\.properties.isWhitespace)
        let (first, last) = (isSpace.firstIndex(of: false) ?? name.count, isSpace.lastIndex(of: false) ?? -1)
        return Set(
            name.indices.filter { index in
                guard isSpace[index] else { return false }
                return name[index] != " " || index < first || index > last || isSpace[index - 1]
            }
        )
    }

    /// Those that sentences put around names.
    private static func quotes(in name: [Unicode.Scalar]) -> Set<Int> {
        Set(name.indices.filter { ["\u{201C}", "\u{201D}", "\u{201E}", "\u{201F}"].contains(name[$0]) })
    }

    /// Letters of another script in one word with those that they pass for.
    private static func mixedScripts(in name: [Unicode.Scalar]) -> Set<Int> {
        var found: Set<Int> = []
        for word in name.indices.split(whereSeparator: { !isOfWord(name[$0]) }) {
            let scripts = Set(word.compactMap { Script(name[$0]) })
            guard scripts.count > 1 else { continue }
            found.formUnion(word.filter { LookalikeTable.imitates(name[$0]) })
        }
        return found
    }

    private static func isOfWord(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
            .spacingMark, .enclosingMark, .decimalNumber, .letterNumber:
            true
        default: Script(scalar) != nil
        }
    }

    /// What looks like the short form of an id: in brackets as behind a name, or as the whole name.
    private static func ids(in name: [Unicode.Scalar]) -> Set<Int> {
        let plain = name.map(LookalikeTable.prototype)
        if isID(plain[...]) { return Set(plain.indices.filter { plain[$0] == "-" }) }
        return Set(
            plain.indices.filter { index in
                guard plain[index] == "(", let end = plain[index...].firstIndex(of: ")") else { return false }
                return isID(plain[(index + 1)..<end])
            }
        )
    }

    private static func isID(_ text: ArraySlice<Unicode.Scalar>) -> Bool {
        let groups = text.filter { !$0.properties.isWhitespace }.split(separator: "-", omittingEmptySubsequences: false)
        return groups.count > 1
            && groups.allSatisfy { group in
                group.count == 4 && group.allSatisfy { ("a"..."z").contains($0) || ("2"..."9").contains($0) }
            }
    }
}
