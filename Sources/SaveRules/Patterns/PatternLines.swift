/// Lines that are valid patterns, as text. They take a hundredth of the memory of ``PathPatterns``, and match nothing.
public struct PatternLines: Hashable, Sendable {
    /// The lines as given.
    public let lines: [String]

    /// - Parameter patterns: the patterns with these lines
    public init(_ patterns: PathPatterns) { lines = patterns.lines }

    /// - Parameter lines: the lines as in a file
    /// - Throws: the fault of the first line that is no pattern
    public init(_ lines: [String]) throws(PatternError) {
        try PathPatterns.check(lines)
        self.lines = lines
    }

    /// The lines without empty ones and comments.
    public var meantLines: [String] { lines.filter(PathPatterns.isMeant) }
}
