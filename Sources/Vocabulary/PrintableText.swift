/// Text from outside, made fit for a terminal, a log or a page: whatever could move the cursor, change colours, turn the
/// direction of reading or hide is written as an escape.
///
/// A backslash is doubled, so that two different texts never look the same.
public struct PrintableText: Hashable, Sendable, CustomStringConvertible {
    /// The text, safe to print.
    public let description: String

    /// - Parameters:
    ///   - text: what came from outside
    ///   - limit: how many characters to show at the most; what is cut is shown as `…`
    public init(_ text: String, limit: Int = 255) {
        self.init(scalars: text.unicodeScalars, limit: limit)
    }

    /// Bytes that ought to be UTF-8; those that are not appear as `\xNN`.
    public init(bytes: some Collection<UInt8>, limit: Int = 255) {
        var rest = Array(bytes)[...]
        var shown = Escaper(limit: limit)
        while let first = rest.first, !shown.isFull {
            let length = Self.sequenceLength(startingWith: first)
            if let text = String(validating: rest.prefix(length), as: UTF8.self), let scalar = text.unicodeScalars.first
            {
                shown.append(scalar)
                rest = rest.dropFirst(length)
            } else {
                shown.append(invalid: first)
                rest = rest.dropFirst()
            }
        }
        description = shown.text
    }

    private static func sequenceLength(startingWith byte: UInt8) -> Int {
        switch byte {
        case ..<0xC0: 1
        case ..<0xE0: 2
        case ..<0xF0: 3
        default: 4
        }
    }

    private init(scalars: some Sequence<Unicode.Scalar>, limit: Int) {
        var shown = Escaper(limit: limit)
        for scalar in scalars where !shown.isFull {
            shown.append(scalar)
        }
        description = shown.text
    }

    /// Whether a scalar may reach a terminal as it is.
    static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .surrogate, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned:
            false
        case .format:
            // The two joiners shape emoji and Indic and Persian writing; every other format character can mislead.
            scalar == "\u{200C}" || scalar == "\u{200D}"
        default:
            true
        }
    }
}

extension PrintableText {
    private struct Escaper {
        private(set) var text = ""
        private(set) var isFull = false
        private var room: Int

        init(limit: Int) {
            room = limit
        }

        mutating func append(_ scalar: Unicode.Scalar) {
            guard take(1) else { return }
            if scalar == "\\" {
                text += "\\\\"
            } else if PrintableText.isHarmless(scalar) {
                text.unicodeScalars.append(scalar)
            } else {
                text += "\\u{\(String(scalar.value, radix: 16))}"
            }
        }

        mutating func append(invalid byte: UInt8) {
            guard take(1) else { return }
            text += (byte < 0x10 ? "\\x0" : "\\x") + String(byte, radix: 16)
        }

        private mutating func take(_ count: Int) -> Bool {
            guard room >= count else {
                text += "…"
                isFull = true
                return false
            }
            room -= count
            return true
        }
    }
}
