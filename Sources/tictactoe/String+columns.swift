/// Width of text on a terminal, where some letters take two columns.
extension String {
    var columns: Int { reduce(0) { $0 + $1.columns } }

    /// The beginning that fits.
    func prefix(columns limit: Int) -> String {
        var room = limit
        return String(
            prefix { character in
                room -= character.columns
                return room >= 0
            }
        )
    }

    /// The end that fits.
    func suffix(columns limit: Int) -> String {
        String(String(reversed()).prefix(columns: limit).reversed())
    }

    /// Shortened to fit. The end stays, as it distinguishes the entries of a list.
    func shortened(to limit: Int, keeping end: Int = 0) -> String {
        guard columns > limit else { return self }
        let tail = suffix(columns: min(end, limit - 1))
        return prefix(columns: limit - 1 - tail.columns) + "…" + tail
    }

    /// Wrapped between words. Further lines are indented, so that a text can't look like another line.
    func wrapped(to width: Int) -> [String] {
        guard columns > width else { return [self] }
        let indent = String(prefix { $0 == " " })
        let further = String(repeating: " ", count: min(indent.count + 2, width / 2))
        var (lines, line, isBlank) = ([String](), indent, true)
        func end() { (lines, line, isBlank) = (lines + [line], further, true) }
        for word in split(separator: " ") {
            if !isBlank, line.columns + 1 + String(word).columns > width { end() }
            var rest = String(word)
            if !isBlank { rest = " " + rest }
            while line.columns + rest.columns > width {
                // A word longer than a line.
                let head = String(rest.prefix(max(1, rest.prefix(columns: width - line.columns).count)))
                line += head
                rest.removeFirst(head.count)
                end()
            }
            line += rest
            isBlank = isBlank && rest.isEmpty
        }
        return isBlank ? lines : lines + [line]
    }
}

extension Character {
    /// Two for emoji and East Asian letters, otherwise one.
    fileprivate var columns: Int {
        let isEmoji = unicodeScalars.contains { $0.properties.isEmojiPresentation || $0 == "\u{FE0F}" }
        guard !isEmoji, let value = unicodeScalars.first?.value else { return 2 }
        return Self.wide.contains { $0.contains(value) } ? 2 : 1
    }

    /// The wide blocks of https://www.unicode.org/Public/UCD/latest/ucd/EastAsianWidth.txt.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF,
        0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD,
    ]
}
