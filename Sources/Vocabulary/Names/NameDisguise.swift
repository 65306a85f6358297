/// Parts of a name that imitate something else: another name, the words around it, or a name with its ID.
enum NameDisguise {
    /// The positions of deceptive characters.
    static func positions(in name: [Unicode.Scalar]) -> Set<Int> {
        let decorations = name.indices.filter { LookalikeTable.isDecoration(name[$0]) }
        return spaces(in: name).union(quotes(in: name)).union(mixedScripts(in: name))
            .union(ids(in: name)).union(decorations)
    }

    /// Spaces that are invisible: at an end, after another space, or of a special kind.
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

    /// The quotation marks that messages use around names.
    private static func quotes(in name: [Unicode.Scalar]) -> Set<Int> {
        Set(name.indices.filter { ["\u{201C}", "\u{201D}", "\u{201E}", "\u{201F}"].contains(name[$0]) })
    }

    /// Letters of another script than the rest of their word, whatever they look like.
    private static func mixedScripts(in name: [Unicode.Scalar]) -> Set<Int> {
        let all = name.map { LetterScript($0) }
        let isEastAsian = all.contains(.eastAsian)
        let scripts = all.indices.map { index in
            // A keyboard of East Asia writes wide digits behind any letter, and Roman numerals are numbers.
            let isNumber = isEastAsian && isWideDigit(name[index]) || RomanNumeral.isNumber(at: index, of: name)
            return isNumber ? nil : all[index]
        }
        let words = name.indices.split { scripts[$0] == nil && !isOfWord(name[$0]) }
        return words.reduce(into: []) { found, word in
            let strangers = LetterScript.strangers(in: Array(scripts[word]))
            found.formUnion(strangers.map { word.startIndex + $0 })
        }
    }

    private static func isWideDigit(_ scalar: Unicode.Scalar) -> Bool { (0xFF10...0xFF19).contains(scalar.value) }

    private static func isOfWord(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .modifierLetter, .lowercaseLetter, .otherLetter, .nonspacingMark, .enclosingMark,
            .decimalNumber:
            true
        default: false
        }
    }

    /// Text that looks like the short form of an ID: as the whole name, or in brackets or after a sign, as lists and
    /// messages print it.
    private static func ids(in name: [Unicode.Scalar]) -> Set<Int> {
        let plain = name.map(LookalikeTable.prototype)
        if isID(plain[...], of: name, inBrackets: false) { return Set(plain.indices.filter { plain[$0] == "-" }) }
        return Set(
            plain.indices.filter { index in
                let rest = plain[(index + 1)...]
                if isOpening(plain[index]) {
                    return isID(rest.prefix { !isClosing($0) }, of: name, inBrackets: true)
                }
                guard isSeparator(at: index, of: plain) else { return false }
                return isID(rest.prefix { $0 != "." && !isClosing($0) }, of: name, inBrackets: false)
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

    /// True for a sign that separates parts. A dash separates only beside a space; between letters it is part of a
    /// word.
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

    /// True if a part of a name reads as an id.
    ///
    /// - Parameters:
    ///   - plain: the part, each letter as the one that it looks like
    ///   - name: the whole name as it is
    ///   - isInBrackets: true if the part is in brackets, as Huddle itself writes IDs behind names
    private static func isID(
        _ plain: ArraySlice<Unicode.Scalar>,
        of name: [Unicode.Scalar],
        inBrackets isInBrackets: Bool
    ) -> Bool {
        let places = plain.indices.filter { !plain[$0].properties.isWhitespace }
        let groups = places.split(omittingEmptySubsequences: false) { plain[$0] == "-" }
        guard groups.count > 1,
            groups.allSatisfy({ group in
                group.count == 4 && group.allSatisfy { isOfID(plain[$0]) }
            })
        else { return false }
        let written = groups.map { group in group.map { name[$0] } }
        if written.contains(where: isYear) { return false }
        return isInBrackets || !written.allSatisfy(isFirstName)
    }

    private static func isOfID(_ scalar: Unicode.Scalar) -> Bool {
        ("a"..."z").contains(scalar) || ("2"..."9").contains(scalar)
    }

    /// True for a year such as “2024” in “Deck-2024”.
    private static func isYear(_ group: [Unicode.Scalar]) -> Bool {
        ["19", "20"].contains(String(String.UnicodeScalarView(group.prefix(2))))
            && group.allSatisfy { ("0"..."9").contains($0) }
    }

    /// True for a half of a name such as “Anna-Lena”. IDs are in small letters, and hardly one in twenty can be read as
    /// two names.
    private static func isFirstName(_ group: [Unicode.Scalar]) -> Bool {
        guard let first = group.first, ("A"..."Z").contains(first) else { return false }
        let vowels: Set<Unicode.Scalar> = ["A", "E", "I", "O", "U", "Y", "a", "e", "i", "o", "u", "y"]
        return group.dropFirst().allSatisfy { ("a"..."z").contains($0) } && group.contains(where: vowels.contains)
    }
}
