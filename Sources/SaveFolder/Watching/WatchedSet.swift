import LinuxPlatform
import SaveRules

/// A set as the watch has it.
struct WatchedSet {
    /// How long to wait before looking again whether a file is still in use, at first and at the most. The kernel tells when it is
    /// closed; only where it was opened by a name outside the set, it does not.
    static let shortestPause = Duration.seconds(1)
    static let longestPause = Duration.seconds(60)

    let folder: SaveFolder
    let tell: @Sendable (SaveWatchEvent) -> Void
    /// Whether it is told of when somebody opens a file, also for reading.
    let tellsOpening: Bool
    var settling: Settling
    var timer: (deadline: ContinuousClock.Instant, scheduled: ScheduledTimer)?
    /// Nil until it was looked for.
    var isThere: Bool?
    /// The folder that is watched, while it is there.
    var root: MountedFolder?
    /// What lay bare where that folder's file system were taken away.
    var mountBelow: Int?
    /// Whether not all of it can be watched.
    var isUnwatched = false
    /// Folders of the set that were read as such. What they are under, when it goes, was over them for a while only.
    var readRoots: Set<FileIdentity> = []
    /// The file system that lies bare since another one was taken away from it.
    var bareDevice: UInt64?
    /// How far it is known what lies at its root, and so whether its disk gives answers.
    var rootLook = DiskLook.done
    /// What is to be done there once it has.
    var errand = RootErrand()
    /// How far it is known who writes there.
    var check = DiskLook.done
    /// What is to be told once that is known, and not where it is read undisturbed first: for how long it has not settled.
    var unsettled: Duration?
    /// Whether that was told, since it had settled.
    var hasToldUnsettled = false
    var pause = Self.shortestPause
    /// Whether it was told who has a file open, since nobody had.
    var hasToldWriters = false
    /// When it is looked at again without any event; one at a time.
    var again: ScheduledTimer?
    var watches: Set<Inotify.Watch> = []

    mutating func miss() { isThere = false }

    mutating func find(_ folder: MountedFolder) {
        (isThere, root, bareDevice) = (true, folder, nil)
        mountBelow = folder.mountBelow
    }

    /// What the way leads to now is the place of a file system that was taken away. Where that came back at once, as one that is mounted when
    /// somebody looks, it is not.
    func isBare(_ now: MountedFolder) -> Bool {
        guard !readRoots.contains(now.identity) else { return false }
        guard let mountBelow, let mount = now.mount else { return now.identity.device != root?.identity.device }
        return mount == mountBelow
    }

    /// Who has a file open is told anew, and looked for as often as at first.
    mutating func forgetWriters() { (pause, hasToldWriters) = (Self.shortestPause, false) }
}

/// How far a look is that a disk may leave without an answer.
enum DiskLook {
    case done
    case underWay
    /// More has changed since it was begun.
    case wantedAgain
}

/// What is to be done in a set's folder once its disk has given an answer.
struct RootErrand {
    /// It is to be watched from the beginning.
    var isArming = false
    /// It is to be looked whether the way leads elsewhere, since file systems came or went.
    var isComparing = false
    /// The file system that it lies on was taken away.
    var isUnmounted = false
    /// Folders that came, to be watched as well.
    var newFolders: Set<SavePath> = []

    /// Whether something may change there until then that nobody hears of.
    var isDeaf: Bool { isArming || !newFolders.isEmpty }
}

/// What a watch of the kernel's is there for.
enum WatchRole: Hashable {
    /// A folder within a set; nil for its root.
    case within(SaveSetID, SavePath?)
    /// A folder or a link that the way to a set's root goes through.
    case way(SaveSetID)
    /// A folder in which the way to a set's root ends, and the name that is missing there.
    case end(SaveSetID, [UInt8])

    var set: SaveSetID {
        switch self {
        case .within(let set, _), .way(let set), .end(let set, _): set
        }
    }
}
