/// Letters and digits that look alike, each with one that represents them.
///
/// The pairs are a part of `confusables.txt` of Unicode Technical Standard 39: letters that look like a Latin letter or
/// a digit in the fonts of a terminal. The Unicode names show variants of Latin letters, such as those in rings. The
/// table finds names that look alike. It need not be complete for a word of two scripts: ``LetterScript`` finds that.
enum LookalikeTable {
    /// The representative of a scalar: a Latin letter without case, a digit, or a sign.
    static func prototype(of scalar: Unicode.Scalar) -> Unicode.Scalar {
        let plain = known[scalar.value] ?? wide(scalar) ?? variant(scalar) ?? scalar
        switch plain {
        // These look alike in many fonts, as capitals or small letters.
        case "I", "i", "1", "|": return "l"
        case "O", "0": return "o"
        case "A"..."Z": return Unicode.Scalar(UInt8(plain.value) | 0x20)
        default: return plain
        }
    }

    /// The representative of a letter with accents: the letter, with its conspicuous accents.
    static func prototypes(of scalar: Unicode.Scalar) -> [Unicode.Scalar] {
        if isUnseen(mark: scalar) { return [] }
        if let letters = RomanNumeral.letters(of: scalar) { return letters.unicodeScalars.map(prototype) }
        guard !scalar.isASCII, known[scalar.value] == nil, let name = scalar.properties.name,
            name.hasPrefix("LATIN "), let split = name.firstRange(of: " WITH ")
        else { return [prototype(of: scalar)] }
        guard let letter = letter(endOf: name[..<split.lowerBound]) else { return [scalar] }
        var parts = [prototype(of: letter)]
        for accent in name[split.upperBound...].split(separator: " AND ") {
            if let mark = seenAccents[String(accent)] {
                parts.append(mark)
            } else if !unseenAccents.contains(String(accent)) {
                return [scalar]
            }
        }
        return parts
    }

    /// True for a mark below a letter, which an underline hides, or through or around it.
    private static func isUnseen(mark scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .enclosingMark: true
        case .nonspacingMark:
            isDecoration(scalar)
                || classesBelow.contains(scalar.properties.canonicalCombiningClass.rawValue)
        default: false
        }
    }

    private static let classesBelow: Set<UInt8> = [1, 202, 218, 220, 222, 233]

    /// True for a mark of no language: it goes through or around letters, is a letter above another, or is for
    /// formulas.
    static func isDecoration(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        // The frame of an emoji such as 1️⃣.
        case 0x20E3: false
        case 0x0334...0x0338, 0x035C...0x036F, 0x0488...0x0489, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF,
            0x20D0...0x20FF, 0xFE20...0xFE2F:
            true
        default: false
        }
    }

    /// A character with the width of a Chinese one.
    private static func wide(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        guard (0xFF01...0xFF5E).contains(scalar.value) else { return nil }
        return Unicode.Scalar(scalar.value - 0xFF01 + 0x21)
    }

    /// A Latin letter or a digit in another form: mathematical, in a ring, raised, or a small capital.
    private static func variant(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        guard !scalar.isASCII, let name = scalar.properties.name, !name.hasPrefix("COMBINING")
        else { return nil }
        let first = name.prefix { $0 != " " }
        guard name.contains("LATIN ") || variants.contains(String(first)) else { return nil }
        let number = scalar.properties.numericValue
        if let digit = number.flatMap({ UInt32(exactly: $0) }), digit <= 9 {
            return Unicode.Scalar(0x30 + digit)
        }
        return letter(endOf: name[...])
    }

    /// The letter at the end of a name such as “LATIN SMALL LETTER A”, a small one as a capital.
    private static func letter(endOf name: Substring) -> Unicode.Scalar? {
        let words = name.split(separator: " ").suffix(2)
        guard words.count == 2, let kind = words.first, let letter = words.last?.unicodeScalars,
            ["LETTER", "CAPITAL", "SMALL"].contains(kind), letter.count == 1
        else { return nil }
        return letter.first
    }

    private static let variants: Set = [
        "MATHEMATICAL", "DOUBLE-STRUCK", "SCRIPT", "BLACK-LETTER", "MODIFIER", "CIRCLED",
        "SUPERSCRIPT", "SUBSCRIPT", "SEGMENTED", "OUTLINED",
    ]

    private static let seenAccents: [String: Unicode.Scalar] = [
        "GRAVE": "\u{300}", "ACUTE": "\u{301}", "CIRCUMFLEX": "\u{302}", "TILDE": "\u{303}",
        "MACRON": "\u{304}", "BREVE": "\u{306}", "DOT ABOVE": "\u{307}", "DIAERESIS": "\u{308}",
        "HOOK ABOVE": "\u{309}", "RING ABOVE": "\u{30A}", "DOUBLE ACUTE": "\u{30B}",
        "CARON": "\u{30C}", "DOUBLE GRAVE": "\u{30F}", "INVERTED BREVE": "\u{311}",
    ]

    private static let unseenAccents: Set = [
        "STROKE", "DIAGONAL STROKE", "OBLIQUE STROKE", "HIGH STROKE", "BAR", "TOPBAR",
        "MIDDLE TILDE", "BELT", "HOOK", "LEFT HOOK", "RIGHT HOOK", "PALATAL HOOK", "RETROFLEX HOOK",
        "FISHHOOK", "TAIL", "CROSSED-TAIL", "SWASH TAIL", "HOOK TAIL", "CURL", "DESCENDER",
        "LONG LEG", "HORN", "CEDILLA", "OGONEK", "DOT BELOW", "LINE BELOW", "DIAERESIS BELOW",
        "RING BELOW", "TILDE BELOW", "BREVE BELOW", "CIRCUMFLEX BELOW", "COMMA BELOW",
        "MACRON BELOW",
    ]

    private static let known: [UInt32: Unicode.Scalar] = {
        var known: [UInt32: Unicode.Scalar] = [:]
        for (prototype, lookalikes) in rareRows + rows {
            for value in lookalikes { known[value] = prototype }
        }
        return known
    }()

    /// Cyrillic U+04xx and U+05xx, Greek U+03xx, Armenian U+05xx, Latin U+01xx and U+02xx, signs U+20xx and U+21xx.
    private static let rows: [(Unicode.Scalar, [UInt32])] = [
        ("A", [0x0410, 0x0391]), ("a", [0x0430, 0x03B1, 0x0251]), ("B", [0x0412, 0x0392, 0x212C]),
        ("b", [0x042C, 0x044C, 0x0184]), ("C", [0x0421, 0x03F9, 0x216D, 0x2102, 0x212D]),
        ("c", [0x0441, 0x03F2, 0x217D]), ("D", [0x00D0, 0x0189, 0x216E]), ("d", [0x0501, 0x217E]),
        ("E", [0x0415, 0x0395, 0x2130]), ("e", [0x0435, 0x212F, 0x0454]), ("F", [0x03DC, 0x2131]), ("f", [0x017F]),
        ("G", [0x050C]), ("g", [0x0261, 0x0581, 0x210A]), ("H", [0x041D, 0x0397, 0x210B, 0x210C, 0x210D]),
        ("h", [0x04BB, 0x0570, 0x210E]), ("I", [0x0406, 0x0399, 0x04C0, 0x2160, 0x2110, 0x2111]),
        ("i", [0x0456, 0x03B9, 0x0131, 0x0269, 0x2170]), ("J", [0x0408, 0x037F]), ("j", [0x0458, 0x03F3]),
        ("K", [0x041A, 0x039A, 0x212A]), ("k", [0x043A, 0x03BA]), ("L", [0x216C, 0x2112]),
        ("l", [0x04CF, 0x01C0, 0x217C, 0x2113, 0x2223]), ("M", [0x041C, 0x039C, 0x216F, 0x2133]), ("m", [0x217F]),
        ("N", [0x039D, 0x2115]), ("n", [0x0578, 0x03B7]), ("O", [0x041E, 0x039F, 0x0555]),
        ("o", [0x043E, 0x03BF, 0x03C3, 0x0585, 0x2134]), ("P", [0x0420, 0x03A1, 0x2119]), ("p", [0x0440, 0x03C1]),
        ("Q", [0x051A, 0x211A]), ("q", [0x051B, 0x0566]), ("R", [0x211B, 0x211C, 0x211D]), ("r", [0x0433]),
        ("S", [0x0405, 0x054F]), ("s", [0x0455]), ("T", [0x0422, 0x03A4]), ("t", [0x0442, 0x03C4]),
        ("U", [0x054D]), ("u", [0x03C5, 0x057D]), ("V", [0x0474, 0x2164]), ("v", [0x0475, 0x03BD, 0x2174]),
        ("W", [0x051C]), ("w", [0x051D, 0x0461, 0x03C9]), ("X", [0x0425, 0x03A7, 0x2169]),
        ("x", [0x0445, 0x03C7, 0x2179]), ("Y", [0x0423, 0x04AE, 0x03A5]), ("y", [0x0443, 0x04AF, 0x03B3]),
        ("Z", [0x0396, 0x2124]), ("3", [0x0417, 0x0437, 0x04E0]), ("6", [0x0431]), ("4", [0x0427]),
        ("-", [0x2010, 0x2011, 0x2012, 0x2013, 0x2014, 0x2015, 0x2212, 0x30FC]),
        ("'", [0x2018, 0x2019, 0x201B, 0x02BC, 0x0060, 0x00B4]),
    ]

    /// Letters of scripts that few users can read.
    private static let rareRows: [(Unicode.Scalar, [UInt32])] = [
        // Cherokee.
        ("4", [0x13CE]), ("6", [0x13EE]), ("A", [0x13AA]), ("B", [0x13F4]), ("C", [0x13DF]),
        ("D", [0x13A0]), ("E", [0x13AC]), ("G", [0x13C0, 0x13F3]), ("H", [0x13BB]), ("J", [0x13AB]),
        ("K", [0x13E6]), ("L", [0x13DE]), ("M", [0x13B7]), ("P", [0x13E2]), ("R", [0x13A1, 0x13D2]),
        ("S", [0x13D5, 0x13DA]), ("T", [0x13A2]), ("V", [0x13D9]), ("W", [0x13B3, 0x13D4]),
        ("Y", [0x13A9, 0x13BD]), ("Z", [0x13C3]), ("b", [0x13CF]), ("c", [0xABAF]), ("d", [0x13E7]),
        ("h", [0x13C2]), ("i", [0x13A5, 0xAB75]), ("r", [0xAB81]), ("s", [0xABAA]), ("v", [0xABA9]),
        ("w", [0xAB83]), ("z", [0xAB93]),
        // Lisu.
        ("A", [0xA4EE]), ("B", [0xA4D0]), ("C", [0xA4DA]), ("D", [0xA4D3]), ("E", [0xA4F0]),
        ("F", [0xA4DD]), ("G", [0xA4D6]), ("H", [0xA4E7]), ("J", [0xA4D9]), ("K", [0xA4D7]),
        ("L", [0xA4E1]), ("M", [0xA4DF]), ("N", [0xA4E0]), ("O", [0xA4F3]), ("P", [0xA4D1]),
        ("R", [0xA4E3]), ("S", [0xA4E2]), ("T", [0xA4D4]), ("U", [0xA4F4]), ("V", [0xA4E6]),
        ("W", [0xA4EA]), ("X", [0xA4EB]), ("Y", [0xA4EC]), ("Z", [0xA4DC]), ("d", [0xA4D2]),
        ("l", [0xA4F2]),
        // Coptic.
        ("2", [0x03E8]), ("3", [0x2CCC]), ("6", [0x2CD2]), ("9", [0x2CCA]), ("A", [0x2C80]),
        ("B", [0x2C82]), ("C", [0x2CA4]), ("E", [0x2C88]), ("H", [0x2C8E]), ("K", [0x2C94]),
        ("L", [0x2CD0]), ("M", [0x2C98]), ("N", [0x2C9A]), ("O", [0x2C9E]), ("P", [0x2CA2]),
        ("T", [0x2CA6]), ("X", [0x2CAC]), ("Y", [0x2CA8]), ("Z", [0x102F5]), ("a", [0x2C81]),
        ("c", [0x2CA5]), ("e", [0x2C89]), ("l", [0x2C92]), ("o", [0x2C9F]), ("p", [0x2CA3]),
        ("r", [0x2C85]),
        // Deseret.
        ("C", [0x10415]), ("L", [0x1041B]), ("O", [0x10404]), ("S", [0x10420]), ("c", [0x1043D]),
        ("o", [0x1042C]), ("s", [0x10448]),
        // Armenian.
        ("O", [0x0555]), ("S", [0x054F]), ("U", [0x054D]), ("f", [0x0584]), ("g", [0x0581]),
        ("h", [0x0570]), ("n", [0x0578, 0x057C]), ("o", [0x0585]), ("q", [0x0563, 0x0566]),
        ("u", [0x057D]), ("w", [0x0561]),
        // Georgian.
        ("o", [0x10FF]), ("y", [0x10E7]),
        // Canadian syllabics.
        ("2", [0x14BF]), ("A", [0x15C5]), ("B", [0x15F7]), ("D", [0x15DE, 0x15EA]), ("F", [0x15B4]),
        ("H", [0x157C]), ("J", [0x148D]), ("L", [0x14AA]), ("M", [0x15F0]), ("P", [0x146D]),
        ("R", [0x1587]), ("U", [0x144C]), ("V", [0x142F]), ("X", [0x166D]), ("b", [0x1472, 0x15AF]),
        ("d", [0x146F]), ("x", [0x1541, 0x157D, 0x166E]),
        // Runic.
        ("K", [0x16D5]), ("M", [0x16D6]), ("X", [0x16B7]), ("l", [0x16C1]),
        // Old Italic and other old scripts.
        ("8", [0x1031A]), ("B", [0x10301]), ("C", [0x10302]), ("M", [0x10311]), ("T", [0x10315]),
        ("X", [0x10317, 0x10322]), ("l", [0x10309, 0x10320]),
        // Tifinagh.
        ("E", [0x2D39]), ("O", [0x2D54]), ("Q", [0x2D55]), ("V", [0x2D38]), ("X", [0x2D5D]),
        ("l", [0x2D4F]),
        // Warang Citi.
        ("3", [0x118CA]), ("4", [0x118AF]), ("5", [0x118BB]), ("6", [0x118D5]), ("7", [0x118C6]),
        ("9", [0x118AC, 0x118CC, 0x118D6]), ("C", [0x118E9, 0x118F2]), ("E", [0x118A6, 0x118AE]),
        ("F", [0x118A2, 0x118C2]), ("L", [0x118A3, 0x118B2]), ("O", [0x118B5, 0x118E0]),
        ("T", [0x118BC]), ("U", [0x118B8]), ("V", [0x118A0]), ("W", [0x118E6, 0x118EF]),
        ("X", [0x118EC]), ("Y", [0x118A4]), ("Z", [0x118A9, 0x118E5]), ("i", [0x118C3]),
        ("o", [0x118C8, 0x118D7]), ("s", [0x118C1]), ("u", [0x118D8]), ("v", [0x118C0]),
        ("y", [0x118DC]), ("z", [0x118C4]),
        // Osage.
        ("7", [0x104D2]), ("O", [0x104C2]), ("R", [0x104B4]), ("U", [0x104CE]), ("o", [0x104EA]),
        ("u", [0x104F6]),
        // Lycian.
        ("B", [0x10282]), ("E", [0x10286]), ("F", [0x10287]), ("O", [0x10292]), ("P", [0x10295]),
        ("S", [0x10296]), ("T", [0x10297]), ("X", [0x10290]), ("l", [0x1028A]),
        // Carian.
        ("A", [0x102A0]), ("B", [0x102A1]), ("C", [0x102A2]), ("F", [0x102A5]), ("H", [0x102CF]),
        ("M", [0x102B0]), ("O", [0x102AB]), ("T", [0x102B1]), ("X", [0x102B4]), ("Y", [0x102B2]),
        // Elbasan.
        ("C", [0x1051C]), ("F", [0x10525]), ("K", [0x10518]), ("L", [0x10526]), ("N", [0x10513]),
        ("O", [0x10516]), ("V", [0x1051D]), ("X", [0x10527]),
        // Miao.
        ("3", [0x16F3B]), ("A", [0x16F40]), ("L", [0x16F16]), ("R", [0x16F35]), ("S", [0x16F3A]),
        ("T", [0x16F0A]), ("U", [0x16F42]), ("V", [0x16F08]), ("Y", [0x16F43]), ("l", [0x16F28]),
    ]
}
