/// 256 random bits with which a browser proves that it may use the page.
struct PageSecret: Hashable, Sendable {
    static let digitCount = 64

    /// The secret as 64 hexadecimal digits.
    let text: String

    /// Parses a secret that a browser sends; nil if it has another form.
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
