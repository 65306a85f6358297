public import LinuxPlatform

/// An event of a watched folder.
public enum SaveWatchEvent: Sendable {
    /// It is changing. This comes once, before ``settled``.
    case changing
    /// It has changed, the quiet period is over, and no program has a file of it open for writing. Scan it now, and
    /// then call ``SaveWatch/finishedReading(_:_:)``.
    case settled
    /// It is quiet, but a program has a file open for writing; it is named if it is known. ``settled`` follows when
    /// that ends.
    case occupied([FileWriter])
    /// It has not become quiet for this long.
    case unsettled(Duration)
    /// It has become quiet after all.
    case settledAfterAll
    /// A program has opened a file of it: reported once for several at once, and only if requested.
    case opened
    /// The folder is missing: moved, removed, or its file system unmounted. The watch waits for it.
    case gone
    /// The folder exists again. It counts as changed.
    case back
    /// It can't be watched completely. The watch retries at least once a minute, and sends ``settled`` each time.
    case unwatched(SaveFolderError)
    /// It is watched completely after all.
    case watched
    /// It can't be checked.
    case trouble(SaveFolderError)
}
