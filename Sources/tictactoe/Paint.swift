/// Colours for lines of a picture: what is taken stands out from what is free, and one's own turn from waiting.
enum Paint {
    private static let loud: Set = ["  it is your turn", "  you have won"]

    /// The same text, with the terminal's words for colours in it.
    static func coloured(_ line: String) -> String {
        if loud.contains(line) { return bold + line + plain }
        guard line.hasPrefix(Picture.gridIndent), line.contains("│") else { return line }
        return line.map { character in
            switch character {
            case "X": "\u{1B}[1;36mX\(plain)"
            case "O": "\u{1B}[1;33mO\(plain)"
            case "1"..."9": "\u{1B}[2m\(character)\(plain)"
            default: String(character)
            }
        }.joined()
    }

    private static let bold = "\u{1B}[1m"
    private static let plain = "\u{1B}[0m"
}
