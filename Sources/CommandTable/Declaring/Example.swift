/// A command line to learn from.
public struct Example: Hashable, Sendable {
    /// The line as it is typed, without a prompt.
    public let line: String

    /// What it does, in one line: no capital, no full stop.
    public let explanation: String

    /// - Parameters:
    ///   - line: the line as it is typed
    ///   - explanation: what it does
    public init(_ line: String, _ explanation: String) {
        self.line = line
        self.explanation = explanation
    }
}
