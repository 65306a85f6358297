/// The result of a scan, for the watch.
public enum FolderReadOutcome: Hashable, Sendable {
    /// The scan read the whole game, which did not change meanwhile.
    case whole
    /// The folder changed during the scan: another scan is needed.
    case stirred
    /// The folder can't be read, or is not the game's. An immediate retry would not help.
    case failed
}
