/// A line that is too long for a terminal.
struct LongLine {
    /// A piece of text that stays on one line, and the number of spaces before it.
    private typealias Piece = (spaces: Int, text: String)

    private let line: Substring

    init(_ line: Substring) { self.line = line }

    /// Folds the line to the width. All lines but the first are indented.
    func folded(width: Int) -> String {
        let margin = line.prefix { $0 == " " }.count
        // A line with a command stays whole: the terminal wraps it, and still copies it as one line.
        guard !line.dropFirst(margin).hasPrefix("→") else { return String(line) }
        let column = secondColumn
        let hang = column <= width / 3 ? max(column, margin + 2) : margin + 2
        var (lines, last): ([String], String?) = ([], nil)
        for piece in pieces(upTo: width - hang) {
            if let begun = last, begun.count + piece.spaces + piece.text.count > width {
                lines.append(begun)
                last = String(repeating: " ", count: hang) + piece.text
            } else {
                last = (last ?? "") + String(repeating: " ", count: piece.spaces) + piece.text
            }
        }
        if let last { lines.append(last) }
        return lines.joined(separator: "\n")
    }

    /// The column at which the second column of a table begins; 0 if the line is no row of a table.
    private var secondColumn: Int {
        let margin = line.prefix { $0 == " " }.count
        var gap = 0
        for (place, character) in line.enumerated().dropFirst(margin) {
            if character == " " { gap += 1 } else if gap >= 2 { return place } else { gap = 0 }
        }
        return 0
    }

    /// Returns the words of the line. The halves of a code are one piece, and so is a command in backticks that fits
    /// into the width.
    private func pieces(upTo width: Int) -> [Piece] {
        var (pieces, spaces): ([Piece], Int) = ([], 0)
        for word in line.split(separator: " ", omittingEmptySubsequences: false) {
            guard !word.isEmpty else {
                spaces += 1
                continue
            }
            if let last = pieces.last, spaces == 1, Self.belong(last.text, word),
                last.text.count + 1 + word.count <= width
            {
                pieces[pieces.count - 1].text += " \(word)"
            } else {
                pieces.append((spaces, String(word)))
            }
            spaces = 1
        }
        return pieces
    }

    private static func belong(_ before: String, _ word: Substring) -> Bool {
        if before.count(where: { $0 == "`" }) % 2 == 1 { return true }
        let isHalf = { (text: Substring) in text.count == 3 && text.utf8.allSatisfy { (48...57).contains($0) } }
        return isHalf(Substring(before)) && isHalf(word.prefix(3)) && word.dropFirst(3).allSatisfy(\.isPunctuation)
    }
}
