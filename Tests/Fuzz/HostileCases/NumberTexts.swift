/// Texts that are numbers, nearly numbers, or far too long for numbers.
enum NumberTexts {
    private static let odd = [
        "0", "-0", "+7", "007", "1.0", "-1.50", "1e3", "1e308", "1e309", "-1e999", "1e-999", ".5", "5.", "0x1F", "inf",
        "-inf", "nan", "NaN", "Infinity", "1_000", "1,5", " 1", "1 ", "\t1", "1\n", "", "-", "+", "e", "1e", "1e+",
        "--1",
        "1.2.3", "٣", "１２", "9223372036854775807", "9223372036854775808", "-9223372036854775808",
        "-9223372036854775809", "18446744073709551615", "18446744073709551616", "4.9e-324", "2.2250738585072011e-308",
        "9007199254740993", "1\u{0}2", "1\u{202E}2", "½", "∞", "+∞", "-∞", "1e2147483648", "1e-2147483649",
    ]

    /// - Parameter longest: the count of characters in all but the odd texts
    static func text(_ dice: inout Dice, longest: Int = 1 << 20) -> String {
        switch dice.below(12) {
        case 0: String(repeating: dice.pick(["0", "9", "1", "-", ".", "e", "٣"]), count: dice.size(upTo: longest))
        case 1: "1" + String(repeating: "0", count: dice.size(upTo: 400)) + dice.pick(["", ".0", "e5"])
        case 2: "0." + String(repeating: "0", count: dice.size(upTo: 400)) + "1"
        case 3: String(Double(bitPattern: UInt64.random(in: 0 ... .max, using: &dice)))
        case 4: String(Int.random(in: .min ... .max, using: &dice))
        default: dice.pick(odd)
        }
    }
}
