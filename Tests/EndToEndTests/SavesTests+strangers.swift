import Control
import FoundationEssentials
import Glibc
import LinuxPlatform
import SaveRules
import Session
import TestSupport
import Testing
import Vocabulary

/// Wrong versions of another machine.
extension SavesTests {
    /// Desk shares a game with Deck, which is a script.
    @Engine
    private func withScriptedDeck(
        _ body: @Engine (RunningDaemon, ResponseEvents, ScriptedSaver) async throws -> Void
    ) async throws {
        let (first, second) = (try await RunningDaemon.start(on: desk), try await RunningDaemon.start(on: deck))
        try await desk.meets(deck, at: first)
        mkdir(desk.home.path(of: "game"), 0o755)
        try desk.home.put("old", at: "game/save")
        _ = try await ask(desk, "share", "--only-here", "game", "--name", "celeste")
        _ = try await ask(desk, "share", "celeste", "--with", "Deck")
        try await second.stop()
        let events = try await desk.events()
        let saver = try await ScriptedSaver.open(as: deck, to: first.address)
        try await body(first, events, saver)
        await saver.stop()
        try await first.stop()
    }

    @Test("A version that differs from its announcement changes nothing, and its sender is named")
    @Engine
    func otherVersion() async throws {
        try await withScriptedDeck { _, events, saver in
            let announced = try saver.snapshot(of: [Manifest.empty.encoded])
            try await saver.announce(announced, handingOver: saver.snapshot(of: [Array("other".utf8)]))
            try await wait(for: "refused", in: events)
            try await isRefused("exchange.other-snapshot")
        }
    }

    @Test(
        "Ctrl-C ends the wait for a newest version that does not come, and no game starts",
        .timeLimit(.minutes(2))
    )
    @Engine
    func wearyOfWaiting() async throws {
        try await withScriptedDeck { _, _, saver in
            let announced = try saver.snapshot(of: [Array("never".utf8)])
            try await saver.announce(announced)
            _ = try await saver.wanted()
            let game = try desk.start("play", "celeste", "--wait", "60s", "--", "touch", "begun")
            while try !game.takesSignals { try await othersTurn() }
            game.send(SIGINT)
            #expect(try await game.wait() == .exited(130))
            #expect(!desk.home.names().contains("begun"))
        }
    }

    /// Checks the lines that a user sees about the refusal.
    private func isRefused(_ reason: String) async throws {
        let log = try await ask(desk, "log")
        #expect(log.contains(reason) && log.contains("Deck"), "\(log)")
        #expect(desk.home.text(at: "game/save") == "old" && desk.home.names(in: "game") == ["save"])
        #expect(try await ask(desk, "history", "celeste").split(separator: "\n").count == 1)
    }
}
