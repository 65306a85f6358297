import Glibc
import LinuxPlatform
import TestSupport
import Testing

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
        mutating func awaits(_ wanted: some RegexComponent) async throws {
            while shown.firstMatch(of: wanted) == nil {
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

    @Test("is asked whether the codes are the same, and nobody is asked where there is none")
    func question() async throws {
        let inbox = try await RunningInbox.start(on: desk)
        let address = await inbox.address
        let unasked = try await deck.huddle("invite", address, "--no-browse")
        #expect(unasked.status == .exited(15), "\(unasked.story)")
        #expect(!unasked.output.contains("[y]es"))
        let invite = try deck.startOnTerminal("invite", address, "--no-browse")
        var screen = try Screen(invite)
        try await screen.awaits(#/on the other screen\? \[y\]es \/ \[n\]o, or type the code there: $/#)
        try await invite.standardInput?.write(Array("y\n".utf8))
        try await screen.awaits(#/waiting for Desk/#)
        #expect(try await desk.huddle("accept", "Deck", "--yes").status == .exited(0))
        try await screen.readToEnd()
        #expect(screen.shown.contains("has let this machine in"), "\(screen.shown)")
        #expect(try await invite.wait() == .exited(0))
        try await inbox.stop()
    }

    @Test("reads the question once who lets somebody in, and what came of it")
    func answered() async throws {
        let inbox = try await RunningInbox.start(on: desk)
        let address = await inbox.address
        async let inviting = deck.huddle("invite", address, "--no-browse", "--yes")
        _ = try await inbox.next("invited")
        let accept = try desk.startOnTerminal("accept", "Deck")
        var screen = try Screen(accept)
        try await screen.awaits(#/on the other screen\? \[y\]es \/ \[n\]o, or type the code there: $/#)
        try await accept.standardInput?.write(Array("y\n".utf8))
        try await screen.readToEnd()
        #expect(try await accept.wait() == .exited(0), "\(screen.shown)")
        #expect(screen.shown.contains("is in, and comes in without a question"), "\(screen.shown)")
        #expect(screen.shown.matches(of: #/on the other screen/#).count == 1, "\(screen.shown)")
        #expect(try await inviting.status == .exited(0))
        try await inbox.stop()
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
