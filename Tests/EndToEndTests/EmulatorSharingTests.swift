import Control
import FoundationEssentials
import Glibc
import Household
import LinuxPlatform
import TestSupport
import Testing

@Suite("The saves of an emulator, each a game of its own", .timeLimit(.minutes(5)))
struct EmulatorSharingTests {
    private let desk = Machine("Desk")
    private let deck = Machine("Deck")
    private let saves = ".config/retroarch/saves"

    private func save(_ text: String, as name: String, on machine: Machine) throws {
        try FileManager.default.createDirectory(
            atPath: machine.home.path(of: saves),
            withIntermediateDirectories: true
        )
        try machine.home.put(text, at: "\(saves)/\(name)")
    }

    private func names(_ machine: Machine) async throws -> [String] {
        let lines = try await machine.control().events(Endpoint.games.request())
        var names: [String] = []
        while let line = try await lines.next() { if let game = line.game { names.append(game.name) } }
        return names.sorted()
    }

    @Test("The other machine joins each save by itself, and playing one game holds back no other")
    func each() async throws {
        for game in ["Mario", "Zelda"] { try save("desk", as: "\(game).srm", on: desk) }
        try save("deck", as: "Tetris.srm", on: deck)
        let (first, second) = (try await RunningDaemon.start(on: desk), try await RunningDaemon.start(on: deck))
        try await desk.meets(deck, at: first)
        let events = try await deck.events()
        let shared = try await desk.huddle("share", "retroarch", "--each")
        #expect(shared.status == .exited(0), "\(shared.story)")
        while try await names(deck) != ["retroarch-mario", "retroarch-zelda"] { _ = try await events.next() }
        // Deck holds the version a moment before its folder shows it.
        for machine in [desk, deck] {
            let ready = try await machine.huddle("wait", "retroarch-zelda", "--for", "20s")
            #expect(ready.status == .exited(0), "\(ready.story)")
        }
        #expect(deck.home.text(at: "\(saves)/Zelda.srm") == "desk")
        #expect(deck.home.text(at: "\(saves)/Tetris.srm") == "deck")

        let game = try desk.start(["play", "retroarch-zelda", "--", "sleep", "60"])
        while let line = try await events.next() {
            if case .lease(let lease) = line.event, lease.state == .taken { break }
        }
        let other = try await deck.huddle("play", "retroarch-mario", "--", "true")
        #expect(other.status == .exited(0), "\(other.story)")
        let same = try await deck.huddle("play", "retroarch-zelda", "--", "true")
        #expect(!same.status.isSuccess && same.standardError.text.contains("Desk"), "\(same.story)")
        game.send(SIGTERM)
        _ = try await game.complete(deadline: .seconds(30))
        try await first.stop()
        try await second.stop()
    }
}
