/// Numbers in texts, read without rounding integers and without losing reals.
enum NumberText {
    /// The reason why a correctly spelled number is refused.
    enum Fault: Error {
        case integerOutOfRange
        case realTooLarge
        case realTooSmall

        var words: String {
            switch self {
            case .integerOutOfRange: "an integer beyond 64 bits can't be kept exactly"
            case .realTooLarge: "this number is larger than any that can be kept"
            case .realTooSmall: "this number is so small that only 0 would be left of it"
            }
        }
    }

    /// Decimal digits, with or without `-` or `+` before them.
    static func integer(_ literal: ArraySlice<UInt8>) throws(Fault) -> ArchiveInteger {
        let hasSign = literal.first == UInt8(ascii: "-") || literal.first == UInt8(ascii: "+")
        let digits = hasSign ? literal.dropFirst() : literal
        return try integer(isNegative: literal.first == UInt8(ascii: "-"), digits: digits, radix: 10)
    }

    /// Digits of a base up to 16, and no other characters.
    static func integer(
        isNegative: Bool,
        digits: ArraySlice<UInt8>,
        radix: UInt64
    ) throws(Fault) -> ArchiveInteger {
        var magnitude: UInt64 = 0
        for digit in digits {
            let value = UInt64(HexadecimalDigit.value(of: digit) ?? 0)
            let (product, productOverflows) = magnitude.multipliedReportingOverflow(by: radix)
            let (sum, sumOverflows) = product.addingReportingOverflow(value)
            guard !productOverflows, !sumOverflows else { throw .integerOutOfRange }
            magnitude = sum
        }
        guard isNegative else { return ArchiveInteger(magnitude) }
        guard magnitude <= Int.min.magnitude else { throw .integerOutOfRange }
        return ArchiveInteger(Int(truncatingIfNeeded: 0 &- magnitude))
    }

    /// Digits with a fraction, an exponent, both or neither, spelled as in Swift.
    static func real(_ literal: ArraySlice<UInt8>) throws(Fault) -> ArchiveReal {
        // The spelling was checked, so only the size can be wrong.
        guard let number = Double(String(decoding: literal, as: UTF8.self)), let real = ArchiveReal(number) else {
            throw .realTooLarge
        }
        if number == 0, hasDigitOtherThanZero(literal) { throw .realTooSmall }
        return real
    }

    private static func hasDigitOtherThanZero(_ literal: ArraySlice<UInt8>) -> Bool {
        literal.prefix { $0 | 0x20 != UInt8(ascii: "e") }.contains {
            (UInt8(ascii: "1")...UInt8(ascii: "9")).contains($0)
        }
    }
}
