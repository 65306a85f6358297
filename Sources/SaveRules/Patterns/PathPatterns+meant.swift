/// Patterns that people say one by one, where a line without a meaning is a mistake.
extension PathPatterns {
    /// - Throws: also where a line says nothing
    public init(meant lines: [String]) throws(PatternError) {
        try self.init(lines)
        for (place, line) in lines.enumerated() where !Self.isMeant(line) {
            throw PatternError(.nothing, line: place + 1, line)
        }
    }

    /// The lines that say something.
    public var meantLines: [String] { lines.filter(Self.isMeant) }

    /// The same without lines that say nothing.
    public var meant: PathPatterns { (try? PathPatterns(meantLines)) ?? self }

    private static func isMeant(_ line: String) -> Bool { (try? PathPattern(line)).flatMap(\.self) != nil }
}
