import Control
import Household
import LinuxPlatform
import NotificationService
import Session
import TestSupport
import Testing
import Workbench

@Suite(
    "A desktop notice about a machine that another one removed",
    .timeLimit(.minutes(4)),
    .needs(PlayedDesktop.requirement)
)
struct RemovalNoticeTests {
    private let desk = Machine("Desk")
    private let deck = Machine("Deck")
    private let box = Machine("Box")

    private func wait(for event: String, in events: ResponseEvents) async throws {
        while let line = try await events.next() {
            if line.name == event { return }
        }
        Issue.record("“\(event)” did not happen")
    }

    @Test("the notice has the buttons Keep and Remove, which do as they say", arguments: ["keep", "remove"])
    func answered(button: String) async throws {
        let desktop = try await PlayedDesktop(in: desk.home.path)
        let daemons = [
            try await RunningDaemon.start(on: desk, at: desktop), try await RunningDaemon.start(on: deck),
            try await RunningDaemon.start(on: box),
        ]
        try await desk.meets(deck, at: daemons[0])
        let events = try await desk.events()
        try await deck.meets(box, at: daemons[1])
        try await wait(for: "vouched", in: events)
        #expect(try await deck.huddle("forget", "Box").status == .exited(0))
        var shown = try await desktop.next()
        while shown.title != "A machine was removed from the household" { shown = try await desktop.next() }
        #expect(shown.body?.contains("Another machine removed Box (") == true)
        #expect(shown.actions == ["keep", "Keep", "remove", "Remove"])

        let listed = try await desk.events()
        try await desktop.press(button, on: shown.number)
        // The home screen asks about the machine until the user answers.
        while try await desk.huddle().output.contains("removed Box") { _ = try await listed.next() }
        let isLogged = try await desk.huddle("log").output.contains(button == "keep" ? "kept" : "forgotten")
        #expect(isLogged)
        let policy = try await desk.huddle("policy", "--json").output
        #expect(policy.contains("\"Box\"") == (button == "keep"), "\(policy)")
        for daemon in daemons { try await daemon.stop() }
        try await desktop.end()
    }
}
