/// Roman numerals that are one character each, as keyboards of East Asia write them: “PCⅡ”.
enum RomanNumeral {
    /// The letters of each numeral, from one to twelve.
    private static let letters = ["I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII"]

    /// The letters that a numeral looks like; nil for other characters.
    static func letters(of scalar: Unicode.Scalar) -> String? {
        switch scalar.value {
        case 0x2160...0x216B: letters[Int(scalar.value - 0x2160)]
        case 0x2170...0x217B: letters[Int(scalar.value - 0x2170)].lowercased()
        default: nil
        }
    }

    /// True if a character is a number before or behind a word, and not a letter in disguise.
    ///
    /// One that looks like a single letter, such as “Ⅴ”, is a number only behind capitals, digits and letters of East
    /// Asia: “PCⅠ” is a machine's number, and “Ⅴera” pretends to be “Vera”.
    static func isNumber(at index: Int, of name: [Unicode.Scalar]) -> Bool {
        guard let own = letters(of: name[index]) else { return false }
        let before = name[..<index].last { letters(of: $0) == nil }
        let after = name[(index + 1)...].first { letters(of: $0) == nil }
        let isFirst = before.map { !isLetter($0) } ?? true
        let isLast = after.map { !isLetter($0) } ?? true
        if own.count > 1 { return isFirst || isLast }
        guard isLast, name[index].value < 0x2170, let before else { return false }
        return LetterScript(before) == .eastAsian || before.properties.generalCategory == .decimalNumber
            || ("A"..."Z").contains(before)
    }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isAlphabetic }
}
