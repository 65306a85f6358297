import Control
import Glibc
import Household
import LinuxPlatform
import TestSupport
import Testing

/// A long game: it waits for a word of the test, saves, and ends with a code of its own.
@Suite("A game that runs while its daemon restarts", .timeLimit(.minutes(10)))
struct LongGameTests {
    private let desk = Machine("Desk")
    private let deck = Machine("Deck")

    private static let game = ["--", "sh", "-c", "echo begun; read word; echo $word > game/save; exit 7"]

    private func ask(_ machine: Machine, _ words: String...) async throws -> String {
        let answer = try await machine.huddle(words)
        #expect(answer.status == .exited(0), "\(words): \(answer.story)")
        return answer.output
    }

    private func addSet() async throws {
        mkdir(desk.home.path(of: "game"), 0o755)
        try desk.home.put("before\n", at: "game/save")
        _ = try await ask(desk, "share", "--only-here", "game", "--name", "celeste")
    }

    /// Shares the game with the other machine, and returns the other machine's events.
    private func share(at first: RunningDaemon) async throws -> ResponseEvents {
        try await desk.meets(deck, at: first)
        try await addSet()
        let atDeck = try await deck.events()
        _ = try await ask(desk, "share", "celeste", "--with", "Deck")
        try await untilReported(atDeck) { $0.name == "save-offer" }
        _ = try await ask(deck, "join", "celeste", "--at", "celeste")
        return atDeck
    }

    /// Starts the game, and returns once it runs.
    private func play(_ options: String...) async throws -> ChildProcess {
        let game = try desk.start(["play", "celeste"] + options + Self.game)
        var lines = try #require(game.standardOutput).lines().makeAsyncIterator()
        while let line = try await lines.next(), line != "begun" {}
        return game
    }

    /// Lets the game save a word and end. Returns the new lines of the command's standard error.
    private func end(_ game: ChildProcess, saving word: String) async throws -> String {
        try await game.standardInput?.write(Array("\(word)\n".utf8))
        var said = ""
        for try await line in try #require(game.standardError).lines() { said += line + "\n" }
        #expect(try await game.wait() == .exited(7), "\(said)")
        return said
    }

    private func untilReported(_ lines: ResponseEvents, _ isIt: (DaemonLine) -> Bool) async throws {
        while let line = try await lines.next() {
            if isIt(line) { return }
        }
        Issue.record("it was not told")
    }

    @Test(
        "A restarted or reloaded daemon learns of the game again, and sends its save",
        arguments: [SIGKILL, SIGHUP]
    )
    func restarted(signal: CInt) async throws {
        var (first, second) = (try await RunningDaemon.start(on: desk), try await RunningDaemon.start(on: deck))
        let atDeck = try await share(at: first)
        let game = try await play()
        try await untilReported(atDeck) { line in
            if case .lease(let event) = line.event { event.state == .taken } else { false }
        }
        first.program.send(signal)
        if signal == SIGKILL {
            _ = try await first.program.wait()
            #expect(try await ask(deck, "list").contains("Desk has just begun to play"))
            first = try await RunningDaemon.start(on: desk)
        }
        var errors = try #require(game.standardError).lines().makeAsyncIterator()
        #expect(try await errors.next() == "huddle: huddled is back, and knows that celeste is played here")
        #expect(try await ask(desk, "list").contains("played here"))
        // The address of the other machine may have changed. The two would connect later by themselves.
        _ = try await ask(desk, "invite", second.address)
        let refused = try await deck.huddle("play", "celeste", "--", "true")
        #expect(refused.status == .exited(1), "\(refused.story)")
        #expect(refused.story.contains("Desk has just begun to play this"), "\(refused.story)")
        let words = try await end(game, saving: "after")
        #expect(words == "huddle: celeste: saved; Deck has it\n")
        while deck.home.text(at: "celeste/save") != "after\n" {
            try await untilReported(atDeck) { $0.name == "applied" }
        }
        #expect(try await !ask(desk, "list").contains("played here"))
        while try await ask(deck, "list").contains("Desk has") {}
        try await first.stop()
        try await second.stop()
    }

    @Test("The command names the machines without the save")
    func spread() async throws {
        let (first, second) = (try await RunningDaemon.start(on: desk), try await RunningDaemon.start(on: deck))
        _ = try await share(at: first)
        let together = try await end(try await play(), saving: "together")
        #expect(together == "huddle: celeste: saved; Deck has it\n")
        #expect(try await ask(deck, "history", "celeste").contains("(shown)"))
        try await second.stop()
        let alone = try await end(try await play(), saving: "alone")
        #expect(alone.hasSuffix("celeste: saved, only here; Deck gets it when both are online\n"), "\(alone)")
        try await first.stop()
    }

    @Test("With --anyway the game starts without a daemon, and one that starts later learns of it")
    func begunWithout() async throws {
        var daemon = try await RunningDaemon.start(on: desk)
        try await addSet()
        try await daemon.stop()
        let game = try await play("--anyway")
        daemon = try await RunningDaemon.start(on: desk)
        var errors = try #require(game.standardError).lines().makeAsyncIterator()
        #expect(try await errors.next()?.contains("Huddle keeps the game's saves once the daemon runs") == true)
        #expect(try await errors.next() == "huddle: huddled is back, and knows that celeste is played here")
        #expect(try await ask(desk, "list").contains("played here"))
        let words = try await end(game, saving: "after")
        #expect(words == "huddle: celeste: saved, only here\n")
        #expect(try await ask(desk, "history", "celeste").contains("@2 "))
        try await daemon.stop()
    }

    @Test("The end of a game that the daemon does not know ends no other run")
    func besideAnother() async throws {
        let daemon = try await RunningDaemon.start(on: desk)
        try await addSet()
        let first = try await play()
        daemon.program.send(SIGSTOP)
        let second = try await play("--anyway")
        async let said = end(second, saving: "after")
        while desk.home.text(at: "game/save") != "after\n" { try await othersTurn() }
        daemon.program.send(SIGCONT)
        let words = try await said
        #expect(words.contains("celeste: saved"), "\(words)")
        #expect(try await ask(desk, "history", "celeste").contains("@2 "))
        #expect(try await ask(desk, "list").contains("played here"))
        _ = try await end(first, saving: "at last")
        #expect(try await !ask(desk, "list").contains("played here"))
        try await daemon.stop()
    }

    @Test("After the game, the command waits for a daemon that is away, which keeps the save")
    func awayAtTheEnd() async throws {
        var daemon = try await RunningDaemon.start(on: desk)
        try await addSet()
        let game = try await play("--wait", "2m")
        daemon.program.send(SIGKILL)
        _ = try await daemon.program.wait()
        async let said = end(game, saving: "after")
        while desk.home.text(at: "game/save") != "after\n" { try await othersTurn() }
        daemon = try await RunningDaemon.start(on: desk)
        let words = try await said
        #expect(!words.contains("kept once"), "\(words)")
        #expect(try await ask(desk, "history", "celeste").contains("@2 "))
        try await daemon.stop()
    }

    @Test(
        "Ctrl-C ends the wait for a silent or missing daemon, and the exit code is the game's",
        .timeLimit(.minutes(2)),
        arguments: [SIGSTOP, SIGKILL]
    )
    func silenceAtTheEnd(signal: CInt) async throws {
        var daemon = try await RunningDaemon.start(on: desk)
        try await addSet()
        let game = try await play("--wait", "1h")
        daemon.program.send(signal)
        if signal == SIGKILL { _ = try await daemon.program.wait() }
        async let said = end(game, saving: "after")
        // While the game runs, Ctrl-C is for the game.
        while !Task.isCancelled, game.send(SIGINT) { try await othersTurn() }
        let words = try await said
        #expect(words.contains("the game's saves are kept once huddled runs again"), "\(words)")
        if signal == SIGKILL { daemon = try await RunningDaemon.start(on: desk) }
        daemon.program.send(SIGCONT)
        while try await !ask(desk, "history", "celeste").contains("@2 ") {}
        try await daemon.stop()
    }

    @Test("If the daemon does not return, the command says when the save is kept")
    func awayForGood() async throws {
        var daemon = try await RunningDaemon.start(on: desk)
        try await addSet()
        let game = try await play("--wait", "0s")
        daemon.program.send(SIGKILL)
        _ = try await daemon.program.wait()
        let words = try await end(game, saving: "after")
        #expect(words.contains("the game's saves are kept once huddled runs again"), "\(words)")
        daemon = try await RunningDaemon.start(on: desk)
        while try await !ask(desk, "history", "celeste").contains("@2 ") {}
        try await daemon.stop()
    }
}
