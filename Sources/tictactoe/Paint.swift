/// Colours of a picture: taken squares stand out from free ones, and the own turn from waiting.
enum Paint {
    /// The text with colour sequences.
    static func coloured(_ line: Picture.Line) -> String {
        switch line.look {
        case .plain: line.text
        case .loud: "\u{1B}[1m\(line.text)\(plain)"
        case .grid:
            line.text.map { character in
                switch character {
                case "X": "\u{1B}[1;36mX\(plain)"
                case "O": "\u{1B}[1;33mO\(plain)"
                case "1"..."9": "\u{1B}[2m\(character)\(plain)"
                default: String(character)
                }
            }.joined()
        }
    }

    private static let plain = "\u{1B}[0m"
}
