/// The mode and the time that a file or folder has where it is sent from, and gets back where it arrives.
public struct ResourceStamp: Hashable, Sendable {
    /// Who may do what with it.
    public let mode: FileMode
    /// When its contents were changed.
    public let modified: FileTime

    /// Makes one of its parts.
    public init(mode: FileMode, modified: FileTime) {
        self.mode = mode
        self.modified = modified
    }
}
