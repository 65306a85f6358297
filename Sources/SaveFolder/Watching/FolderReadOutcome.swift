/// Result of a scan for the watch.
public enum FolderReadOutcome: Hashable, Sendable {
    /// The set was read completely, and did not change meanwhile.
    case whole
    /// It changed during the scan: another one is needed.
    case stirred
    /// It can't be read, or is not the set's folder. An immediate retry would not help.
    case failed
}
