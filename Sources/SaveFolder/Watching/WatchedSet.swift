import LinuxPlatform
import SaveRules

/// The state of a watched set.
struct WatchedSet {
    /// First and longest pause before the next check if a file is still in use. The kernel reports the closing of a
    /// file, unless it was opened by a name outside the set.
    static let shortestPause = Duration.seconds(1)
    static let longestPause = Duration.seconds(60)

    let folder: SaveFolder
    let tell: @Sendable (SaveWatchEvent) -> Void
    /// True to report each opening of a file, also for reading.
    let tellsOpening: Bool
    var settling: Settling
    var timer: (deadline: ContinuousClock.Instant, scheduled: ScheduledTimer)?
    /// Nil before the first check.
    var isThere: Bool?
    /// The watched folder, while it exists.
    var root: MountedFolder?
    /// The mount that would be uncovered if the folder's file system were unmounted.
    var mountBelow: Int?
    /// True if some of it can't be watched.
    var isUnwatched = false
    /// Folders that were scanned as the set's. A folder below them, uncovered when they go, was covered only
    /// temporarily.
    var readRoots: Set<FileIdentity> = []
    /// The file system that is uncovered since another one was unmounted.
    var bareDevice: UInt64?
    /// State of the check of the root, and so of its disk.
    var rootLook = DiskLook.done
    /// Work after the disk's answer.
    var errand = RootErrand()
    /// State of the search for writers.
    var check = DiskLook.done
    /// Time for which it has not become quiet, to be reported after that search unless an undisturbed scan comes first.
    var unsettled: Duration?
    /// True if that was reported since it was last quiet.
    var hasToldUnsettled = false
    var pause = Self.shortestPause
    /// True if writers were reported since there were none.
    var hasToldWriters = false
    /// The next check without an event; only one at a time.
    var again: ScheduledTimer?
    var watches: Set<Inotify.Watch> = []

    mutating func miss() { isThere = false }

    mutating func find(_ folder: MountedFolder) {
        (isThere, root, bareDevice) = (true, folder, nil)
        mountBelow = folder.mountBelow
    }

    /// True if the path leads to the mount point of an unmounted file system. If it was mounted again at once, as by an
    /// automounter, it is not.
    func isBare(_ now: MountedFolder) -> Bool {
        guard !readRoots.contains(now.identity) else { return false }
        guard let mountBelow, let mount = now.mount else { return now.identity.device != root?.identity.device }
        return mount == mountBelow
    }

    /// Reports writers again, and checks as often as at first.
    mutating func forgetWriters() { (pause, hasToldWriters) = (Self.shortestPause, false) }
}

/// State of a check that a disk may leave without an answer.
enum DiskLook {
    case done
    case underWay
    /// More has changed since its start.
    case wantedAgain
}

/// Work in a set's folder after its disk has answered.
struct RootErrand {
    /// Set up the watches again.
    var isArming = false
    /// Check if the path leads elsewhere, because mounts changed.
    var isComparing = false
    /// Its file system was unmounted.
    var isUnmounted = false
    /// New folders to watch.
    var newFolders: Set<SavePath> = []

    /// True if a change until then could go unnoticed.
    var isDeaf: Bool { isArming || !newFolders.isEmpty }
}

/// Purpose of an inotify watch.
enum WatchRole: Hashable {
    /// A folder of a set; nil for its root.
    case within(SaveSetID, SavePath?)
    /// A folder or a link on the path to a set's root.
    case way(SaveSetID)
    /// A folder with the missing name at which the path to a root ends.
    case end(SaveSetID, [UInt8])

    var set: SaveSetID {
        switch self {
        case .within(let set, _), .way(let set), .end(let set, _): set
        }
    }
}
