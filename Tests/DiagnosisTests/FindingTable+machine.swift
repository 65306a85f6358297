import Diagnosis
import Vocabulary

extension FindingTable {
    static let machine: [Case] = files + inbox + disks + watches + clock + accounts

    private static func key(_ mode: UInt32, isOwn: Bool = true, isRoot: Bool = false) -> PathFacts {
        PathFacts(
            use: "the key",
            path: "/s/identity.pem",
            mostMode: .privateFile,
            mode: FileMode(rawValue: mode),
            isOwn: isOwn,
            isRoot: isRoot
        )
    }

    private static let files: [Case] = [
        Case("a key for its owner alone", key(0o600)),
        Case(
            "a key of somebody else, whom root must not take it from",
            key(0o600, isOwn: false, isRoot: true),
            .fault(.files, "belongs to another user", "huddle doctor    # as that user")
        ),
        Case("a key that others can read", key(0o644), .fault(.files, "the mode 644", "chmod 600 /s/identity.pem")),
        Case("a key without write access", key(0o400), .fault(.files, "the mode 400", "chmod 600 /s/identity.pem")),
        Case(
            "a key of somebody else",
            key(0o600, isOwn: false),
            .fault(.files, "another user", "sudo chown -R \"$(id -u):$(id -g)\" /s/identity.pem")
        ),
    ]

    private static let inbox: [Case] = [
        Case("an inbox of its own", InboxFacts(path: "/people/ann/Downloads", refusal: nil)),
        Case(
            "an inbox that is a home",
            InboxFacts(path: "/people/ann", refusal: "it is a user's home"),
            .fault(.files, "can't be the inbox", "huddle config show")
        ),
    ]

    private static let disks: [Case] = [
        Case(
            "room",
            DiskFacts(use: "saves", path: "/s", freeBytes: 1 << 40),
            .well(.disk, "1.0 TiB are free for saves")
        ),
        Case(
            "little room",
            DiskFacts(use: "saves", path: "/s", freeBytes: 64 << 20),
            .warning(.disk, "64 MiB", "df -h /s")
        ),
        Case("no room", DiskFacts(use: "saves", path: "/s", freeBytes: 4096), .fault(.disk, "is full", "df -h /s")),
        Case(
            "a set's folder that is away",
            SetFolderFacts(missing: "/s", of: "celeste"),
            .fault(.disk, "celeste is missing: /s", "huddle set celeste --at FOLDER")
        ),
        Case(
            "no room for another file",
            DiskFacts(use: "saves", path: "/s", freeBytes: 1 << 40, freeEntries: 0),
            .fault(.disk, "is full", "df -h /s")
        ),
        Case(
            "a disk that can only be read",
            DiskFacts(use: "saves", path: "/s", freeBytes: 1 << 40, isReadOnly: true, isWritable: false),
            .fault(.disk, "is read-only", "findmnt --target /s")
        ),
        Case(
            "a folder of somebody else",
            DiskFacts(use: "saves", path: "/my saves", freeBytes: 1 << 40, isWritable: false),
            .fault(.disk, "can't write", "ls -ld '/my saves'")
        ),
    ]

    private static func watches(_ taken: Int, needed: Int = 0, queues: Int = 10) -> WatchFacts {
        WatchFacts(mostWatches: 1000, mostQueues: 128, watches: taken, queues: queues, needed: needed)
    }

    private static let raised = "echo fs.inotify.max_user_watches=524288 | sudo tee -a /etc/sysctl.d/60-huddle.conf"

    private static let watches: [Case] = [
        Case("watches left", watches(500, needed: 100), .well(.watches, "600 of 1000")),
        Case("few watches left", watches(500, needed: 400), .warning(.watches, "the limit is 1000", raised)),
        Case("no watches left", watches(0, needed: 2000), .fault(.watches, "2000 folders", raised)),
        Case("few queues left", watches(1, queues: 125), .warning(.watches, "125 of 128", "sudo sysctl --system")),
        Case("no queues left", watches(1, queues: 128), .fault(.watches, "128 of 128", "sudo sysctl --system")),
    ]

    private static let now = ClockFacts.earliest + 1_000_000

    private static func clock(kept: Bool?, at now: Int64 = now, noted: Int64? = nil) -> ClockFacts {
        ClockFacts(isKept: kept, now: now, latestNote: noted)
    }

    private static let fix = "sudo timedatectl set-ntp true"

    private static let clock: [Case] = [
        Case("a clock that is kept", clock(kept: true, noted: now - 5), .well(.clock, "synchronised")),
        Case("a clock that says nothing", clock(kept: nil), .well(.clock, "plausible")),
        Case("a clock on its own", clock(kept: false), .warning(.clock, "not synchronised", fix)),
        Case("a clock without a battery", clock(kept: true, at: 86_400), .fault(.clock, "years behind", fix)),
        Case(
            "a clock that went back",
            clock(kept: true, noted: now + 7200),
            .fault(.clock, "written 2 hours from now", fix)
        ),
    ]

    private static func account(
        _ version: String?,
        here: String = "0.2.0",
        ahead: Int64? = 0,
        kept: Bool? = true
    ) -> AccountFacts {
        AccountFacts(
            "Deck",
            version: version.flatMap { ProgramVersion($0) },
            ownVersion: ProgramVersion(here),
            secondsAhead: ahead,
            isClockKept: kept
        )
    }

    private static let there = "sudo timedatectl set-ntp true    # on the other machine"

    private static let accounts: [Case] = [
        Case("a machine with the same clock and program", account("0.2.0", ahead: -90)),
        Case("a machine that says nothing of itself", account(nil, ahead: nil)),
        Case(
            "a clock over there that is ahead by three hours less a second",
            account("0.2.0", ahead: 3 * 3600 - 1),
            .warning(.clock, "Deck's clock is 3 hours ahead", there)
        ),
        Case(
            "a clock over there that is ahead",
            account("0.2.0", ahead: 3 * 3600 + 5),
            .warning(.clock, "Deck's clock is 3 hours ahead", there)
        ),
        Case(
            "a clock over there that is behind",
            account("0.2.0", ahead: -86_400 * 400),
            .warning(.clock, "Deck's clock is 400 days behind", there)
        ),
        Case(
            "two clocks apart, of which neither is known to be right",
            account("0.2.0", ahead: 600, kept: false),
            .warning(.clock, "10 minutes ahead", fix)
        ),
        Case(
            "an older program over there",
            account("0.1.9"),
            .warning(
                .version,
                "Deck runs huddle 0.1.9, and this machine 0.2.0",
                "sudo apt install ./huddle_*.deb    # the newer, on the other machine"
            )
        ),
        Case(
            "a newer program over there",
            account("0.10.0-1"),
            .warning(
                .version,
                "runs huddle 0.10.0-1",
                "sudo apt install ./huddle_*.deb    # the newer, on this machine"
            )
        ),
        Case(
            "programs whose numbers say nothing",
            account("tip"),
            .warning(.version, "runs huddle tip", "huddle --version    # on both machines; then the newer on both")
        ),
    ]
}
