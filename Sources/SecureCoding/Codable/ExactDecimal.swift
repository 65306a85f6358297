internal import Foundation

/// Decimal numbers as text, read only without loss.
enum ExactDecimal {
    /// Digits with a sign, a point and an exponent as `Decimal` writes them; nil for everything else, because
    /// Foundation would read a part and ignore the rest.
    static func number(_ text: String) -> Decimal? {
        guard text.utf8.count <= 200, isNumber(text[...]), let number = Decimal(string: text, locale: nil),
            number.isFinite, significantDigits(text) <= 38
        else { return nil }
        return number
    }

    private static func isNumber(_ text: Substring) -> Bool {
        var rest = text.utf8[...]
        if rest.first == UInt8(ascii: "-") { rest.removeFirst() }
        let whole = rest.prefix { isDigit($0) }
        rest.removeFirst(whole.count)
        guard !whole.isEmpty else { return false }
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            let fraction = rest.prefix { isDigit($0) }
            guard !fraction.isEmpty else { return false }
            rest.removeFirst(fraction.count)
        }
        return rest.isEmpty
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private static func significantDigits(_ text: String) -> Int {
        let digits = text.utf8.filter { isDigit($0) }
        return digits.drop { $0 == UInt8(ascii: "0") }.count
    }
}
