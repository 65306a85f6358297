import Control
import Glibc
import Household
import LinuxPlatform
import TestSupport
import Testing
import Vocabulary

@Suite("The user at a terminal", .timeLimit(.minutes(10)))
struct TerminalTests {
    private let desk = Machine("Desk")
    private let deck = Machine("Deck")

    /// The output of a terminal, up to the text that a test waits for.
    private struct Screen {
        private let output: ChildOutput
        private(set) var shown = ""

        init(_ program: ChildProcess) throws { output = try #require(program.standardOutput) }

        /// Reads until the text is there, and returns the output up to its end. The limit of the test ends this.
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

    @Test("The inbox asks for the code of a stranger until the answer is one")
    func question() async throws {
        let inbox = try desk.startOnTerminal("inbox", "--address", "127.0.0.1", "--no-advertise", "--no-browse")
        var screen = try Screen(inbox)
        let ready = try await screen.awaits(#/listening on port (\d+)/#)
        let inviting = try await deck.invites("127.0.0.1:\(ready.1)")
        try await screen.awaits(#/Type the code it shows \(o CODE: this time only\), or \[n\]o \/ \[b\]lock: $/#)
        // Only a code is an answer. A yes would prove nothing about the machine that asks.
        try await inbox.standardInput?.write(Array("12345\n".utf8))
        try await screen.awaits(
            #/12345\s+huddle: a code has six digits, and this has 5\s+Type the code it shows .*: $/#
        )
        try await inbox.standardInput?.write(Array("y\n".utf8))
        try await screen.awaits(#/: y\s+huddle: only the code counts as a yes.*\s+Type the code it shows .*: $/#)
        try await inbox.standardInput?.write(Array("\(inviting.code.prefix(3)) \(inviting.code.suffix(3))\n".utf8))
        try await screen.awaits(#/Connected to Deck \(\S+\)/#)
        #expect(try await inviting.end().status == .exited(0))
        try await inbox.standardInput?.write([3])
        try await screen.readToEnd()
        _ = try await inbox.wait()
    }

    /// Runs `huddle accept` for Deck at Desk's terminal, up to the question for the code.
    private func askedForCode(then next: String? = nil) async throws -> (
        inbox: RunningInbox, inviting: Inviting, accept: ChildProcess, screen: Screen
    ) {
        let inbox = try await RunningInbox.start(on: desk)
        let inviting = try await deck.invites(await inbox.address)
        _ = try await inbox.next("invited")
        let accept = try desk.startOnTerminal("accept", "Deck", then: next)
        var screen = try Screen(accept)
        try await screen.awaits(#/Type the code that Deck \(\S+\) shows, or \[n\]o: $/#)
        return (inbox, inviting, accept, screen)
    }

    @Test("The user who accepts reads the question once, and the outcome")
    func answered() async throws {
        let (inbox, inviting, accept, shown) = try await askedForCode()
        var screen = shown
        try await accept.standardInput?.write(Array("\(inviting.code)\n".utf8))
        try await screen.readToEnd()
        #expect(try await accept.wait() == .exited(0), "\(screen.shown)")
        #expect(screen.shown.contains("Paired with"), "\(screen.shown)")
        #expect(screen.shown.matches(of: #/Type the code/#).count == 1, "\(screen.shown)")
        #expect(try await inviting.end().status == .exited(0))
        try await inbox.stop()
    }

    @Test("After a mistyped code there is one more try, with a new code that the other user requests")
    func anotherCode() async throws {
        let inbox = try await RunningInbox.start(on: desk)
        try await deck.isThere()
        let invite = try deck.startOnTerminal("invite", await inbox.address)
        var shown = try Screen(invite)
        let first = try await shown.awaits(#/Type this code there: (\d{3}) (\d{3})\s/#)
        _ = try await inbox.next("invited")
        let accept = try desk.startOnTerminal("accept", "Deck", first.1 == "000" ? "000001" : "000000")
        var asked = try Screen(accept)
        try await asked.awaits(#/waiting\s+for\s+another\s+code\s+of\s+Deck/#)
        // No new code is shown before the other user wants it, since each one is a guess for a machine in between.
        try await shown.awaits(#/the code was mistyped.*\s+Show another code\? \[y\]es \/ \[n\]o: $/#)
        try await invite.standardInput?.write(Array("y\n".utf8))
        let second = try await shown.awaits(#/another code\?.*: y\s+[\s\S]*Type this code there: (\d{3} \d{3})\s/#)
        try await asked.awaits(#/Type the code that Deck \(\S+\) shows, or \[n\]o: $/#)
        try await accept.standardInput?.write(Array("\(second.1)\n".utf8))
        try await asked.readToEnd()
        #expect(try await accept.wait() == .exited(0), "\(asked.shown)")
        try await shown.readToEnd()
        #expect(try await invite.wait() == .exited(0), "\(shown.shown)")
        try await inbox.stop()
    }

    @Test("One command shows no third code, and no second one after a no")
    func noThirdCode() async throws {
        let inbox = try await RunningInbox.start(on: desk)
        try await deck.isThere()
        for answers in [["n"], ["y"]] {
            let invite = try deck.startOnTerminal("invite", await inbox.address)
            var shown = try Screen(invite)
            for answer in answers + [""] {
                _ = try await inbox.next("invited")
                let accepted = try await desk.huddle("accept", "Deck", "000000")
                #expect(accepted.status == .exited(8), "\(accepted.story)")
                guard !answer.isEmpty else { break }
                try await shown.awaits(#/Show another code\? .*: $/#)
                try await invite.standardInput?.write(Array("\(answer)\n".utf8))
                if answer == "n" { break }
            }
            try await shown.readToEnd()
            #expect(try await invite.wait() == .exited(8), "\(shown.shown)")
            #expect(shown.shown.matches(of: #/Show another code/#).count == 1, "\(shown.shown)")
        }
        try await inbox.stop()
    }

    @Test("The question for a code ends with the reason once the inviter has cancelled")
    func inviterGivesUp() async throws {
        let (inbox, inviting, accept, shown) = try await askedForCode()
        var screen = shown
        inviting.program.send(SIGINT)
        try await screen.readToEnd()
        guard case .exited(let status) = try await accept.wait() else { Issue.record("killed"); return }
        #expect(status != 0 && screen.shown.contains("taken back"), "\(screen.shown)")
        _ = try await inviting.end()
        try await inbox.stop()
    }

    @Test("Digits that were typed for a question that ended never reach the shell")
    func digitsTypedTooLate() async throws {
        let (inbox, inviting, accept, shown) = try await askedForCode(then: "IFS= read -r rest; echo \"rest[$rest]\"")
        var screen = shown
        try await accept.standardInput?.write(Array("123".utf8))
        try await screen.awaits(#/o: 123$/#)
        inviting.program.send(SIGINT)
        try await screen.awaits(#/taken back/#)
        try await accept.standardInput?.write(Array("\n".utf8))
        let rest = try await screen.awaits(#/rest\[(.*)\]/#).1
        #expect(rest.isEmpty, "\(screen.shown)")
        try await screen.readToEnd()
        _ = try await accept.wait()
        _ = try await inviting.end()
        try await inbox.stop()
    }

    @Test(
        "An invitation to a machine that has invited this one asks for its code, and both are paired"
    )
    func bothInvite() async throws {
        let (first, second) = (try await RunningDaemon.start(on: desk), try await RunningDaemon.start(on: deck))
        let events = try await desk.events()
        let inviting = try await deck.invites(first.address)
        while let line = try await events.next(), line.name != "invited" {}
        let other = try desk.startOnTerminal("invite", try await id(of: deck))
        var screen = try Screen(other)
        try await screen.awaits(#/Deck \(\S+\) asks to come in .*\s+Type the code it shows .*: $/#)
        try await other.standardInput?.write(Array("\(inviting.code)\n".utf8))
        try await screen.readToEnd()
        #expect(try await other.wait() == .exited(0), "\(screen.shown)")
        #expect(screen.shown.contains("Paired with"), "\(screen.shown)")
        #expect(!screen.shown.contains("Type this code there"), "\(screen.shown)")
        let invite = try await inviting.end()
        #expect(invite.status == .exited(0), "\(invite.story)")
        try await knowEachOther()
        try await first.stop()
        try await second.stop()
    }

    @Test("If both invite at once, one screen shows a code and the other one asks for it")
    func bothAtOnce() async throws {
        let (first, second) = (try await RunningDaemon.start(on: desk), try await RunningDaemon.start(on: deck))
        try await connect(to: first)
        let (desksID, decksID) = (try await id(of: desk), try await id(of: deck))
        let events = [try await desk.events(), try await deck.events()]
        let ends = [
            (try desk.startOnTerminal("invite", decksID), events[0]),
            (try deck.startOnTerminal("invite", desksID), events[1]),
        ]
        // One machine asks its user, and the other one shows the code.
        let asked = try await withThrowingTaskGroup(of: Int.self) { group in
            for (place, (_, events)) in ends.enumerated() {
                group.addTask {
                    while let line = try await events.next(), line.name != "invited" {}
                    return place
                }
            }
            defer { group.cancelAll() }
            return try #require(try await group.next())
        }
        let (asking, showing) = (ends[asked].0, ends[1 - asked].0)
        var (question, answer) = (try Screen(asking), try Screen(showing))
        let code = try await answer.awaits(#/Type this code there: (\d{3} \d{3})\s/#).1
        try await question.awaits(#/Type the code it shows .*: $/#)
        try await asking.standardInput?.write(Array("\(code)\n".utf8))
        try await question.readToEnd()
        try await answer.readToEnd()
        #expect(try await asking.wait() == .exited(0), "\(question.shown)")
        #expect(try await showing.wait() == .exited(0), "\(answer.shown)")
        // An earlier code on the screen is no longer valid, and the user must read that.
        let isVoid = question.shown.contains("Type this code there")
        #expect(question.shown.contains("the code above does not count") == isVoid, "\(question.shown)")
        try await knowEachOther()
        try await first.stop()
        try await second.stop()
    }

    private func knowEachOther() async throws {
        #expect(try await desk.huddle("peers").output.contains(#/Deck .* accept +yes /#))
        #expect(try await deck.huddle("peers").output.contains(#/Desk .* accept +yes /#))
    }

    @Test("Two machines trust keys by their IDs without a code if both sides say so")
    func keysByID() async throws {
        let (first, second) = (try await RunningDaemon.start(on: desk), try await RunningDaemon.start(on: deck))
        try await connect(to: first)
        let events = try await desk.events()
        let inviting = try await deck.invites(try await id(of: desk), "--yes")
        while let line = try await events.next(), line.name != "invited" {}
        let accepted = try await desk.huddle("accept", try await id(of: deck), "--yes")
        #expect(accepted.status == .exited(0), "\(accepted.story)")
        let invite = try await inviting.end()
        #expect(invite.status == .exited(0), "\(invite.story)")
        try await knowEachOther()
        try await first.stop()
        try await second.stop()
    }

    /// Connects the two machines, so that each can name the other by its id without seeing it on the network.
    private func connect(to daemon: RunningDaemon) async throws {
        let events = try await desk.events()
        let declined = try await deck.invites(daemon.address)
        while let line = try await events.next(), line.name != "invited" {}
        #expect(try await desk.huddle("decline", "Deck").status == .exited(0))
        #expect(try await declined.end().status == .exited(6))
        // A command that follows events from now on gets the waiting invitations.
        while let line = try await events.next(), line.name != "invitation-over" {}
    }

    private func id(of machine: Machine) async throws -> String {
        try #require(try await machine.events().next()?.event.peer).id.description
    }

    @Test("A terminal shows progress, rate and time left of a file, and a pipe does not")
    func bars() async throws {
        let inbox = try await RunningInbox.start(on: desk)
        try await meet(deck, inbox, of: desk)
        // A sparse file, so large that its transfer runs until the test ends it.
        try retrying("truncate") {
            let file = open(deck.home.path(of: "film"), O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
            defer { close(file) }
            return ftruncate(file, 8 << 30)
        }
        let sending = try deck.startOnTerminal("send", "Desk", "film")
        var screen = try Screen(sending)
        try await screen.awaits(#/film → Desk  [█░]{6,24} +\d+ %  8\.0 GiB  [0-9.]+ [KMG]iB\/s  \d+:\d\d left/#)
        // The signal of Ctrl-C on the keyboard.
        try await sending.standardInput?.write([3])
        try await screen.readToEnd()
        #expect(try await sending.wait() == .exited(130), "\(screen.shown)")
        #expect(
            screen.shown.contains(#/Interrupted\. film → Desk at \d+ %\. What has arrived is kept/#),
            "\(screen.shown)"
        )
        #expect(try await inbox.next("not-received").name == "film")
        try deck.home.put("small", at: "note")
        let piped = try await deck.huddle("send", "Desk", "note")
        #expect(piped.output == "note (5 B) is with Desk\n" && !piped.story.contains("░"), "\(piped.story)")
        try await inbox.stop()
    }
}
