public import LinuxPlatform

/// What is told about a set's folder that is watched.
public enum SaveWatchEvent: Sendable {
    /// It changes. This comes once; ``settled`` follows.
    case changing
    /// It has changed, has been quiet for a while, and nobody has a file of it open for writing. It is to be read now, and then
    /// ``SaveWatch/finishedReading(_:_:)`` to be called.
    case settled
    /// It is quiet, but somebody has a file open for writing; who, as far as it can be found out. ``settled`` follows when that is over.
    case occupied([FileWriter])
    /// It has not settled for so long.
    case unsettled(Duration)
    /// It has settled, after all.
    case settledAfterAll
    /// Somebody has opened a file of it, whatever for: told once for several at once, and only where that was asked for.
    case opened
    /// The folder is not there: moved, removed, or its file system taken away. It is waited for.
    case gone
    /// The folder is there again. It counts as changed.
    case back
    /// It can't be watched as it should be. It is tried again, at least once a minute, and ``settled`` comes each time.
    case unwatched(SaveFolderError)
    /// It is watched as it should be, after all.
    case watched
    /// It can't be looked at.
    case trouble(SaveFolderError)
}
