/// Lays out text for a given width.
package enum TextLayout {
    /// Splits a text into paragraphs at blank lines. Each indented line is a paragraph of its own, which stays as it
    /// is.
    static func paragraphs(_ text: String) -> [Paragraph] {
        var paragraphs: [Paragraph] = []
        var words: [Substring] = []
        func endParagraph() {
            if !words.isEmpty { paragraphs.append(.flowing(words.joined(separator: " "))) }
            words = []
        }
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.allSatisfy(\.isWhitespace) {
                endParagraph()
            } else if line.hasPrefix("  ") {
                endParagraph()
                paragraphs.append(.asItStands(String(line)))
            } else {
                words += line.split(separator: " ")
            }
        }
        endParagraph()
        return paragraphs
    }

    enum Paragraph: Hashable {
        case flowing(String)
        case asItStands(String)
    }

    /// Returns the lines of the text, with a blank line between paragraphs.
    static func lines(_ text: String, width: Int) -> [String] {
        var lines: [String] = []
        var last: Paragraph?
        for paragraph in paragraphs(text) {
            switch (last, paragraph) {
            case (nil, _), (.asItStands, .asItStands): break
            default: lines.append("")
            }
            switch paragraph {
            case .flowing(let text): lines += wrapped(text, width: width)
            case .asItStands(let line): lines.append(line)
            }
            last = paragraph
        }
        return lines
    }

    /// Wraps words into lines. A word longer than the width gets a line of its own.
    ///
    /// - Parameter margin: the indentation of all lines but the first
    package static func wrapped(_ text: String, width: Int, margin: String = "") -> [String] {
        var lines: [String] = []
        for word in text.split(separator: " ") {
            if let last = lines.last, last.count + 1 + word.count <= width {
                lines[lines.count - 1] += " \(word)"
            } else {
                lines.append((lines.isEmpty ? "" : margin) + word)
            }
        }
        return lines
    }

    /// Folds the long lines of a text. A continuation is indented further, or begins at the second column.
    ///
    /// A code stays on one line if the width allows, and so does a command in backticks. A line that is a command to
    /// copy stays as it is.
    package static func folded(_ text: String, width: Int) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            line.count > width ? LongLine(line).folded(width: width) : String(line)
        }.joined(separator: "\n")
    }

    /// Lays out two columns, the right one wrapped. An entry on the left that is too wide gets a line of its own. If
    /// the right column would be too narrow to read, each entry on the left gets a line of its own.
    static func columns(_ rows: [(left: String, right: String)], width: Int) -> [String] {
        let widest = rows.map(\.left.count).filter { $0 <= widestLeftColumn }.max() ?? 0
        let gap = width - (2 + widest + 2) < narrowestRightColumn ? 6 : 2 + widest + 2
        let room = gap - 4
        return rows.flatMap { row in
            let right = wrapped(row.right, width: width - gap)
            let margin = String(repeating: " ", count: gap)
            guard row.left.count <= room, let first = right.first else {
                return ["  \(row.left)"] + right.map { margin + $0 }
            }
            let padding = String(repeating: " ", count: room - row.left.count)
            return ["  \(row.left)\(padding)  \(first)"] + right.dropFirst().map { margin + $0 }
        }
    }

    private static let widestLeftColumn = 28
    private static let narrowestRightColumn = 24
}

extension String {
    /// The phrase as a sentence, with a capital and a full stop.
    var asSentence: String {
        guard let first else { return self }
        let end = last?.isPunctuation == true ? "" : "."
        return first.uppercased() + dropFirst() + end
    }
}
