import SessionRules

/// What a person typed below a code or an invitation.
enum PersonalAnswer {
    /// Yes, and from now on.
    case yes
    /// Yes, this time.
    case once
    case no
    case block
    case code(PairingCode)
    case unclear

    init(_ line: String) {
        let word = line.lowercased().filter { !$0.isWhitespace }
        switch word {
        case "y", "yes": self = .yes
        case "o", "once": self = .once
        case "n", "no": self = .no
        case "b", "block": self = .block
        default: self = PairingCode(typed: line).map { .code($0) } ?? .unclear
        }
    }
}
