/// The script of a letter, from the first words of its Unicode name.
///
/// So it needs no table: a script that Unicode adds is recognised as another one.
enum LetterScript: Hashable {
    case latin
    /// Scripts that East Asian text mixes, also with Latin letters.
    case eastAsian
    /// Latin letters and digits with East Asian width.
    case wide
    case other(String)

    /// - Parameter scalar: a character; one of all scripts, such as a digit or an accent, gives nil
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
        // An apostrophe of Hawaiian or Ukrainian, or a raised small letter.
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

    /// True for letters and marks, and for signs with a Latin letter in a ring or a square.
    private static func isWritten(_ scalar: Unicode.Scalar, _ name: String) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
            .nonspacingMark, .spacingMark, .enclosingMark, .decimalNumber, .letterNumber:
            true
        case .otherSymbol: name.contains("LATIN ")
        default: false
        }
    }

    /// The positions of a word that have another script than the rest of it.
    ///
    /// The most frequent script is the word's own; in a tie, Latin is.
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
