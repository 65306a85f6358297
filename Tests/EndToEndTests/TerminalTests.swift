import Control
import Glibc
import Household
import LinuxPlatform
import TestSupport
import Testing
import Vocabulary

@Suite("a person at a terminal", .timeLimit(.minutes(10)))
struct TerminalTests {
    private let desk = Machine("Desk")
    private let deck = Machine("Deck")

    /// What a terminal shows, until it shows what is waited for.
    private struct Screen {
        private let output: ChildOutput
        private(set) var shown = ""

        init(_ program: ChildProcess) throws { output = try #require(program.standardOutput) }

        /// Reads on until the text is there, and gives what came before its end; the limit of the test ends it.
        @discardableResult
        mutating func awaits<Output>(_ wanted: Regex<Output>) async throws -> Output {
            while true {
                if let match = shown.firstMatch(of: wanted) { return match.output }
                let more = try await output.read()
                try #require(!more.isEmpty, "it ended with:\n\(shown)")
                shown += String(decoding: more, as: UTF8.self)
            }
        }

        mutating func readToEnd() async throws {
            while true {
                let more = try await output.read()
                if more.isEmpty { return }
                shown += String(decoding: more, as: UTF8.self)
            }
        }
    }

    @Test("is asked for the code where somebody asks to come in, until it is one")
    func question() async throws {
        let inbox = try desk.startOnTerminal("inbox", "--address", "127.0.0.1", "--no-advertise", "--no-browse")
        var screen = try Screen(inbox)
        let ready = try await screen.awaits(#/listening on port (\d+)/#)
        let inviting = try await deck.invites("127.0.0.1:\(ready.1)", "--no-browse")
        let question = #/Type the code it shows \(o CODE: this time only\), or \[n\]o \/ \[b\]lock: $/#
        try await screen.awaits(question)
        // What is no code is no answer, and neither is a yes: it would say nothing about who asks.
        for line in ["12345", "y"] {
            try await inbox.standardInput?.write(Array("\(line)\n".utf8))
            try await screen.awaits(#/\n.*Type the code it shows .*: $/#)
        }
        try await inbox.standardInput?.write(Array("\(inviting.code.prefix(3)) \(inviting.code.suffix(3))\n".utf8))
        try await screen.awaits(#/Deck \(\S+\) is in/#)
        #expect(try await inviting.end().status == .exited(0))
        try await inbox.standardInput?.write([3])
        try await screen.readToEnd()
        #expect(try await inbox.wait() == .exited(0))
    }

    @Test("reads the question once who lets somebody in, and what came of it")
    func answered() async throws {
        let inbox = try await RunningInbox.start(on: desk)
        let inviting = try await deck.invites(await inbox.address, "--no-browse")
        _ = try await inbox.next("invited")
        let accept = try desk.startOnTerminal("accept", "Deck")
        var screen = try Screen(accept)
        try await screen.awaits(#/Type the code that Deck \(\S+\) shows, or \[n\]o: $/#)
        try await accept.standardInput?.write(Array("\(inviting.code)\n".utf8))
        try await screen.readToEnd()
        #expect(try await accept.wait() == .exited(0), "\(screen.shown)")
        #expect(screen.shown.contains("is in, and comes in without a question"), "\(screen.shown)")
        #expect(screen.shown.matches(of: #/Type the code/#).count == 1, "\(screen.shown)")
        #expect(try await inviting.end().status == .exited(0))
        try await inbox.stop()
    }

    @Test(
        "is asked for the other's code who invites a machine that has invited this one, and then both know each other"
    )
    func bothInvite() async throws {
        let (first, second) = (try await RunningDaemon.start(on: desk), try await RunningDaemon.start(on: deck))
        let events = try await desk.events()
        let inviting = try await deck.invites(first.address)
        while let news = try await events.next(), news.event != "invited" {}
        let other = try desk.startOnTerminal("invite", second.address)
        var screen = try Screen(other)
        try await screen.awaits(#/Deck \(\S+\) asks to come in .*\s+Type the code it shows .*: $/#)
        try await other.standardInput?.write(Array("\(inviting.code)\n".utf8))
        try await screen.readToEnd()
        #expect(try await other.wait() == .exited(0), "\(screen.shown)")
        #expect(screen.shown.contains("is known from now on"), "\(screen.shown)")
        #expect(!screen.shown.contains("Type this code there"), "\(screen.shown)")
        let invite = try await inviting.end()
        #expect(invite.status == .exited(0), "\(invite.story)")
        try await knowEachOther()
        try await first.stop()
        try await second.stop()
    }

    @Test("sees the code on one screen and types it at the other where both invite at the same time")
    func bothAtOnce() async throws {
        let (first, second) = (try await RunningDaemon.start(on: desk), try await RunningDaemon.start(on: deck))
        let invites = [
            try desk.startOnTerminal("invite", second.address), try deck.startOnTerminal("invite", first.address),
        ]
        let screens = try await withThrowingTaskGroup(of: (Int, Screen, String?).self) { group in
            for (place, invite) in invites.enumerated() {
                group.addTask {
                    var screen = try Screen(invite)
                    let seen = try await screen.awaits(
                        #/Type this code there: (\d{3} \d{3})\s|Type the code it shows .*: $/#
                    )
                    return (place, screen, seen.1.map(String.init))
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        // A link that takes another's place in the middle may leave a code on both screens. One of them is void, and only there a code is asked for.
        let asked = try await place(thatAsks: screens)
        let code = try #require(screens.first { $0.0 != asked }?.2, "\(screens.map(\.1.shown))")
        try await invites[asked].standardInput?.write(Array("\(code)\n".utf8))
        for (place, screen, _) in screens {
            var screen = screen
            try await screen.readToEnd()
            #expect(try await invites[place].wait() == .exited(0), "\(screen.shown)")
        }
        try await knowEachOther()
        try await first.stop()
        try await second.stop()
    }

    private func place(thatAsks screens: [(Int, Screen, String?)]) async throws -> Int {
        if let asked = screens.first(where: { $0.2 == nil }) { return asked.0 }
        return try await withThrowingTaskGroup(of: Int.self) { group in
            for (place, screen, _) in screens {
                group.addTask {
                    var screen = screen
                    try await screen.awaits(#/Type the code it shows .*: $/#)
                    return place
                }
            }
            defer { group.cancelAll() }
            return try #require(try await group.next())
        }
    }

    private func knowEachOther() async throws {
        #expect(try await desk.huddle("peers").output.contains(#/Deck .* accept +yes /#))
        #expect(try await deck.huddle("peers").output.contains(#/Desk .* accept +yes /#))
    }

    @Test("takes keys by their ids without a code where both sides say so")
    func keysByID() async throws {
        let (first, second) = (try await RunningDaemon.start(on: desk), try await RunningDaemon.start(on: deck))
        let events = try await desk.events()
        // By this the one knows where the other is; with an id alone it would have to be seen on the network.
        let declined = try await deck.invites(first.address)
        while let news = try await events.next(), news.event != "invited" {}
        #expect(try await desk.huddle("decline", "Deck").status == .exited(0))
        #expect(try await declined.end().status == .exited(6))
        let inviting = try await deck.invites(try await id(of: desk), "--yes")
        while let news = try await events.next(), news.event != "invited" {}
        let accepted = try await desk.huddle("accept", try await id(of: deck), "--yes")
        #expect(accepted.status == .exited(0), "\(accepted.story)")
        let invite = try await inviting.end()
        #expect(invite.status == .exited(0), "\(invite.story)")
        try await knowEachOther()
        try await first.stop()
        try await second.stop()
    }

    private func id(of machine: Machine) async throws -> String {
        try #require(try await machine.events().next()?.peer).id.description
    }

    @Test("sees how far a file is, how fast it goes and how long it will take; who reads a pipe sees none of it")
    func bars() async throws {
        let inbox = try await RunningInbox.start(on: desk)
        try await meet(deck, inbox, of: desk)
        // All of it a hole, and so large that it is under way until somebody ends it.
        try retrying("truncate") {
            let file = open(deck.home.path(of: "film"), O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
            defer { close(file) }
            return ftruncate(file, 8 << 30)
        }
        let sending = try deck.startOnTerminal("send", "Desk", "film", "--no-browse")
        var screen = try Screen(sending)
        try await screen.awaits(#/film → Desk  [█░]{6,24} +\d+ %  8\.0 GiB  [0-9.]+ [KMG]iB\/s  \d+:\d\d left/#)
        // As Ctrl-C on the keyboard.
        try await sending.standardInput?.write([3])
        try await screen.readToEnd()
        #expect(try await sending.wait() == .exited(130), "\(screen.shown)")
        try deck.home.put("small", at: "note")
        let piped = try await deck.huddle("send", "Desk", "note", "--no-browse")
        #expect(piped.output == "note (5 B) is with Desk\n" && !piped.story.contains("░"), "\(piped.story)")
        try await inbox.stop()
    }
}
