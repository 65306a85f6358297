/// Numbers in texts, as games write them in formats that have only texts.
enum NumberInText {
    /// Parses a number; nil for a text that is no integer of 64 bits in decimal digits.
    static func whole(_ text: String) -> Int? {
        isNumber(text) ? Int(text) : nil
    }

    /// Parses a number; nil for a text that is no finite number in decimal digits.
    static func real(_ text: String) -> Double? {
        guard isNumber(text), let number = Double(text), number.isFinite else { return nil }
        return number
    }

    /// Returns the text of a number. It has a fraction only if the number does, or the old text did.
    static func text(of number: Double, like original: String) -> String {
        if !original.contains("."), let whole = Int(exactly: number) { return String(whole) }
        return String(number)
    }

    /// The largest length. It is longer than any number needs, and short enough to parse for each value of a large
    /// save.
    private static let longest = 64

    /// True for decimal digits. Swift also parses `0x1F` and `inf`, which no game means as numbers.
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
