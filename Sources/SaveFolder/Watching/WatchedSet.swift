import LinuxPlatform
import SaveRules
import Vocabulary

/// The state of a watched game.
struct WatchedSet {
    let folder: SaveFolder
    let tell: @Sendable (SaveWatchEvent) -> Void
    /// True to report each opening of a file, also for reading.
    let tellsOpening: Bool
    var settling: Settling
    var timer: (deadline: ContinuousClock.Instant, scheduled: ScheduledTimer)?
    var place = WatchedRoot()
    /// True if some of it can't be watched.
    var isUnwatched = false
    /// True if a folder could not be entered when the watches were set up.
    var hasGap = false
    /// The state of the check of the root, which is also a check of its disk.
    var rootLook = DiskLook.done
    /// Work after the disk's answer.
    var errand = RootErrand()
    /// State of the search for writers.
    var check = DiskLook.done
    var unrest = Unrest()
    /// The next check without an event; only one at a time.
    var again: ScheduledTimer?
    var watches: Set<Inotify.Watch> = []

    /// Scans rely on the watch from now on, if it hears every change within the folder. Mounts are watched already.
    func listenIfWhole() {
        guard place.isThere == true, !isUnwatched, !hasGap, !errand.isDeaf, let root = place.root else { return }
        folder.heard.listen(to: root.identity)
    }

    /// True if the folder seems to exist, by one call.
    var seemsThere: Bool {
        guard let facts = try? FileFacts(at: folder.place.root) else { return false }
        return facts.kind == .folder && facts.device != place.bareDevice
    }

    /// True if a file of the game was opened, and that is to be reported.
    func isOpening(_ event: Inotify.Event, in path: SavePath?) -> Bool {
        tellsOpening && HeardEvent(event, in: path, of: folder.place)?.isFolder == false
    }
}

/// State of a check that a disk may leave without an answer.
enum DiskLook {
    case done
    case underWay
    /// The check must run again, because more has changed since it began.
    case wantedAgain
}

/// A call that begins to watch mounts.
typealias MountWatchStart = @Sendable (EventLoop, @escaping @Sendable () -> Void) throws(SystemError) -> MountWatch

/// Purpose of an inotify watch.
enum WatchRole: Hashable {
    /// A folder of a game; nil for its root.
    case within(SaveSetID, SavePath?)
    /// A folder or a link on the path to a game's root.
    case way(SaveSetID)
    /// A folder with the missing name at which the path to a root ends.
    case end(SaveSetID, [UInt8])

    var set: SaveSetID {
        switch self {
        case .within(let set, _), .way(let set), .end(let set, _): set
        }
    }
}
