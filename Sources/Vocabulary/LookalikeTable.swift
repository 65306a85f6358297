/// Letters and digits that look like others, each with the one that stands for all of them.
///
/// The pairs are a part of `confusables.txt` of Unicode Technical Standard 39: what of Cyrillic, Greek, Armenian and of letters for mathematics and wide
/// columns can be taken for a Latin letter or a digit in the fonts of a terminal. The table is small on purpose: what it has not is a letter of its own.
enum LookalikeTable {
    /// What a scalar looks like: a Latin letter without regard to case, a digit, or a sign.
    static func prototype(of scalar: Unicode.Scalar) -> Unicode.Scalar {
        let plain = known[scalar.value] ?? inRows(scalar) ?? scalar
        switch plain {
        // These can't be told apart in many fonts, in capitals or small letters.
        case "I", "i", "1", "|": return "l"
        case "O", "0": return "o"
        case "A"..."Z": return Unicode.Scalar(UInt8(plain.value) | 0x20)
        default: return plain
        }
    }

    /// Whether something of another script passes for a Latin letter or a digit.
    static func imitates(_ scalar: Unicode.Scalar) -> Bool {
        !scalar.isASCII && (known[scalar.value] ?? inRows(scalar)) != nil
    }

    /// Letters that come in rows of the alphabet.
    private static func inRows(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        switch scalar.value {
        // As wide as a Chinese character.
        case 0xFF01...0xFF5E: return Unicode.Scalar(scalar.value - 0xFF01 + 0x21)
        // For mathematics: bold, italic, script and so on, capitals and small letters in turn; then digits.
        case 0x1D400...0x1D6A3:
            let place = (scalar.value - 0x1D400) % 52
            return Unicode.Scalar(place < 26 ? 0x41 + place : 0x61 + place - 26)
        case 0x1D7CE...0x1D7FF: return Unicode.Scalar(0x30 + (scalar.value - 0x1D7CE) % 10)
        default: return nil
        }
    }

    private static let known: [UInt32: Unicode.Scalar] = {
        var known: [UInt32: Unicode.Scalar] = [:]
        for (prototype, lookalikes) in rows { for value in lookalikes { known[value] = prototype } }
        return known
    }()

    /// Cyrillic U+04xx and U+05xx, Greek U+03xx, Armenian U+05xx, Latin U+01xx and U+02xx, signs U+20xx and U+21xx.
    private static let rows: [(Unicode.Scalar, [UInt32])] = [
        ("A", [0x0410, 0x0391]), ("a", [0x0430, 0x03B1, 0x0251]), ("B", [0x0412, 0x0392, 0x212C]),
        ("b", [0x042C, 0x044C, 0x0184]), ("C", [0x0421, 0x03F9, 0x216D, 0x2102, 0x212D]),
        ("c", [0x0441, 0x03F2, 0x217D]), ("D", [0x216E]), ("d", [0x0501, 0x217E]),
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
}
