import LinuxPlatform
import SaveRules
import Vocabulary

/// Evidence that a file still has the content that was read from it.
///
/// The device number is not part of it, as it changes with each start of the machine.
struct FileFingerprint: Hashable {
    /// Time after a change within which another one could leave the same time. The kernel's clock for files ticks at
    /// least a hundred times a second.
    static let grain = Duration.milliseconds(20)
    /// The same for a file system with times of one or two seconds.
    private static let coarseGrain = Duration.seconds(3)

    let inode: UInt64
    let changed: FileTime

    /// Nil if the file changed so recently that another change could go unnoticed.
    init?(_ stamp: FileStamp, at now: FileTime) {
        let isCoarse = stamp.changed.nanoseconds == 0
        let grain = isCoarse ? Self.coarseGrain : Self.grain
        // A time in the far future is as good as one in the past: a later write gets another time.
        guard now.distance(from: stamp.changed) > grain else { return nil }
        (inode, changed) = (stamp.facts.inode, stamp.changed)
    }

    init(inode: UInt64, changed: FileTime) {
        (self.inode, self.changed) = (inode, changed)
    }

    /// True if a file is unchanged.
    func fits(_ stamp: FileStamp, _ file: SavedFile?) -> Bool {
        inode == stamp.facts.inode && changed == stamp.changed && file?.fits(stamp.facts) == true
    }
}

extension SavedFile {
    /// True if a file may have this content, as far as its facts show.
    func fits(_ facts: FileFacts) -> Bool {
        UInt64(facts.size) == size && facts.modified.isKept(of: modified)
    }
}

extension FileTime {
    /// Resolution of file times: seconds (ext3, HFS) or two (FAT), hundredths of a second (exFAT), ten-millionths
    /// (NTFS).
    private static let grains: [(nanoseconds: UInt32, within: Duration)] = [
        (1_000_000_000, .seconds(2)), (10_000_000, .milliseconds(10)), (100, .nanoseconds(100)),
    ]

    /// The earliest possible times: 1980 in local time (FAT, exFAT), and the minimum of 32 bits.
    private static let first: [(seconds: Int64, within: Int64)] = [(315_532_800, 14 * 3_600), (-2_147_483_648, 0)]
    /// The latest possible times: 2107 in local time, and the maxima of 31, 32 and 34 bits (ext4).
    private static let last: [(seconds: Int64, within: Int64)] = [
        (4_354_819_199, 14 * 3_600 + 2), (2_147_483_647, 0), (4_294_967_295, 0), (15_032_385_535, 0),
    ]

    /// True if a file system may have stored this value for the given time.
    func isKept(of meant: FileTime) -> Bool {
        self == meant || isLimit(for: meant)
            || Self.grains.contains { grain in
                nanoseconds % grain.nanoseconds == 0 && distance(from: meant) < grain.within
            }
    }

    /// True if this is the earliest or latest possible time, and the other one is beyond.
    private func isLimit(for meant: FileTime) -> Bool {
        func isAt(_ limit: (seconds: Int64, within: Int64)) -> Bool {
            (limit.seconds - limit.within...limit.seconds + limit.within).contains(seconds)
        }
        return Self.first.contains { meant.seconds < $0.seconds + $0.within && isAt($0) }
            || Self.last.contains { meant.seconds > $0.seconds - $0.within && isAt($0) }
    }

    /// The absolute difference.
    func distance(from other: FileTime) -> Duration {
        let (whole, overflow) = seconds.subtractingReportingOverflow(other.seconds)
        guard !overflow else { return .seconds(Int64.max) }
        let apart = Duration.seconds(whole) + .nanoseconds(Int64(nanoseconds) - Int64(other.nanoseconds))
        return apart < .zero ? .zero - apart : apart
    }
}
