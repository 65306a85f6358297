/// The writing that a letter belongs to, by the first words of its name in Unicode.
///
/// So it needs no table of its own: a script that Unicode adds is one of its own here.
enum LetterScript: Hashable {
    case latin
    /// What is written together in East Asia, also with Latin letters.
    case eastAsian
    /// Latin letters and digits as wide as those of East Asia.
    case wide
    case other(String)

    /// - Parameter scalar: where it belongs to all scripts, as digits and accents do, nil is the answer
    init?(_ scalar: Unicode.Scalar) {
        if scalar.isASCII {
            guard scalar.properties.isAlphabetic else { return nil }
            self = .latin
            return
        }
        guard let name = scalar.properties.name, Self.isWritten(scalar, name) else { return nil }
        let words = name.split(separator: " ", maxSplits: 3)
        switch words[0] {
        case "COMBINING", "VARIATION", "VEDIC", "MICRO", "FEMININE", "MASCULINE": return nil
        // An apostrophe of Hawaii or the Ukraine, or a small letter that is raised.
        case "MODIFIER" where !name.contains(" SMALL ") && !name.contains(" CAPITAL "): return nil
        case "LATIN" where name.hasPrefix("LATIN LETTER SMALL CAPITAL"): self = .other("SMALL CAPITAL")
        case "LATIN": self = .latin
        case "CJK", "IDEOGRAPHIC", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "HENTAIGANA",
            "HANGUL", "HALFWIDTH", "BOPOMOFO", "VERTICAL":
            self = .eastAsian
        case "FULLWIDTH": self = .wide
        case "ARABIC-INDIC", "EXTENDED": self = .other("ARABIC")
        case "OLD": self = .other(words.prefix(2).joined(separator: " "))
        default: self = .other(String(words[0]))
        }
    }

    /// Letters and marks, and signs that are a Latin letter in a ring or a square.
    private static func isWritten(_ scalar: Unicode.Scalar, _ name: String) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
            .nonspacingMark, .spacingMark, .enclosingMark, .decimalNumber, .letterNumber:
            true
        case .otherSymbol: name.contains("LATIN ")
        default: false
        }
    }

    /// What of a word is in another script than the rest of it.
    ///
    /// Most of its letters decide which one is the word's own; where as many are Latin, that does.
    static func strangers(in word: [LetterScript?]) -> [Int] {
        let counts = word.compactMap(\.self).reduce(into: [:]) { $0[$1, default: 0] += 1 }
        guard counts.count > 1 else { return [] }
        let own: Set<LetterScript>
        if counts[.eastAsian] != nil {
            own = [.eastAsian, counts[.latin] != nil ? .latin : .wide]
        } else {
            let most = counts.values.max() ?? 0
            let first = word.compactMap(\.self).first { counts[$0] == most }
            own = counts[.latin] == most ? [.latin] : Set([first].compactMap(\.self))
        }
        return word.indices.filter { index in word[index].map { !own.contains($0) } ?? false }
    }
}
