/// An example command line.
public struct Example: Hashable, Sendable {
    /// The line that the user types, without a prompt.
    public let line: String

    /// The effect of the line: no capital, no full stop.
    public let explanation: String

    /// - Parameters:
    ///   - line: the line that the user types
    ///   - explanation: the effect of the line
    public init(_ line: String, _ explanation: String) {
        self.line = line
        self.explanation = explanation
    }
}
