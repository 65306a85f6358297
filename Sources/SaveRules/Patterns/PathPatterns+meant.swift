/// Patterns that a user gives one by one, so that an empty line or a comment is a mistake.
extension PathPatterns {
    /// - Throws: also if a line is empty or a comment
    public init(meant lines: [String]) throws(PatternError) {
        try self.init(lines)
        for (place, line) in lines.enumerated() where !Self.isMeant(line) {
            throw PatternError(.nothing, line: place + 1, line)
        }
    }

    /// The lines without empty ones and comments.
    public var meantLines: [String] { lines.filter(Self.isMeant) }

    /// The same patterns without empty lines and comments.
    public var meant: PathPatterns { (try? PathPatterns(meantLines)) ?? self }

    static func isMeant(_ line: String) -> Bool { (try? PathPattern(line)).flatMap(\.self) != nil }
}
