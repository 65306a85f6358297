import LinuxPlatform
import SaveRules
import Vocabulary

/// What shows that a file still has the contents that were read from it.
///
/// The device is no part of it: its number is given anew at each start of the machine.
struct FileSeal: Hashable {
    /// How long after a change another one could leave the same time behind. The kernel's clock for files moves at least a hundred
    /// times a second.
    static let grain = Duration.milliseconds(20)
    /// The same where the file system keeps whole seconds, or two.
    private static let coarseGrain = Duration.seconds(3)

    let inode: UInt64
    let changed: FileTime

    /// Nil where the file was changed so short before that another change could not be told from that one.
    init?(_ stamp: FileStamp, at now: FileTime) {
        let isCoarse = stamp.changed.nanoseconds == 0
        let grain = isCoarse ? Self.coarseGrain : Self.grain
        // A time in the far future is as good as one in the past: what is written now gets another one.
        guard now.distance(from: stamp.changed) > grain else { return nil }
        (inode, changed) = (stamp.facts.inode, stamp.changed)
    }

    init(inode: UInt64, changed: FileTime) {
        (self.inode, self.changed) = (inode, changed)
    }

    /// Whether a file is as it was.
    func fits(_ stamp: FileStamp, _ file: SavedFile) -> Bool {
        inode == stamp.facts.inode && changed == stamp.changed && file.fits(stamp.facts)
    }
}

extension SavedFile {
    /// Whether a file may have these contents, as far as one can see without reading it.
    func fits(_ facts: FileFacts) -> Bool {
        UInt64(facts.size) == size && facts.modified.isKept(of: modified)
    }
}

extension FileTime {
    /// What file systems make of times: whole seconds (ext3, HFS) or two (FAT), hundredths of a second (exFAT), ten millionths (NTFS).
    private static let grains: [(nanoseconds: UInt32, within: Duration)] = [
        (1_000_000_000, .seconds(2)), (10_000_000, .milliseconds(10)), (100, .nanoseconds(100)),
    ]

    /// The first times that there are: 1980 by some clock on the wall (FAT, exFAT), and what 32 bits hold.
    private static let first: [(seconds: Int64, within: Int64)] = [(315_532_800, 14 * 3_600), (-2_147_483_648, 0)]
    /// The last ones: 2107 by some clock on the wall, and what 31, 32 and 34 bits hold (ext4).
    private static let last: [(seconds: Int64, within: Int64)] = [
        (4_354_819_199, 14 * 3_600 + 2), (2_147_483_647, 0), (4_294_967_295, 0), (15_032_385_535, 0),
    ]

    /// Whether a file system may have kept this of a time that a file was given.
    func isKept(of meant: FileTime) -> Bool {
        self == meant || isLimit(for: meant)
            || Self.grains.contains { grain in
                nanoseconds % grain.nanoseconds == 0 && distance(from: meant) < grain.within
            }
    }

    /// Whether this is the first or the last time that there is, and the other one lies beyond.
    private func isLimit(for meant: FileTime) -> Bool {
        func isAt(_ limit: (seconds: Int64, within: Int64)) -> Bool {
            (limit.seconds - limit.within...limit.seconds + limit.within).contains(seconds)
        }
        return Self.first.contains { meant.seconds < $0.seconds + $0.within && isAt($0) }
            || Self.last.contains { meant.seconds > $0.seconds - $0.within && isAt($0) }
    }

    /// How far the two are apart, whichever is first.
    func distance(from other: FileTime) -> Duration {
        let (whole, overflow) = seconds.subtractingReportingOverflow(other.seconds)
        guard !overflow else { return .seconds(Int64.max) }
        let apart = Duration.seconds(whole) + .nanoseconds(Int64(nanoseconds) - Int64(other.nanoseconds))
        return apart < .zero ? .zero - apart : apart
    }
}
