import Control
import FoundationEssentials
import Glibc
import Household
import LinuxPlatform
import NotificationService
import TestSupport
import Testing
import Workbench

@Suite("A machine that is about to sleep", .timeLimit(.minutes(5)), .needs(PlayedDesktop.requirement))
struct SleepTests {
    let desk = Machine("Desk")
    let deck = Machine("Deck")

    /// Both machines share celeste, and Desk has a login manager.
    private func shared(_ body: (PlayedLogins, _ desk: RunningDaemon, _ deck: RunningDaemon) async throws -> Void)
        async throws
    {
        let logins = try await PlayedLogins(in: desk.home.path)
        for machine in [desk, deck] {
            let folder = machine.home.path(of: "game")
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        }
        try desk.home.put("1", at: "game/save")
        let first = try await RunningDaemon.start(
            on: desk,
            environment: ["DBUS_SYSTEM_BUS_ADDRESS": logins.address]
        )
        let second = try await RunningDaemon.start(on: deck)
        #expect(try await logins.next().event == "locked")
        try await desk.meets(deck, at: first)
        for (machine, words) in [
            (desk, ["share", "game", "--name", "celeste"]), (deck, ["join", "celeste", "--at", "game"]),
            (desk, ["wait", "celeste"]),
        ] {
            let answer = try await machine.huddle(words)
            #expect(answer.status == .exited(0), "\(words): \(answer.story)")
        }
        try await body(logins, first, second)
        try await first.stop()
        try await second.stop()
        try await logins.end()
    }

    @Test("Sleep waits until the other machine has the save")
    func waits() async throws {
        try await shared { logins, daemon, _ in
            try desk.home.put(String(repeating: "2", count: 64 << 10), at: "game/save")
            try await logins.announceSuspend()
            #expect(try await logins.next().event == "released")
            daemon.program.send(SIGSTOP)
            defer { daemon.program.send(SIGCONT) }
            #expect(try await deck.huddle("wait", "celeste").status == .exited(0))
            #expect(deck.home.text(at: "game/save")?.utf8.count == 64 << 10)
        }
    }

    @Test("Sleep does not wait for a machine that does not take the save in time, and the daemon says so")
    func givesUp() async throws {
        try await shared { logins, _, other in
            let events = try await desk.events()
            other.program.send(SIGSTOP)
            defer { other.program.send(SIGCONT) }
            try desk.home.put("2", at: "game/save")
            try await logins.announceSuspend()
            while let line = try await events.next(), line.name != "save-not-sent" {}
            #expect(try await logins.next().event == "released")
        }
    }
}
