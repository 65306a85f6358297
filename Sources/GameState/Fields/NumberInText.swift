/// Numbers in texts, as games write them in formats that know only texts: their values, and further texts in the same
/// style.
enum NumberInText {
    /// The number; nil for a text that is no whole number of 64 bits in decimal digits.
    static func whole(_ text: String) -> Int? {
        isNumber(text) ? Int(text) : nil
    }

    /// The number; nil for a text that is no finite number in decimal digits.
    static func real(_ text: String) -> Double? {
        guard isNumber(text), let number = Double(text), number.isFinite else { return nil }
        return number
    }

    /// The text of a number, without a fraction if there is none, unless the old text had one.
    static func text(of number: Double, like original: String) -> String {
        if !original.contains("."), let whole = Int(exactly: number) { return String(whole) }
        return String(number)
    }

    /// Longer than any number needs, and short enough to parse for each value of a large save.
    private static let longest = 64

    /// Swift also reads `0x1F` and `inf`, which no game means as numbers.
    private static func isNumber(_ text: String) -> Bool {
        (1...longest).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
                    UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
                    true
                default: false
                }
            }
    }
}
