/// Titles in the forms that comparisons and typing need.
enum GameTitle {
    /// The letters and digits alone, in lower case.
    static func bare(_ title: String) -> String {
        var bare = String.UnicodeScalarView()
        for scalar in title.unicodeScalars {
            if scalar.isASCII {
                switch scalar {
                case "a"..."z", "0"..."9": bare.append(scalar)
                case "A"..."Z": bare.append(Unicode.Scalar(UInt8(ascii: scalar) | 0x20))
                default: break
                }
            } else if scalar.properties.isAlphabetic || scalar.properties.numericType != nil {
                bare.append(contentsOf: scalar.properties.lowercaseMapping.unicodeScalars)
            }
        }
        // A title of marks alone, such as “!!!”, keeps them.
        return bare.isEmpty ? title : String(bare)
    }

    /// A short name that can be typed, such as `hollow-knight`.
    static func shortName(_ title: String) -> String {
        var words: [String] = []
        var word = ""
        for scalar in title.unicodeScalars {
            if let letters = letters(scalar) {
                word += letters
            } else if scalar != "'" && scalar != "’" && !word.isEmpty {
                words.append(word)
                word = ""
            }
        }
        if !word.isEmpty { words.append(word) }
        var name = ""
        for word in words {
            let longer = name.isEmpty ? word : "\(name)-\(word)"
            guard longer.utf8.count <= longestName else { break }
            name = longer
        }
        if name.isEmpty, let first = words.first { name = String(first.prefix(longestName)) }
        return name.isEmpty ? "game-\(mark(of: title))" : name
    }

    /// Six letters and digits that distinguish two titles with the same short name.
    static func mark(of title: String) -> String {
        let digits = String(StableDigest.of(title) & 0xFF_FFFF, radix: 16)
        return String(repeating: "0", count: max(0, 6 - digits.count)) + digits
    }

    private static let longestName = 40

    private static func letters(_ scalar: Unicode.Scalar) -> String? {
        switch scalar {
        case "a"..."z", "0"..."9": return String(scalar)
        case "A"..."Z": return String(Unicode.Scalar(UInt8(ascii: scalar) | 0x20))
        case "&": return nil
        default: return folded[scalar]
        }
    }

    private static let folded: [Unicode.Scalar: String] = {
        var table: [Unicode.Scalar: String] = [:]
        let rows = [
            ("aàáâãäåāăą", "a"), ("cçćĉċč", "c"), ("dďđð", "d"), ("eèéêëēĕėęě", "e"), ("gĝğġģ", "g"),
            ("iìíîïīĭįı", "i"),
            ("lĺļľł", "l"), ("nñńņňŋ", "n"), ("oòóôõöøōŏő", "o"), ("rŕŗř", "r"), ("sśŝşš", "s"), ("tţťŧ", "t"),
            ("uùúûüūŭůűų", "u"), ("yýÿ", "y"), ("zźżž", "z"),
        ]
        for (letters, plain) in rows {
            for scalar in letters.unicodeScalars {
                table[scalar] = plain
                let upper = scalar.properties.uppercaseMapping.unicodeScalars
                if upper.count == 1, let upper = upper.first { table[upper] = plain }
            }
        }
        for (letter, plain) in [
            ("æ", "ae"), ("Æ", "ae"), ("œ", "oe"), ("Œ", "oe"), ("ß", "ss"), ("²", "2"), ("³", "3"),
        ] {
            if let scalar = letter.unicodeScalars.first { table[scalar] = plain }
        }
        return table
    }()
}
