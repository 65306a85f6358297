/// The letters of Apple's oldest coding calls for the type of a C value.
enum ScalarCode: String {
    case int8 = "c"
    case uint8 = "C"
    case int16 = "s"
    case uint16 = "S"
    case int32 = "i"
    case uint32 = "I"
    /// 32 bits, as in Foundation's own archives.
    case long = "l"
    case ulong = "L"
    case int64 = "q"
    case uint64 = "Q"
    case float = "f"
    case double = "d"
    case bool = "B"
    case object = "@"

    /// The size in bytes; nil for a type that is no number.
    var size: Int? {
        switch self {
        case .int8, .uint8, .bool: 1
        case .int16, .uint16: 2
        case .int32, .uint32, .long, .ulong, .float: 4
        case .int64, .uint64, .double: 8
        case .object: nil
        }
    }

    /// The letter as a number, as archives write it.
    var letter: UInt8 { rawValue.utf8.first ?? 0 }
}

/// The spelling of several values in the same calls: `[12i]`.
struct RowCode {
    let count: Int
    let element: String

    init(count: Int, element: String) {
        self.count = count
        self.element = element
    }

    init?(_ code: String) {
        let inner = code.dropFirst().dropLast()
        let digits = inner.prefix { $0.isASCII && $0.isNumber }
        guard code.hasPrefix("["), code.hasSuffix("]"), let count = Int(digits) else { return nil }
        self.count = count
        element = String(inner.dropFirst(digits.count))
    }
}
