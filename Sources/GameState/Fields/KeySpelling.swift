/// The spelling of keys that have several words.
public enum KeySpelling: Sendable, Hashable {
    /// The spelling of the table, which is the game's.
    case declared
    /// `char_color`.
    case snakeCase
    /// `char-color`.
    case kebabCase
    /// `CharColor`.
    case pascalCase

    /// Returns a key of a table in this spelling.
    public func spell(_ key: String) -> String {
        switch self {
        case .declared: key
        case .snakeCase: Self.words(of: key).joined(separator: "_")
        case .kebabCase: Self.words(of: key).joined(separator: "-")
        case .pascalCase: Self.words(of: key).map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
        }
    }

    /// Returns the letters of a key, which are the same in all spellings.
    static func bareLetters(_ key: String) -> String {
        String(String.UnicodeScalarView(key.lowercased().unicodeScalars.filter { !"_- ".unicodeScalars.contains($0) }))
    }

    /// Splits a key into words: `TTTGameKey` is `ttt game key`. A word begins at a capital after a small letter, and at
    /// the last of several capitals.
    private static func words(of key: String) -> [String] {
        var words: [[Character]] = []
        let letters = Array(key)
        for (place, letter) in letters.enumerated() {
            if "_- ".contains(letter) {
                words.append([])
                continue
            }
            let next = letters.dropFirst(place + 1).first
            let begins = letter.isUppercase && (words.last?.last?.isUppercase != true || next?.isLowercase == true)
            if words.isEmpty || begins && words.last != [] { words.append([]) }
            words[words.count - 1].append(letter)
        }
        return words.filter { !$0.isEmpty }.map { String($0).lowercased() }
    }
}
