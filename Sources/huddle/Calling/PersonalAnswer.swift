import SessionRules

/// What a person typed below an invitation.
enum PersonalAnswer {
    /// Yes, and from now on.
    case yes
    /// Yes, this time.
    case once
    case no
    case block
    /// The code that the other machine shows; with a leading `o` for this time only.
    case code(PairingCode, isForOnce: Bool)
    case unclear

    init(_ line: String) {
        let word = line.lowercased().filter { !$0.isWhitespace }
        switch word {
        case "y", "yes": self = .yes
        case "o", "once": self = .once
        case "n", "no": self = .no
        case "b", "block": self = .block
        default:
            let isForOnce = word.hasPrefix("o")
            let digits = isForOnce ? String(word.dropFirst()) : line
            self = PairingCode(typed: digits).map { .code($0, isForOnce: isForOnce) } ?? .unclear
        }
    }
}
