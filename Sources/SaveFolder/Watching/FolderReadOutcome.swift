/// What came of reading a set's folder.
public enum FolderReadOutcome: Hashable, Sendable {
    /// All of it was read as the set's, and nothing changed meanwhile.
    case whole
    /// It changed meanwhile: it is to be read again.
    case stirred
    /// It can't be read, or is not the set's. To read it again and again at once would not help.
    case failed
}
