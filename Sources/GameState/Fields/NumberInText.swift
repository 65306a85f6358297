/// Numbers that stand as texts, as games write them that know nothing else: what they say, and how
/// another is written in the same way.
enum NumberInText {
    /// Nil for what is no whole number of 64 bits in decimal digits.
    static func whole(_ text: String) -> Int? {
        isNumber(text) ? Int(text) : nil
    }

    /// Nil for what is no finite number in decimal digits.
    static func real(_ text: String) -> Double? {
        guard isNumber(text), let number = Double(text), number.isFinite else { return nil }
        return number
    }

    /// Without a fraction where there is none, unless the text that stood there had one.
    static func text(of number: Double, like original: String) -> String {
        if !original.contains("."), let whole = Int(exactly: number) { return String(whole) }
        return String(number)
    }

    /// Longer than any number needs, and short enough to be looked at for each value of a large
    /// save.
    private static let longest = 64

    /// Swift reads `0x1F` and `inf` too, which no game means by them.
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
