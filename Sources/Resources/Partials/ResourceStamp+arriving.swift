import LinuxPlatform
import Vocabulary

/// Mode and modification time of a file that arrives from another machine.
extension ResourceStamp {
    private static let ownersBits: UInt32 = 0o600
    /// A single file is never made executable. A folder keeps these bits, as people send whole games.
    private static let runningBits: UInt32 = 0o111
    /// Maximum difference of two machines' clocks, including a time zone that a user set by hand.
    private static let mostAhead: Int64 = 24 * 60 * 60

    /// The mode of the partial file: the sender's bits without execution, and the owner's right to write.
    var modeWhileArriving: FileMode { FileMode(rawValue: (mode.rawValue | Self.ownersBits) & ~Self.runningBits) }

    /// The final mode: the sender's bits that the partial file also has. The owner can always read.
    func mode(within given: FileMode) -> FileMode {
        FileMode(rawValue: given.rawValue & (mode.rawValue | 0o400) & ~Self.runningBits)
    }

    /// The modification time; nil to keep the time of arrival. A file from the future would count as the newest for
    /// years, and a time before 1970 is invalid.
    func modified(ifArrivedAt now: FileTime) -> FileTime? {
        let isKept = modified.seconds >= 0 && modified.seconds <= now.seconds + Self.mostAhead
        return isKept ? modified : nil
    }
}
