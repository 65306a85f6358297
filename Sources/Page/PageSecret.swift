/// 256 random bits that a browser shows to be let in.
struct PageSecret: Hashable, Sendable {
    static let digitCount = 64

    /// 64 hexadecimal digits.
    let text: String

    /// A secret as a browser sends it; nil if it has another form.
    init?(_ text: String) {
        guard text.utf8.count == Self.digitCount, text.utf8.allSatisfy(Self.isDigit) else { return nil }
        self.text = text
    }

    private init(digits: String) {
        text = digits
    }

    static func random() -> PageSecret {
        var generator = SystemRandomNumberGenerator()
        let words = (0..<4).map { _ in generator.next() as UInt64 }
        return PageSecret(
            digits: words.map { word in
                let digits = String(word, radix: 16)
                return String(repeating: "0", count: 16 - digits.count) + digits
            }.joined()
        )
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }
}
