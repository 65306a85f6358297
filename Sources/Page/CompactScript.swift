/// A script without the spaces that separate nothing. Its texts, templates and patterns stay as they are.
///
/// It reads the page's own scripts, not all of JavaScript: there texts have single quotes, and comments have lines of
/// their own.
struct CompactScript {
    private(set) var bytes: [UInt8] = []
    private var rest: ArraySlice<UInt8>
    /// The number of braces that are open in each value of a template.
    private var values: [Int] = []

    init(_ source: [UInt8]) {
        rest = source[...]
        bytes.reserveCapacity(source.count)
        while let next = rest.first { takeNext(next) }
    }

    private mutating func takeNext(_ next: UInt8) {
        switch next {
        case Sign.quote: takeText()
        case Sign.backtick: takeTemplate()
        case Sign.closed where values.last == 0:
            values.removeLast()
            takeTemplate()
        case Sign.slash where beginsPattern: takePattern()
        case Sign.space where separatesNothing: rest.removeFirst()
        default:
            if let depth = values.last, next == Sign.opened || next == Sign.closed {
                values[values.count - 1] = next == Sign.opened ? depth + 1 : depth - 1
            }
            take(1)
        }
    }

    private mutating func take(_ count: Int) {
        bytes += rest.prefix(count)
        rest = rest.dropFirst(count)
    }

    /// Takes a sign, and the one that a backslash protects.
    private mutating func takeSign() -> UInt8? {
        guard let next = rest.first else { return nil }
        take(next == Sign.backslash ? 2 : 1)
        return next
    }

    private mutating func takeText() {
        take(1)
        while let next = takeSign(), next != Sign.quote {}
    }

    /// Takes the text of a template up to its end, or to its next value.
    private mutating func takeTemplate() {
        take(1)
        while !rest.isEmpty {
            if rest.starts(with: "${".utf8) {
                take(2)
                values.append(0)
                return
            }
            if takeSign() == Sign.backtick { return }
        }
    }

    private mutating func takePattern() {
        take(1)
        var isInSet = false
        while let next = takeSign() {
            if next == UInt8(ascii: "[") { isInSet = true }
            if next == UInt8(ascii: "]") { isInSet = false }
            if next == Sign.slash, !isInSet { return }
        }
    }

    /// True if a slash here divides nothing.
    private var beginsPattern: Bool {
        let before = bytes.reversed().drop { $0 == Sign.space }
        guard let last = before.first else { return true }
        return Sign.beforePatterns.contains(last) || before.starts(with: "return".utf8.reversed())
    }

    private var separatesNothing: Bool {
        let (before, after) = (bytes.last ?? Sign.lineEnd, rest.dropFirst().first ?? Sign.lineEnd)
        // `a + +b` would become `a++b`.
        if before == after, before == UInt8(ascii: "+") || before == UInt8(ascii: "-") { return false }
        return Sign.separating.contains(before) || Sign.separating.contains(after)
    }

    private enum Sign {
        static let (quote, backtick, slash, backslash) = (
            UInt8(ascii: "'"), UInt8(ascii: "`"), UInt8(ascii: "/"), UInt8(ascii: "\\")
        )
        static let (opened, closed, space, lineEnd) = (
            UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: " "), UInt8(ascii: "\n")
        )
        static let separating = Set("{}()[],;:=<>+-*/?&|!.%'`".utf8)
        static let beforePatterns = Set("(,=:[!&|?{};\n".utf8)
    }
}
