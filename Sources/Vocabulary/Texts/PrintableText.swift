/// Untrusted text, made safe for a terminal, a log or a page: characters that move the cursor, change colours, change
/// the direction of text or are invisible are escaped.
///
/// A backslash is doubled, so that two different texts never look the same. In prose it is not, as prose is read and
/// not compared.
public struct PrintableText: Hashable, Sendable, CustomStringConvertible {
    /// The safe text.
    public let description: String

    /// - Parameters:
    ///   - text: the untrusted text
    ///   - limit: maximum number of characters; the cut is shown as `…`
    public init(_ text: String, limit: Int = 255) {
        self.init(scalars: text.unicodeScalars, Escaper(limit: limit))
    }

    /// Prose, or a sentence with names that are safe already. Backslashes stay, so it is not suitable for names, which
    /// must be distinguishable. All other escapes are the same.
    public init(prose text: String, limit: Int = 255) {
        self.init(scalars: text.unicodeScalars, Escaper(limit: limit, doublesBackslash: false))
    }

    /// A name of a machine, a session or a stream inside a sentence. Parts that imitate another name, an ID or the end
    /// of the name are escaped, too.
    public init(name text: String, limit: Int = 255) {
        let scalars = Array(text.unicodeScalars)
        let disguises = NameDisguise.positions(in: scalars)
        var shown = Escaper(limit: limit)
        for (index, scalar) in scalars.enumerated() where !shown.isFull {
            shown.append(scalar, isDisguise: disguises.contains(index))
        }
        description = shown.text
    }

    /// The escape of a character.
    static func escape(_ scalar: Unicode.Scalar) -> String { "\\u{\(String(scalar.value, radix: 16))}" }

    /// Makes bytes printable that should be UTF-8. Other bytes are written as `\xNN`.
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

    private init(scalars: some Sequence<Unicode.Scalar>, _ escaper: Escaper) {
        var shown = escaper
        for scalar in scalars where !shown.isFull {
            shown.append(scalar)
        }
        description = shown.text
    }

    /// True if a terminal may receive the scalar after any other.
    public static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .surrogate, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned, .format:
            false
        default:
            // Some letters and marks are never drawn either, such as the Hangul fillers.
            !scalar.properties.isDefaultIgnorableCodePoint
        }
    }

    /// The two joiners and the two variation selectors. They are invisible, but shape emoji and Indic and Persian
    /// writing, so they may follow a character beyond ASCII. After plain letters they could only hide something.
    private static func shapes(_ scalar: Unicode.Scalar, after previous: Unicode.Scalar?) -> Bool {
        guard let previous, !previous.isASCII else { return false }
        switch scalar {
        case "\u{200D}": return isHarmless(previous) || previous == "\u{FE0F}"
        case "\u{200C}", "\u{FE0E}", "\u{FE0F}": return isHarmless(previous)
        default: return false
        }
    }
}

extension PrintableText {
    private struct Escaper {
        private(set) var text = ""
        private(set) var isFull = false
        private var room: Int
        private let doublesBackslash: Bool
        private var previous: Unicode.Scalar?
        private var markCount = 0

        /// Maximum number of marks on a letter (Unicode Technical Standard 39, section 5.4).
        private static let mostMarks = 4

        init(limit: Int, doublesBackslash: Bool = true) {
            room = limit
            self.doublesBackslash = doublesBackslash
        }

        mutating func append(_ scalar: Unicode.Scalar, isDisguise: Bool = false) {
            guard take(1) else { return }
            defer { previous = scalar }
            if scalar == "\\", doublesBackslash {
                text += "\\\\"
            } else if isDisguise || piles(scalar) {
                text += PrintableText.escape(scalar)
            } else if PrintableText.isHarmless(scalar) || PrintableText.shapes(scalar, after: previous) {
                text.unicodeScalars.append(scalar)
            } else {
                text += PrintableText.escape(scalar)
            }
        }

        /// True for a mark that would be drawn over text before this one, over the same mark, or over too many.
        private mutating func piles(_ scalar: Unicode.Scalar) -> Bool {
            guard scalar.value >= 0x300, [.nonspacingMark, .enclosingMark].contains(scalar.properties.generalCategory)
            else {
                markCount = 0
                return false
            }
            markCount += 1
            return previous == nil || previous == scalar || markCount > Self.mostMarks
        }

        mutating func append(invalid byte: UInt8) {
            guard take(1) else { return }
            previous = nil
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
