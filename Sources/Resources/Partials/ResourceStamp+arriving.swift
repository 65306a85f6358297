import LinuxPlatform
import Vocabulary

/// What a file that comes from another machine gets of what it had there.
extension ResourceStamp {
    private static let ownersBits: UInt32 = 0o600
    /// A file by itself is nothing to run. A folder keeps its own, for people send whole games.
    private static let runningBits: UInt32 = 0o111
    /// So far may the clocks of two machines differ, and their time zones where somebody set a clock by hand.
    private static let mostAhead: Int64 = 24 * 60 * 60

    /// With what it is made: never more than it had there, but for its owner, who has to write it here.
    var modeWhileArriving: FileMode { FileMode(rawValue: (mode.rawValue | Self.ownersBits) & ~Self.runningBits) }

    /// What it had there, less what it was not given here. Its owner can always read it.
    func mode(within given: FileMode) -> FileMode {
        FileMode(rawValue: given.rawValue & (mode.rawValue | 0o400) & ~Self.runningBits)
    }

    /// Nil where it keeps the time of its arrival: a file from the future would pass for the newest for years, and a time before
    /// 1970 is nobody's.
    func modified(ifArrivedAt now: FileTime) -> FileTime? {
        let isKept = modified.seconds >= 0 && modified.seconds <= now.seconds + Self.mostAhead
        return isKept ? modified : nil
    }
}
