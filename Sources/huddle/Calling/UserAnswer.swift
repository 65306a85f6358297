import SessionRules

/// The user's answer to an invitation, as a typed line.
enum UserAnswer {
    /// Pair, and connect without a question from now on.
    case yes
    /// Connect this time only.
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

extension UserAnswer {
    /// Returns the reason why the command asks for a code again after this line.
    static func noCode(_ line: String) -> String {
        let digits = line.count { ("0"..."9").contains($0) }
        let isNumber = digits > 0 && line.allSatisfy { $0.isWhitespace || ("0"..."9").contains($0) }
        return isNumber
            ? "a code has six digits, and this has \(digits)"
            : "only the code counts as a yes: type its six digits, or n"
    }
}
