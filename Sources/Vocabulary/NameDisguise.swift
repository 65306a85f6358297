/// What in a name would have a reader take it for something else: for another name, for the words around it, or for a name with its id.
enum NameDisguise {
    /// Where characters of a name are that deceive.
    static func positions(in name: [Unicode.Scalar]) -> Set<Int> {
        let decorations = name.indices.filter { LookalikeTable.isDecoration(name[$0]) }
        return spaces(in: name).union(quotes(in: name)).union(mixedScripts(in: name))
            .union(ids(in: name)).union(decorations)
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

    /// Letters of another script than the rest of their word, whatever they look like.
    private static func mixedScripts(in name: [Unicode.Scalar]) -> Set<Int> {
        let scripts = name.map { LetterScript($0) }
        let words = name.indices.split { scripts[$0] == nil && !isOfWord(name[$0]) }
        return words.reduce(into: []) { found, word in
            let strangers = LetterScript.strangers(in: Array(scripts[word]))
            found.formUnion(strangers.map { word.startIndex + $0 })
        }
    }

    private static func isOfWord(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .modifierLetter, .lowercaseLetter, .otherLetter, .nonspacingMark, .enclosingMark,
            .decimalNumber:
            true
        default: false
        }
    }

    /// What looks like the short form of an id: as the whole name, or behind it in brackets or
    /// after a sign, as lists and sentences write it.
    private static func ids(in name: [Unicode.Scalar]) -> Set<Int> {
        let plain = name.map(LookalikeTable.prototype)
        if isID(plain[...]) { return Set(plain.indices.filter { plain[$0] == "-" }) }
        return Set(
            plain.indices.filter { index in
                let rest = plain[(index + 1)...]
                if isOpening(plain[index]) { return isID(rest.prefix { !isClosing($0) }) }
                guard isSeparator(at: index, of: plain) else { return false }
                return isID(rest.prefix { $0 != "." && !isClosing($0) })
            }
        )
    }

    private static func isOpening(_ scalar: Unicode.Scalar) -> Bool {
        let kind = scalar.properties.generalCategory
        return scalar == "<" || kind == .openPunctuation || kind == .initialPunctuation
    }

    private static func isClosing(_ scalar: Unicode.Scalar) -> Bool {
        let kind = scalar.properties.generalCategory
        return scalar == ">" || kind == .closePunctuation || kind == .finalPunctuation
    }

    /// A dash between letters is a part of a word.
    private static func isSeparator(at index: Int, of name: [Unicode.Scalar]) -> Bool {
        switch name[index].properties.generalCategory {
        case .dashPunctuation:
            [index - 1, index + 1].contains { index in
                name.indices.contains(index) && name[index].properties.isWhitespace
            }
        case .otherPunctuation, .mathSymbol, .otherSymbol, .currencySymbol, .modifierSymbol: true
        default: false
        }
    }

    private static func isID(_ text: ArraySlice<Unicode.Scalar>) -> Bool {
        let groups = text.filter { !$0.properties.isWhitespace }.split(separator: "-", omittingEmptySubsequences: false)
        return groups.count > 1
            && groups.allSatisfy { group in
                group.count == 4 && group.allSatisfy { ("a"..."z").contains($0) || ("2"..."9").contains($0) }
            }
    }
}
