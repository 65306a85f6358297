/// The state of the reports that a folder does not become quiet, and that programs have its files open.
struct Unrest {
    /// The first pause before the next check if a file is still in use. The pauses grow to ``longestPause``. The kernel
    /// reports the closing of a file, unless it was opened by a name outside the game's folder.
    private static let shortestPause = Duration.seconds(1)
    private static let longestPause = Duration.seconds(60)

    /// The time for which the folder has not become quiet. It is reported after the search for writers, unless an
    /// undisturbed scan comes first.
    var time: Duration?
    /// True if that was reported since the folder was last quiet.
    private(set) var hasReported = false
    private(set) var pause = Self.shortestPause
    /// True if writers were reported since there were none.
    private(set) var hasReportedWriters = false

    /// Notes that it is reported now.
    mutating func tell() { (time, hasReported) = (nil, true) }

    /// Notes that the folder is quiet.
    mutating func end() { (time, hasReported) = (nil, false) }

    mutating func tellWriters() { hasReportedWriters = true }

    /// Forgets the reported writers: the next ones are reported again, and the pauses begin with the shortest one.
    mutating func forgetWriters() { (pause, hasReportedWriters) = (Self.shortestPause, false) }

    mutating func pauseLonger(than last: Duration) { pause = min(last * 2, Self.longestPause) }
}
