import Diagnosis
import Vocabulary

/// Facts with their expected findings.
enum FindingTable {
    private static var slow: DaemonFacts {
        var facts = DaemonFacts(version: "1", presence: .daemon(version: "1", words: "huddled"), hasSystemd: true)
        facts.peersSilentWithin = .seconds(20)
        return facts
    }

    static let daemon: [Case] = [
        Case(
            "no daemon",
            DaemonFacts(version: "1", presence: .noDaemon, hasSystemd: true),
            .fault(.daemon, "no huddled runs", "systemctl --user enable --now huddled")
        ),
        Case(
            "no daemon, no service manager",
            DaemonFacts(version: "1", presence: .noDaemon, hasSystemd: false),
            .fault(.daemon, "no huddled runs", "huddled")
        ),
        Case(
            "a daemon that says nothing",
            DaemonFacts(version: "1", presence: .silent(words: "huddled, process 7"), hasSystemd: true),
            .fault(.daemon, "process 7", "systemctl --user restart huddled")
        ),
        Case(
            "a daemon of this version",
            DaemonFacts(version: "1", presence: .daemon(version: "1", words: "huddled"), hasSystemd: true),
            .well(.daemon, "huddled"),
            .well(.version, "both 1")
        ),
        Case(
            "a daemon that does not say who is there",
            slow,
            .well(.daemon, "huddled"),
            .warning(.daemon, "within 20 seconds", "huddle doctor"),
            .well(.version, "both 1")
        ),
        Case(
            "a daemon of another version",
            DaemonFacts(version: "2", presence: .daemon(version: "1", words: "huddled"), hasSystemd: true),
            .well(.daemon, "huddled"),
            .fault(.version, "huddle is 2 and huddled is 1", "systemctl --user restart huddled")
        ),
        Case("settings that are right", SettingsFacts(path: "/c", trouble: nil)),
        Case(
            "settings that are wrong",
            SettingsFacts(path: "/c", trouble: "there is no setting “prot”"),
            .fault(.settings, "prot", "huddle config check")
        ),
    ]

    static let peers: [Case] = [
        Case(
            "a blocked peer",
            peer { $0.policy = .block },
            .warning(.peers, "is blocked", "huddle unblock \(id.short)")
        ),
        Case(
            "a peer that waits",
            peer { $0.waits = true },
            .warning(.peers, "wants to pair", "huddle pair \(id.short)")
        ),
        Case(
            "a peer that is there and unknown",
            peer { $0.isSeen = true },
            .warning(.peers, "not paired", "huddle pair \(id.short)")
        ),
        Case(
            "a stranger that is seen and silent",
            peer { ($0.isSeen, $0.connection) = (true, .silent) },
            .fault(
                .peers,
                "no answer comes",
                "huddle doctor    # on the other machine, which names its firewall and the command for the port"
            )
        ),
        Case("a peer that is neither there nor known", peer { _ in }),
        Case(
            "a game that another machine shares",
            AskedGameFacts("celeste", .offered(by: "Desk")),
            .fault(.games, "not joined", "huddle join celeste")
        ),
        Case(
            "a game that is not shared",
            AskedGameFacts("celeste", .found),
            .fault(.games, "is not shared", "huddle share celeste")
        ),
        Case(
            "a game of which nothing is known",
            AskedGameFacts("x", .unknown),
            .fault(.games, "no game x", "huddle list")
        ),
        Case(
            "a machine that is offline and has an older save",
            AskedGameFacts("celeste", .shared(missing: [.init("Deck", .offline)])),
            .warning(.games, "Deck does not have the newest save of celeste", "huddle wait celeste")
        ),
        Case(
            "a machine that is online and has an older save",
            AskedGameFacts("celeste", .shared(missing: [.init("Deck", .online)])),
            .warning(.games, "Deck does not have the newest save", "huddle doctor celeste    # on that machine, too")
        ),
        Case(
            "a machine on which the game is paused",
            AskedGameFacts("celeste", .shared(missing: [.init("Deck", .paused)])),
            .warning(.games, "Deck has paused celeste", "huddle resume celeste    # on that machine")
        ),
        Case("a game that is in sync", GameStateFacts("celeste", state: "in sync"), .well(.games, "celeste: in sync")),
        Case(
            "a game that a policy stops",
            GameStateFacts(
                "celeste",
                state: "not syncing",
                fault: "this machine does not let Deck sync saves",
                command: "huddle policy abcd --set accept"
            ),
            .fault(.games, "celeste: not syncing: this machine does not let Deck", "huddle policy abcd --set accept")
        ),
        Case(
            "a known peer that answers",
            peer { ($0.isPinned, $0.isSeen, $0.connection) = (true, true, .answered) },
            .well(.peers, "answers")
        ),
        Case(
            "a known peer that answers over a VPN",
            peer { ($0.isPinned, $0.connection, $0.address, $0.vpn) = (true, .answered, "100.64.0.2:1", "tailscale0") },
            .well(.peers, "answers at 100.64.0.2:1 over the VPN tailscale0, though it is not seen")
        ),
        Case(
            "a known peer that answers a machine without avahi-daemon",
            peer { ($0.isPinned, $0.isBlind, $0.connection) = (true, true, .answered) },
            .well(.peers, "not seen, as no avahi-daemon answers on this machine")
        ),
        Case(
            "a known peer that is away",
            peer { ($0.isPinned, $0.connection) = (true, .silent) },
            .well(.peers, "paired and offline")
        ),
        Case(
            "a known peer that is seen and silent",
            peer { ($0.isPinned, $0.isSeen, $0.connection, $0.address) = (true, true, .silent, "10.0.0.7:4242") },
            .fault(
                .peers,
                "no answer comes from 10.0.0.7:4242",
                "huddle doctor    # on the other machine, which names its firewall and the command for the port"
            )
        ),
        Case(
            "a known peer that is seen still, where this machine's own cable is out",
            peer { ($0.isPinned, $0.isSeen, $0.connection, $0.isCutOff) = (true, true, .silent, true) },
            .well(.peers, "can't be reached while this machine is on no network")
        ),
        Case(
            "a paired machine that is seen, without a listener",
            peer { ($0.isPinned, $0.isSeen, $0.connection, $0.address) = (true, true, .refused, "10.0.0.7:4242") },
            .fault(.peers, "its port at 10.0.0.7:4242 is closed", "huddle doctor    # on the other machine")
        ),
    ]

    private static let id: PeerID = {
        guard let id = PeerID(bytes: [UInt8](repeating: 7, count: 32)) else {
            preconditionFailure("32 bytes are an id")
        }
        return id
    }()

    private static func peer(_ fill: (inout PeerFacts) -> Void) -> PeerFacts {
        var peer = PeerFacts(id, nil)
        fill(&peer)
        return peer
    }
}
