import Vocabulary

extension StatePath {
    /// Parses a path as users type it. `.` and the empty text are the root.
    public init(parsing text: String) throws(StateError) {
        var reader = PathReader(text)
        self = try reader.read(allowing: .steps).path
    }
}

/// A reader of paths, and of patterns of paths, from left to right.
struct PathReader {
    /// The syntax that a text may use.
    enum Allowance {
        case steps
        /// A path with `*`, `[*]` and `**`.
        case wildcards
    }

    /// A step or a wildcard.
    enum Piece: Hashable {
        case step(StatePath.Step)
        case anyKey
        case anyIndex
        case anyDepth
    }

    private let text: String
    private var rest: Substring.UnicodeScalarView
    private var allowance = Allowance.steps

    init(_ text: String) {
        self.text = text
        rest = text[...].unicodeScalars
    }

    mutating func read(allowing allowance: Allowance) throws(StateError) -> (path: StatePath, pieces: [Piece]) {
        self.allowance = allowance
        var pieces: [Piece] = []
        if text == "." { rest = rest.dropFirst() }
        while let next = rest.first {
            guard pieces.count < StatePath.depthLimit else {
                throw fault("it has more than \(StatePath.depthLimit) steps")
            }
            switch next {
            case "[":
                rest = rest.dropFirst()
                pieces.append(try bracket())
            case "." where !pieces.isEmpty:
                rest = rest.dropFirst()
                pieces.append(try key())
            default:
                guard pieces.isEmpty else { throw fault("after “]” comes “.”, “[” or nothing") }
                pieces.append(try key())
            }
        }
        let steps = pieces.compactMap { if case .step(let step) = $0 { step } else { nil } }
        return (StatePath(steps), pieces)
    }

    /// Reads the part in brackets: an index, `+`, a quoted key.
    private mutating func bracket() throws(StateError) -> Piece {
        if rest.first == "\"" {
            let key = try quotedKey()
            try expectClosing()
            return .step(.key(key))
        }
        let inside = rest.prefix { $0 != "]" }
        rest = rest.dropFirst(inside.count)
        try expectClosing()
        let word = String(Substring(inside))
        switch word {
        case "+": return .step(.end)
        case "*" where allowance == .wildcards: return .anyIndex
        default: break
        }
        guard let index = Int(word), word.first != "+" else {
            throw fault("“\(PrintableText(word, limit: 40))” is no index; keys between brackets stand in quotes")
        }
        return .step(.index(index))
    }

    private mutating func expectClosing() throws(StateError) {
        guard rest.first == "]" else { throw fault("a “]” is missing") }
        rest = rest.dropFirst()
    }

    private mutating func key() throws(StateError) -> Piece {
        if rest.first == "\"" { return .step(.key(try quotedKey())) }
        let word = rest.prefix { !Self.endsKey($0) }
        rest = rest.dropFirst(word.count)
        if word.isEmpty { throw fault(rest.isEmpty ? "a key is missing at the end" : "a key is missing") }
        let key = String(Substring(word))
        if allowance == .wildcards, key == "*" { return .anyKey }
        if allowance == .wildcards, key == "**" { return .anyDepth }
        guard !key.unicodeScalars.contains(where: Self.needsQuotes) else {
            throw fault("“\(PrintableText(key, limit: 40))” must be in quotes")
        }
        return .step(.key(key))
    }

    private static func endsKey(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "." || scalar == "[" || scalar == "]"
    }

    private static func needsQuotes(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\"", "\\", "*": true
        default: scalar.properties.isWhitespace || !PrintableText.isHarmless(scalar)
        }
    }

    /// Reads a key in quotes, with the escapes of printed keys.
    private mutating func quotedKey() throws(StateError) -> String {
        rest = rest.dropFirst()
        var key = String.UnicodeScalarView()
        while let scalar = rest.first {
            rest = rest.dropFirst()
            switch scalar {
            case "\"": return String(key)
            case "\\": key.append(try escape())
            default: key.append(scalar)
            }
        }
        throw fault("a closing quote is missing")
    }

    private mutating func escape() throws(StateError) -> Unicode.Scalar {
        guard let letter = rest.first else { throw fault("a closing quote is missing") }
        rest = rest.dropFirst()
        switch letter {
        case "\"", "\\": return letter
        case "n": return "\n"
        case "t": return "\t"
        case "r": return "\r"
        case "u":
            guard rest.first == "{" else { break }
            let digits = rest.dropFirst().prefix { $0 != "}" }
            rest = rest.dropFirst(digits.count + 1)
            let number = UInt32(String(Substring(digits)), radix: 16)
            guard rest.first == "}", let scalar = number.flatMap(Unicode.Scalar.init) else { break }
            rest = rest.dropFirst()
            return scalar
        default: break
        }
        throw fault(#"after “\” comes “"”, “\”, “n”, “t”, “r” or “u{…}”"#)
    }

    private func fault(_ detail: String) -> StateError {
        StateError(.badPath, "“\(PrintableText(text, limit: 80))” is not a path: \(detail)")
    }
}
