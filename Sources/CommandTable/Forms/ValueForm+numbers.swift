public import Vocabulary

extension ValueForm where Value: FixedWidthInteger {
    /// A whole number within bounds.
    public static func integer(in range: ClosedRange<Value>) -> ValueForm {
        bounded("N", "a whole number", range)
    }

    fileprivate static func bounded(_ placeholder: String, _ kind: String, _ range: ClosedRange<Value>) -> ValueForm {
        let bounds = "from \(range.lowerBound) to \(range.upperBound)"
        let rule = "a whole number \(bounds)"
        return ValueForm(placeholder: placeholder, like: rule, write: { String($0) }) { text in
            guard text.first != "+", let number = Value(text) else {
                throw BadValue(text, isNot: kind, because: "it must be \(rule)", nextStep: "write \(rule)")
            }
            guard range.contains(number) else {
                let why = number < range.lowerBound ? "it is too small" : "it is too large"
                throw BadValue(text, isNot: "\(kind) \(bounds)", because: why, nextStep: "write \(rule)")
            }
            return number
        }
    }
}

extension ValueForm where Value == UInt16 {
    /// A port, 1 to 65535.
    public static var port: ValueForm { bounded("PORT", "a port", 1...UInt16.max) }
}

extension ValueForm where Value == ByteCount {
    /// A size: `64KiB`, `10MB`, or a bare number of bytes.
    ///
    /// Units with an `i` are multiples of 1024, and units without it are multiples of 1000. A lone `K` or `M` is
    /// refused, because programs disagree on its meaning.
    public static var byteCount: ValueForm {
        let forms = "512, 64KiB, 10MB or 1GiB"
        return ValueForm(placeholder: "SIZE", like: forms, write: \.description) { text in
            func refusal(_ reason: String) -> BadValue {
                BadValue(text, isNot: "a size", because: reason, nextStep: "write it like \(forms)")
            }
            let digits = text.prefix { $0.isASCII && $0.isWholeNumber }
            let unit = text.dropFirst(digits.count)
            guard !digits.isEmpty else { throw refusal("it must begin with a whole number") }
            guard let factor = SizeUnit.factors[String(unit)] else {
                throw refusal("“\(PrintableText(String(unit), limit: 20))” is not one of its units")
            }
            guard let number = UInt64(digits) else { throw refusal("it is too large") }
            let (bytes, isTooLarge) = number.multipliedReportingOverflow(by: factor)
            guard !isTooLarge else { throw refusal("it is too large") }
            return ByteCount(bytes)
        }
    }
}

private enum SizeUnit {
    static let factors: [String: UInt64] = [
        "": 1, "B": 1,
        "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40,
        "kB": 1000, "KB": 1000, "MB": 1_000_000, "GB": 1_000_000_000, "TB": 1_000_000_000_000,
    ]
}
