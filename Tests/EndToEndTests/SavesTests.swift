import Control
import FoundationEssentials
import Glibc
import Household
import LinuxPlatform
import Session
import TestSupport
import Testing
import Vocabulary

@Suite("Saves of two machines with daemons", .timeLimit(.minutes(10)))
struct SavesTests {
    let desk = Machine("Desk")
    let deck = Machine("Deck")

    func ask(_ machine: Machine, _ words: String...) async throws -> String {
        let answer = try await machine.huddle(words)
        #expect(answer.status == .exited(0), "\(words): \(answer.story)")
        return answer.output
    }

    /// Waits until a machine's daemon reports an event.
    func wait(for event: String, in events: ResponseEvents, _ place: SourceLocation = #_sourceLocation) async throws {
        while let line = try await events.next() {
            if line.name == event { return }
        }
        Issue.record("“\(event)” was not told", sourceLocation: place)
    }

    /// Desk and deck share a game in folders of different names.
    func withSharedSet(_ body: (ResponseEvents, ResponseEvents) async throws -> Void) async throws {
        let (first, second) = (try await RunningDaemon.start(on: desk), try await RunningDaemon.start(on: deck))
        try await desk.meets(deck, at: first)
        mkdir(desk.home.path(of: "game"), 0o755)
        try desk.home.put("{\"score\": 10}", at: "game/save.json")
        _ = try await ask(desk, "share", "--only-here", "game", "--name", "celeste")
        let (atDesk, atDeck) = (try await desk.events(), try await deck.events())
        #expect(try await ask(desk, "share", "celeste", "--with", "Deck").contains("Offered celeste to Deck"))
        try await wait(for: "save-offer", in: atDeck)
        #expect(try await ask(deck, "join", "celeste", "--at", "roms/saves").contains("in sync"))
        try await wait(for: "applied", in: atDeck)
        #expect(deck.home.text(at: "roms/saves/save.json") == "{\"score\": 10}")
        try await body(atDesk, atDeck)
        try await first.stop()
        try await second.stop()
    }

    @Test("A game is not shared with a machine without the right to saves, and the hint names the right")
    func missingPolicy() async throws {
        let daemon = try await RunningDaemon.start(on: desk)
        try desk.home.put("old", at: "save")
        _ = try await ask(desk, "share", "--only-here", "save", "--name", "celeste")
        let other = try #require(PeerID(bytes: [UInt8](repeating: 7, count: 32)))
        func missing(_ words: String...) async throws -> Substring? {
            #expect(try await desk.huddle(["policy", other.description] + words).status == .exited(0))
            let answer = try await desk.huddle("share", "celeste", "--with", other.short)
            let hint = answer.standardError.text.firstMatch(of: #/huddle policy (.*)\n/#)?.1
            #expect((hint == nil) == answer.status.isSuccess, "\(answer.story)")
            return hint
        }
        #expect(try await missing("--set", "accept") == nil)
        #expect(try await missing("--allow", "messages,streams") == "\(other.short) --allow messages,streams,saves")
        #expect(try await missing("--allow", "resources,saves") == "\(other.short) --allow all")
        #expect(try await missing("--set", "ask") == "\(other.short) --set accept --allow all")
        #expect(try await missing("--allow", "all") == "\(other.short) --set accept")
        try await daemon.stop()
    }

    @Test("A save syncs and is listed, and an old version is restored on both machines")
    func sharing() async throws {
        try await withSharedSet { atDesk, atDeck in
            try deck.home.put("{\"score\": 25}", at: "roms/saves/save.json")
            try await wait(for: "applied", in: atDesk)
            #expect(desk.home.text(at: "game/save.json") == "{\"score\": 25}")
            let history = try await ask(desk, "history", "celeste")
            #expect(history.contains("@1 ") && history.contains("saved on Desk"))
            #expect(history.contains("@2 ") && history.contains("saved on Deck") && history.contains("(shown)"))
            _ = try await ask(desk, "restore", "celeste@1", "--note", "it was better")
            try await wait(for: "applied", in: atDeck)
            #expect(deck.home.text(at: "roms/saves/save.json") == "{\"score\": 10}")
            #expect(try await ask(deck, "history", "celeste").contains("“it was better”"))
            #expect(try await ask(desk, "fsck").contains("all sound"))
            #expect(try await ask(desk, "history").contains("for 3 versions"))
            #expect(try await ask(desk, "fix") == "no conflicts\n")
        }
    }

    @Test("Saves are in sync again after a ledger was overwritten with garbage")
    func damagedLedger() async throws {
        try await withSharedSet { atDesk, _ in
            try deck.home.put("{\"score\": 25}", at: "roms/saves/save.json")
            try await wait(for: "applied", in: atDesk)
        }
        try desk.home.put(String(repeating: "garbage ", count: 9_000), at: ".local/state/huddle/ledger.sqlite")
        let (first, second) = (try await RunningDaemon.start(on: desk), try await RunningDaemon.start(on: deck))
        let reported = first.firstWords.joined(separator: "\n")
        #expect(reported.contains("ledger.sqlite.damaged-1") && reported.contains("huddle list"), "\(reported)")
        let history = try await ask(desk, "history", "celeste")
        #expect(history.contains("@1 ") && history.contains("@2 ") && history.contains("(shown)"), "\(history)")
        #expect(try await ask(desk, "fix") == "no conflicts\n")
        let atDesk = try await desk.events()
        // The accepted machines are known again, and only their addresses may have changed.
        _ = try await ask(desk, "invite", second.address)
        try deck.home.put("{\"score\": 30}", at: "roms/saves/save.json")
        while desk.home.text(at: "game/save.json") != "{\"score\": 30}" { try await wait(for: "applied", in: atDesk) }
        #expect(try await ask(desk, "history", "celeste").contains("@3 "))
        try await first.stop()
        try await second.stop()
    }

    @Test("A played game ends with its own exit code, and its save is sent")
    func playing() async throws {
        try await withSharedSet { _, atDeck in
            let file = desk.home.path(of: "game/save.json")
            let game = try await desk.huddle(["play", "celeste", "--", "sh", "-c", "printf '{}' > \(file); exit 7"])
            #expect(game.status == .exited(7), "\(game.story)")
            #expect(game.output.isEmpty, "\(game.story)")
            #expect(game.standardError.text == "huddle: celeste: saved; Deck has it\n", "\(game.story)")
            try await wait(for: "applied", in: atDeck)
            #expect(deck.home.text(at: "roms/saves/save.json") == "{}")
            let unknown = try await desk.huddle("play", "nothing", "--", "true")
            #expect(unknown.status == .exited(4) && unknown.standardError.text.contains("no game “nothing”"))
        }
    }

    @Test("Saves that both machines changed offline are a conflict, and one choice ends it everywhere")
    func conflict() async throws {
        try await withSharedSet { atDesk, atDeck in
            // Each machine changes the save before it learns of the other's change.
            _ = try await ask(desk, "policy", "Deck", "--set", "block")
            while try await !ask(desk, "list").contains("NOT SYNCING") {}
            try desk.home.put("{\"score\": 30}", at: "game/save.json")
            try await wait(for: "saved", in: atDesk)
            try deck.home.put("{\"score\": 31}", at: "roms/saves/save.json")
            try await wait(for: "saved", in: atDeck)
            let alone = try await deck.huddle("play", "celeste", "--", "true")
            #expect(alone.status == .exited(0), "\(alone.story)")
            let words = alone.standardError.text
            #expect(words.contains("celeste starts with the save of this machine: Desk "), "\(words)")
            _ = try await ask(desk, "unblock", "Deck")
            _ = try await ask(deck, "msg", "Desk", "here I am")
            try await wait(for: "conflict", in: atDesk)
            let sides = try await ask(desk, "fix")
            #expect(sides.contains("huddle fix celeste --keep"))
            #expect(sides.contains("score: Desk 30, Deck 31") || sides.contains("score: Deck 31, Desk 30"), "\(sides)")
            #expect(desk.home.text(at: "game/save.json") == "{\"score\": 30}")
            _ = try await ask(desk, "fix", "celeste", "--keep", "merge", "--favour", "Deck")
            try await wait(for: "applied", in: atDesk)
            #expect(desk.home.text(at: "game/save.json") == "{\"score\": 31}")
        }
    }

    @Test("A save can be pushed to a game or the inbox, and other files can't")
    func pushing() async throws {
        try await withSharedSet { _, atDeck in
            try desk.home.put("{\"score\": 77}", at: "better.json")
            let push = ["state", "push", "better.json", "--to", "Deck"]
            let pushed = try await desk.huddle(push + ["--set", "celeste", "--as", "save.json"])
            #expect(pushed.output.contains("Deck has it in celeste: version "), "\(pushed.story)")
            try await wait(for: "applied", in: atDeck)
            #expect(deck.home.text(at: "roms/saves/save.json") == "{\"score\": 77}")
            let history = try await ask(deck, "history", "celeste")
            #expect(history.contains("delivered on Deck  1 changed  “from Desk”  (shown)"), "\(history)")
            let kept = try await desk.huddle(push)
            #expect(kept.output == "Deck has it: better.json\n", "\(kept.story)")
            #expect(deck.home.text(at: "Downloads/better.json") == "{\"score\": 77}")
            #expect(try await ask(deck, "inbox", "--list").contains("better.json"))
            let unknown = try await desk.huddle(push + ["--set", "other"])
            #expect(unknown.status == .exited(1))
            #expect(unknown.standardError.text.contains("Deck refused it: it shares no game “other”"))
            let nowhere = try await desk.huddle(push + ["--set", "celeste", "--as", "no/where.json"])
            let refusal = nowhere.standardError.text
            #expect(refusal.contains("“no/where.json” can be no file of this game"), "\(nowhere.story)")
            let hint = "make the folder “no” there, or choose another place with --as"
            #expect(refusal.contains(hint), "\(nowhere.story)")
        }
    }

    @Test("A pushed file that is no sound save is refused, whatever its sender says")
    @Engine
    func pushedUnsound() async throws {
        let (first, second) = (try await RunningDaemon.start(on: desk), try await RunningDaemon.start(on: deck))
        try await desk.meets(deck, at: first)
        try await first.stop()
        var configuration = NodeConfiguration(
            folder: desk.home.path(of: ".local/state/huddle"),
            name: try InstanceName("Desk")
        )
        configuration.address = .v4(127, 0, 0, 1)
        (configuration.advertises, configuration.browses) = (false, false)
        let node = try await Node.open(configuration)
        let running = Task { await node.run() }
        let session = node.session(
            SessionConfiguration(name: try Label("state"), topology: .pair, invitesAgain: false)
        )
        let target = try Node.Target.address(HostAndPort(second.address))
        let peer = try await node.invite(target, to: session, context: Array("huddle-state/1".utf8))
        #expect(try await answer(in: session) == [0])
        let stream = try await session.openStream(named: try Label("state"), to: peer)
        // A push to the inbox as in docs/internals/sync-protocol.md: “x”, with eight bytes that begin like a property
        // list.
        try await stream.write([0, 8, 0, 0, 1, 0x78, 0, 0, 0, 8] + Array("bplist00".utf8))
        try await stream.finish()
        let refused = try await answer(in: session)
        #expect(refused.first == 2)
        #expect(String(decoding: refused, as: UTF8.self).contains("archive.damaged"))
        #expect(deck.home.text(at: "Downloads/x") == nil)
        session.leave()
        running.cancel()
        await running.value
        try await second.stop()
    }

    @Engine
    private func answer(in session: Session) async throws -> [UInt8] {
        while let event = await session.events.next() {
            if case .message(let message) = event { return message.bytes }
        }
        return []
    }

    @Test("Commands for saves need the daemon, and say how to start it")
    func without() async throws {
        let answer = try await desk.huddle("list")
        #expect(answer.status == .exited(30))
        #expect(answer.standardError.text.contains("\nhint: start it with `"))
        #expect(try await desk.huddle("play", "celeste", "--", "true").status == .exited(30))
        let anyway = try await desk.huddle("play", "celeste", "--anyway", "--", "sh", "-c", "exit 7")
        #expect(anyway.status == .exited(7) && anyway.standardError.text.contains("keeps the game's saves once"))
    }
}
