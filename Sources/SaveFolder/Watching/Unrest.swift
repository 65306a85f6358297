/// The reports about a folder that does not become quiet, and of programs that have its files open.
struct Unrest {
    /// First and longest pause before the next check if a file is still in use. The kernel reports the closing of a
    /// file, unless it was opened by a name outside the set.
    private static let shortestPause = Duration.seconds(1)
    private static let longestPause = Duration.seconds(60)

    /// Time for which it has not become quiet, to be reported after the search for writers unless an undisturbed scan
    /// comes first.
    var time: Duration?
    /// True if that was reported since it was last quiet.
    private(set) var hasTold = false
    private(set) var pause = Self.shortestPause
    /// True if writers were reported since there were none.
    private(set) var hasToldWriters = false

    /// It is reported now.
    mutating func tell() { (time, hasTold) = (nil, true) }

    /// It is quiet.
    mutating func end() { (time, hasTold) = (nil, false) }

    mutating func tellWriters() { hasToldWriters = true }

    /// Reports writers again, and checks as often as at first.
    mutating func forgetWriters() { (pause, hasToldWriters) = (Self.shortestPause, false) }

    mutating func pauseLonger(than last: Duration) { pause = min(last * 2, Self.longestPause) }
}
