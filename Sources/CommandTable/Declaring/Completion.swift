/// What a shell can offer for a value.
public enum Completion: Hashable, Sendable {
    /// Nothing: only the person knows.
    case nothing
    /// One of some words.
    case words([String])
    /// Files and folders.
    case files
    /// Folders only.
    case folders
}
