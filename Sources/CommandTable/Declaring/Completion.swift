/// The candidates that a shell can offer for a value.
public enum Completion: Hashable, Sendable {
    /// No candidates.
    case nothing
    /// A fixed list of words.
    case words([String])
    /// Files and folders.
    case files
    /// Folders only.
    case folders
}
