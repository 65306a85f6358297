import Control
import Glibc
import Household
import LinuxPlatform
import NotificationService
import Session
import TestSupport
import Testing
import Workbench

@Suite("A machine with a desktop", .timeLimit(.minutes(4)), .needs(PlayedDesktop.requirement))
struct NotificationTests {
    private let desk = Machine("Desk")
    private let deck = Machine("Deck <b>&")

    /// Runs Desk's daemon on a desktop, and lets Deck ask to connect.
    private func invited(
        _ work: (PlayedDesktop, PlayedDesktop.Call, RunningDaemon, Inviting) async throws -> Void
    ) async throws {
        let desktop = try await PlayedDesktop(in: desk.home.path)
        let daemon = try await RunningDaemon.start(on: desk, at: desktop)
        let inviting = try await deck.invites(daemon.address)
        let shown = try await desktop.next()
        try await work(desktop, shown, daemon, inviting)
        try await daemon.stop()
        try await desktop.end()
    }

    @Test(
        "A stranger's notification has the command to type and no button Accept, which has no code"
    )
    func stranger() async throws {
        try await invited { desktop, shown, daemon, inviting in
            #expect(shown.title == "Another machine wants to pair")
            #expect(shown.body?.contains("Deck &lt;b&gt;&amp; (") == true)
            let body = try #require(shown.body)
            let command = try #require(body.firstMatch(of: #/\nTo pair, run huddle accept (\S+) CODE, with/#))
            #expect(shown.actions == ["decline", "Decline", "block", "Block"])
            #expect(try await desk.huddle("accept", String(command.1), inviting.code).status == .exited(0))
            #expect(try await inviting.end().status == .exited(0))
        }
    }

    @Test("Accept lets a known machine connect")
    func accept() async throws {
        try await invited { desktop, _, daemon, inviting in
            #expect(try await desk.huddle("accept", "Deck <b>&", inviting.code, "--once").status == .exited(0))
            #expect(try await inviting.end().status == .exited(0))
            let again = try deck.start("invite", daemon.address)
            var shown = try await desktop.next()
            while shown.call != "Notify" { shown = try await desktop.next() }
            #expect(shown.actions == ["accept", "Accept", "decline", "Decline", "block", "Block"])
            try await desktop.press("accept", on: shown.number)
            #expect(try await again.complete(deadline: .seconds(60)).status == .exited(0))
            #expect(try await desk.huddle("policy").output.contains("accept"))
            #expect(try await deck.huddle("msg", "Desk", "in").status == .exited(0))
        }
    }

    @Test("Decline sends a no, and the next invitation is shown again")
    func decline() async throws {
        try await invited { desktop, shown, daemon, inviting in
            try await desktop.press("decline", on: shown.number)
            let reported = try await inviting.end()
            #expect(reported.status == .exited(6), "\(reported.story)")
            let again = try deck.start("invite", daemon.address)
            while try await desktop.next().call != "Notify" {}
            await again.terminate()
        }
    }

    @Test("Block ends all answers to the machine")
    func block() async throws {
        try await invited { desktop, shown, daemon, inviting in
            let events = try await desk.events()
            try await desktop.press("block", on: shown.number)
            while try await !desk.huddle("policy").output.contains(" block ") { _ = try await events.next() }
            await inviting.program.terminate()
        }
    }

    @Test("A notification is removed once it is answered elsewhere or taken back")
    func elsewhere() async throws {
        try await invited { desktop, shown, daemon, inviting in
            #expect(try await desk.huddle("decline", "Deck <b>&").status == .exited(0))
            let closed = try await desktop.next()
            #expect(closed.call == "CloseNotification" && closed.number == shown.number)
            _ = try await inviting.program.wait()
            let again = try deck.start("invite", daemon.address)
            let second = try await desktop.next()
            again.send(SIGINT)
            #expect(try await desktop.next().number == second.number)
            _ = try await again.wait()
        }
    }

    @Test("A notification is removed when the daemon ends")
    func ended() async throws {
        try await invited { desktop, shown, daemon, inviting in
            daemon.program.send(SIGHUP)
            let closed = try await desktop.next()
            #expect(closed.call == "CloseNotification")
            await inviting.program.terminate()
        }
    }

    @Test("The setting for notifications turns them off")
    func off() async throws {
        let desktop = try await PlayedDesktop(in: desk.home.path)
        try desk.put(configuration: "{ notifications: false }")
        let daemon = try await RunningDaemon.start(on: desk, at: desktop)
        try await desk.meets(deck, at: daemon)
        try await daemon.stop()
        try await desktop.end()
        // Every call is in the list before the end.
        await #expect(throws: (any Error).self) { try await desktop.next() }
    }

    @Test("Without a desktop the daemon says so once, and works the same")
    func none() async throws {
        let daemon = try await RunningDaemon.start(on: desk)
        let events = try await desk.events()
        try await desk.meets(deck, at: daemon)
        try await desk.meets(Machine("Attic"), at: daemon)
        try await daemon.stop()
        var reported = 0
        while let line = try? await events.next() { reported += line.name == "no-desktop" ? 1 : 0 }
        #expect(reported == 1)
    }
}
