/// Puts text into lines of a given width.
package enum TextLayout {
    /// Paragraphs part at blank lines. An indented line stays as it is.
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

    /// One paragraph of a text.
    enum Paragraph: Hashable {
        case flowing(String)
        case asItStands(String)
    }

    /// The text in lines, paragraphs with a blank line between them.
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

    /// A word longer than the width gets a line to itself.
    ///
    /// - Parameter margin: what each line but the first begins with
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

    /// Lines as they are, but for those that are too long: these go on below, set in a little more, or below their second column.
    ///
    /// A code and a command in backticks stay on one line if that is wide enough. A line that is a command to copy stays as it is.
    package static func folded(_ text: String, width: Int) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            line.count > width ? LongLine(line).folded(width: width) : String(line)
        }.joined(separator: "\n")
    }

    /// Two columns, the right one wrapped. A left side that is too wide has a line to itself, and so has each where the
    /// right column would be too narrow to read.
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
    /// A phrase as a sentence: with a capital and a full stop.
    var asSentence: String {
        guard let first else { return self }
        let end = last?.isPunctuation == true ? "" : "."
        return first.uppercased() + dropFirst() + end
    }
}
