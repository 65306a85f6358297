import Diagnosis
import FoundationEssentials
import Glibc
import Household
import Ledger
import LinuxPlatform
import Transport
import Vocabulary

/// The facts of this machine itself: file modes, disks, limits, the clock.
struct LocalLook: Sendable {
    private let places: OwnPlaces
    private let socket: String
    private let inbox: String
    private let kept: KeptLook

    init(_ places: OwnPlaces, _ settings: SettingsLook, _ daemon: DaemonLook, _ kept: KeptLook) {
        self.places = places
        self.kept = kept
        socket = HouseholdPresence.holder(in: places.state)?.socket ?? places.socket
        inbox = daemon.inbox ?? settings.value.inbox.map(places.places.whole) ?? places.places.inbox
    }

    /// The findings. A thread of their own gathers them, since disks may be slow.
    func findings() async -> [Finding] {
        (try? await runBlocking("doctor") { files + inboxFindings + disks + watches.findings + clock.findings }) ?? []
    }

    // MARK: Modes

    private var files: [Finding] {
        let own: [(use: String, path: String, most: FileMode)] = [
            ("the state folder", places.state, .privateFolder),
            ("the key", "\(places.state)/\(Identity.fileName)", .privateFile),
            ("the ledger", "\(places.state)/ledger.sqlite", .privateFile),
            ("the daemon's socket", socket, .privateFile),
        ]
        return PathFacts.findings(
            of: own.compactMap { use, path, most in
                var raw = stat()
                guard stat(path, &raw) == 0 else { return nil }
                return PathFacts(
                    use: use,
                    path: path,
                    mostMode: most,
                    mode: FileMode(rawValue: raw.st_mode),
                    isOwn: raw.st_uid == geteuid(),
                    isRoot: geteuid() == 0
                )
            }
        )
    }

    // MARK: The inbox

    private var inboxFindings: [Finding] {
        let conflict = ReservedPlace.conflict(at: inbox, with: places.reserved)
        return InboxFacts(path: inbox, refusal: conflict?.reason).findings
    }

    // MARK: Disks

    private var disks: [Finding] {
        let folders =
            [("the state folder", places.state), ("the inbox", inbox)]
            + kept.sets.map { ("the saves of \($0.name)", $0.path) }
        let missing = kept.sets.filter { access($0.path, F_OK) != 0 && [ENOENT, ENOTDIR].contains(errno) }
        return DiskFacts.findings(of: folders.compactMap { Self.disk($0.0, $0.1) })
            + missing.flatMap { SetFolderFacts(missing: $0.path, of: "\($0.name)").findings }
    }

    private static func disk(_ use: String, _ path: String) -> DiskFacts? {
        var place = path
        // A missing folder will be created in the nearest parent folder that exists.
        while access(place, F_OK) != 0, errno == ENOENT, place.count > 1 {
            place = "/" + place.split(separator: "/").dropLast().joined(separator: "/")
        }
        guard let facts = try? FileFacts(at: place), let folder = try? Folder(at: place) else {
            return DiskFacts(use: use, path: place, freeBytes: .max, isWritable: false)
        }
        let free = try? FileSystem(of: folder).free
        return DiskFacts(
            use: use,
            path: place,
            freeBytes: free?.bytes ?? .max,
            freeEntries: free?.entries,
            isReadOnly: (try? FileSystem(of: folder).isReadOnly) ?? false,
            isWritable: access(place, W_OK) == 0,
            device: facts.device
        )
    }

    // MARK: Watches

    private var watches: WatchFacts {
        let use = WatchUse.ofThisUser()
        return WatchFacts(
            mostWatches: Self.limit("max_user_watches"),
            mostQueues: Self.limit("max_user_instances"),
            watches: use.watches,
            queues: use.queues,
            // If the count includes the daemon, the daemon already has all the watches that it needs.
            needed: use.includesDaemon ? 0 : kept.sets.reduce(0) { $0 + WatchUse.folders(below: $1.path) }
        )
    }

    private static func limit(_ name: String) -> Int {
        let text = try? String(contentsOfFile: "/proc/sys/fs/inotify/\(name)", encoding: .utf8)
        return text.flatMap { Int($0.prefix { $0.isNumber }) } ?? .max / 16
    }

    // MARK: The clock

    private var clock: ClockFacts {
        ClockFacts(
            isKept: CalendarClock.isKept,
            now: WallTime.now.secondsSince1970,
            latestNote: kept.peers.compactMap { $0.lastSeen?.secondsSince1970 }.max()
        )
    }
}
