import Vocabulary

extension GameRules {
    /// The largest size of a file of rules in bytes.
    public static let byteLimit = 256 << 10

    /// Parses a file of rules, as `docs/reference/merge-rules.md` describes it. An error names the line and the most
    /// similar word.
    public init(parsing text: String) throws(StateError) {
        self.init()
        guard text.utf8.count <= Self.byteLimit else {
            throw StateError(.badRules, "a file of rules has at most \(Self.byteLimit) bytes")
        }
        var linesOfPatterns: [PathPattern: Int] = [:]
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            do throws(StateError) {
                var words = try RuleWords(String(line))
                guard !words.isAtEnd else { continue }
                switch try words.take(oneOf: ["merge", "show"]) {
                case "merge":
                    let pattern = try words.pattern()
                    if let other = linesOfPatterns.updateValue(index + 1, forKey: pattern) {
                        throw StateError(.badRules, "line \(other) has a rule for these paths already")
                    }
                    try words.expect("=")
                    merging.add(try words.rule(), for: pattern)
                default: summary.append(try words.summaryRule())
                }
                try words.expectEnd()
            } catch {
                throw StateError(
                    .badRules,
                    "line \(index + 1): \(error.detail)",
                    suggestion: error.suggestion,
                    cause: error.cause
                )
            }
        }
    }
}

/// A reader of the words of one line, from left to right. Space within quotes and brackets does not end a word; `#`
/// begins a comment.
struct RuleWords {
    private var words: ArraySlice<String>

    init(_ line: String) throws(StateError) {
        var words: [String] = []
        var word = String.UnicodeScalarView()
        var isQuoted = false
        var isEscaped = false
        for scalar in line.unicodeScalars {
            if isQuoted {
                word.append(scalar)
                if !isEscaped, scalar == "\"" { isQuoted = false }
                isEscaped = !isEscaped && scalar == "\\"
                continue
            }
            if scalar == "#", word.isEmpty { break }
            guard scalar.properties.isWhitespace else {
                isQuoted = scalar == "\""
                word.append(scalar)
                continue
            }
            if !word.isEmpty { words.append(String(word)) }
            word = String.UnicodeScalarView()
        }
        if isQuoted { throw StateError(.badRules, "a closing quote is missing") }
        if !word.isEmpty { words.append(String(word)) }
        self.words = words[...]
    }

    var isAtEnd: Bool { words.isEmpty }

    mutating func take(oneOf known: [String]) throws(StateError) -> String {
        let list = known.map { "“\($0)”" }.joined(separator: ", ")
        guard let word = words.popFirst() else {
            throw StateError(.badRules, "the line ends where one of \(list) is expected")
        }
        guard known.contains(word) else {
            throw StateError(
                .badRules,
                "“\(PrintableText(word, limit: 40))” is none of \(list)",
                suggestion: NearestName.of(word, in: known)
            )
        }
        return word
    }

    mutating func expect(_ word: String) throws(StateError) {
        guard words.first == word else {
            let found = words.first.map { "“\(PrintableText($0, limit: 40))” is there" } ?? "the line ends"
            throw StateError(
                .badRules,
                "\(found) where “\(word)” is expected",
                suggestion: words.first.flatMap { NearestName.of($0, in: [word]) }
            )
        }
        words = words.dropFirst()
    }

    func expectEnd() throws(StateError) {
        guard let word = words.first else { return }
        throw StateError(.badRules, "“\(PrintableText(word, limit: 40))” is one word too many")
    }

    mutating func pattern() throws(StateError) -> PathPattern {
        guard let word = words.popFirst() else { throw StateError(.badRules, "the line ends where a path is expected") }
        return try PathPattern(parsing: word)
    }

    private mutating func path() throws(StateError) -> StatePath {
        guard let word = words.popFirst() else { throw StateError(.badRules, "the line ends where a key is expected") }
        return try StatePath(parsing: word)
    }

    /// Reads an optional word; true if it is next.
    private mutating func takes(_ word: String) -> Bool {
        guard words.first == word else { return false }
        words = words.dropFirst()
        return true
    }

    private static let simpleRules = ["max", "min", "sum", "newest", "keep", "ask"]

    mutating func rule() throws(StateError) -> MergeRule {
        try rule(oneOf: Self.simpleRules + ["union"])
    }

    private mutating func rule(oneOf known: [String]) throws(StateError) -> MergeRule {
        switch try take(oneOf: known) {
        case "max": return .max
        case "min": return .min
        case "sum":
            try expect("of")
            try expect("changes")
            return .sumOfChanges
        case "newest": return .newest(by: takes("by") ? try path() : nil)
        case "keep": return try take(oneOf: ["mine", "theirs"]) == "mine" ? .keepMine : .keepTheirs
        case "ask": return .ask
        default: return .union(try union())
        }
    }

    private mutating func union() throws(StateError) -> UnionRule {
        var rule = UnionRule()
        if takes("by") {
            rule.key = try path()
            if takes("with") { rule.elements = try self.rule(oneOf: Self.simpleRules) }
        }
        if takes("sorted") {
            try expect("by")
            rule.sortedBy = try path()
            rule.isDescending = takes("descending")
        }
        return rule
    }

    /// `LABEL = PATH as FORM`, where the label may have several words.
    mutating func summaryRule() throws(StateError) -> SummaryRule {
        let label = words.prefix { $0 != "=" }
        words = words.dropFirst(label.count)
        guard !label.isEmpty else { throw StateError(.badRules, "a label is missing between “show” and “=”") }
        try expect("=")
        let pattern = try pattern()
        var form = SummaryRule.Form.plain
        if takes("as") {
            let word = try take(oneOf: SummaryRule.Form.allCases.map(\.rawValue))
            form = SummaryRule.Form(rawValue: word) ?? .plain
        }
        return SummaryRule(label.joined(separator: " "), pattern, as: form)
    }
}
