/// A text with its width on a terminal: East Asian letters take two columns, and accents none.
struct ColumnText {
    let text: String
    /// The number of columns that the text takes.
    let width: Int

    init(_ text: String) {
        self.text = text
        width = text.reduce(0) { $0 + Self.width(of: $1) }
    }

    /// Cuts the text to at most so many columns, with an ellipsis if it is longer.
    static func cut(_ text: String, to columns: Int) -> String {
        // Most lines are short, so no letters are counted for them: a save can have a million lines.
        guard text.utf8.count > columns else { return text }
        let text = ColumnText(text)
        return text.width > columns ? text.fitted(to: columns) : text.text
    }

    /// Returns the text in exactly so many columns: cut with an ellipsis, or filled with spaces on one side.
    func fitted(to columns: Int, fromTheRight: Bool = false) -> String {
        guard width > columns else {
            let padding = String(repeating: " ", count: columns - width)
            return fromTheRight ? padding + text : text + padding
        }
        var (kept, taken) = ("", 0)
        for letter in text {
            guard taken + Self.width(of: letter) < columns else { break }
            kept.append(letter)
            taken += Self.width(of: letter)
        }
        return kept + "…" + String(repeating: " ", count: max(columns - taken - 1, 0))
    }

    private static func width(of letter: Character) -> Int {
        guard let scalar = letter.unicodeScalars.first else { return 0 }
        if scalar.isASCII { return 1 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: return wide.contains { $0.contains(scalar.value) } ? 2 : 1
        }
    }

    /// The ranges of Hangul, Chinese and Japanese letters, full-width forms and pictures.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
        0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD,
    ]
}
