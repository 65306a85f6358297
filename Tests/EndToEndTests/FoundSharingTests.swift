import Control
import FoundationEssentials
import Household
import LinuxPlatform
import TestSupport
import Testing

@Suite("A machine that shares games as it finds them", .timeLimit(.minutes(5)))
struct FoundSharingTests {
    private let desk = Machine("Desk")
    private let deck = Machine("Deck")
    private let celeste = ".local/share/Celeste/Saves"

    private func ask(_ machine: Machine, _ words: String...) async throws -> String {
        let answer = try await machine.huddle(words)
        #expect(answer.status == .exited(0), "\(words): \(answer.story)")
        return answer.output
    }

    private func save(_ text: String, in place: String, of machine: Machine, named name: String = "0.celeste") throws {
        try FileManager.default.createDirectory(
            atPath: machine.home.path(of: place),
            withIntermediateDirectories: true
        )
        try machine.home.put(text, at: "\(place)/\(name)")
    }

    private func games(_ machine: Machine) async throws -> [GameInfo] {
        let lines = try await machine.control().events(Endpoint.games.request())
        var all: [GameInfo] = []
        while let line = try await lines.next() {
            if let game = line.game { all.append(game) }
        }
        return all
    }

    /// Waits for an event, or for the state that it leads to, if that was there before.
    private func wait(_ machine: Machine, until isTrue: ([GameInfo]) -> Bool) async throws {
        let events = try await machine.events()
        while !isTrue(try await games(machine)) {
            guard try await events.next() != nil else {
                Issue.record("the daemon has ended")
                return
            }
        }
    }

    private func wait(_ machine: Machine, forGame name: String) async throws {
        try await wait(machine) { $0.contains { $0.name == name } }
    }

    @Test("A game that is there at the start is shared, and not again after `huddle stop`, over a new start, too")
    func sharesAndStops() async throws {
        try save("1", in: celeste, of: desk)
        let daemon = try await RunningDaemon.start(on: desk, "--share-found", "yes")
        try await wait(desk, forGame: "celeste")
        let game = try #require(try await games(desk).first)
        #expect(game.path == desk.home.path(of: celeste))
        #expect(try await ask(desk, "log").contains("save-set-found"))

        _ = try await ask(desk, "stop", "celeste")
        // Its versions go as well, with all that the daemon knows of it elsewhere.
        _ = try await ask(desk, "history", "--clean", "--left")
        try await daemon.stop()
        try save("1", in: ".config/StardewValley/Saves", of: desk, named: "farm")
        let again = try await RunningDaemon.start(on: desk, "--share-found", "yes")
        // Once another game is shared, the daemon has also checked the first one.
        try await wait(desk, forGame: "stardew-valley")
        #expect(try await games(desk).map(\.name) == ["stardew-valley"])
        try await again.stop()
    }

    @Test("A game that appears later is shared with the other machines, and joined there")
    func appearsLater() async throws {
        try save("1", in: celeste, of: deck)
        let first = try await RunningDaemon.start(on: desk, "--share-found", "yes")
        let second = try await RunningDaemon.start(on: deck)
        try await desk.meets(deck, at: first)
        try save("2", in: celeste, of: desk)
        try await wait(deck, forGame: "celeste")
        #expect(try await games(desk).map(\.set) == games(deck).map(\.set))
        try await first.stop()
        try await second.stop()
    }

    @Test("Two machines that find the same game apart share one game, and both saves stay")
    func twins() async throws {
        try save("desk", in: celeste, of: desk)
        try save("deck", in: celeste, of: deck)
        let first = try await RunningDaemon.start(on: desk, "--share-found", "yes")
        let second = try await RunningDaemon.start(on: deck, "--share-found", "yes")
        for machine in [desk, deck] { try await wait(machine, forGame: "celeste") }
        let apart = try await games(desk).map(\.set)
        #expect(try await games(deck).map(\.set) != apart)

        try await desk.meets(deck, at: first)
        let sets = try await [desk, deck].asyncMap { try await games($0).map(\.set) }
        let less = sets.flatMap(\.self).min()
        for machine in [desk, deck] {
            try await wait(machine) { $0.map(\.set) == [less] }
        }
        #expect(desk.home.text(at: "\(celeste)/0.celeste") == "desk")
        #expect(deck.home.text(at: "\(celeste)/0.celeste") == "deck")
        try await first.stop()
        try await second.stop()
    }
}

extension Sequence {
    fileprivate func asyncMap<Result>(_ body: (Element) async throws -> Result) async rethrows -> [Result] {
        var results: [Result] = []
        for element in self { results.append(try await body(element)) }
        return results
    }
}
