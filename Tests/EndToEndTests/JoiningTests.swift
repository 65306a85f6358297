import Control
import FoundationEssentials
import Household
import LinuxPlatform
import TestSupport
import Testing

@Suite("Two machines of a household that have the same game", .timeLimit(.minutes(5)))
struct JoiningTests {
    let desk = Machine("Desk")
    let deck = Machine("Deck")

    private func ask(_ machine: Machine, _ words: String...) async throws -> String {
        let answer = try await machine.huddle(words)
        #expect(answer.status == .exited(0), "\(words): \(answer.story)")
        return answer.output
    }

    /// Two paired machines with daemons and a save of celeste each.
    private func paired(_ path: String = "game", _ body: () async throws -> Void) async throws {
        for machine in [desk, deck] {
            try FileManager.default.createDirectory(
                atPath: machine.home.path(of: path),
                withIntermediateDirectories: true
            )
            try machine.home.put("{\"on\": \"\(machine.name)\"}", at: "\(path)/save.json")
        }
        let (first, second) = (try await RunningDaemon.start(on: desk), try await RunningDaemon.start(on: deck))
        try await desk.meets(deck, at: first)
        try await body()
        try await first.stop()
        try await second.stop()
    }

    private func wait(_ machine: Machine, for event: String, _ body: () async throws -> Void) async throws {
        let events = try await machine.events()
        try await body()
        while let line = try await events.next() {
            if line.name == event { return }
        }
        Issue.record("“\(event)” did not happen")
    }

    private func games(_ machine: Machine) async throws -> [DaemonLine] {
        let lines = try await machine.control().events(Endpoint.games.request())
        var all: [DaemonLine] = []
        while let line = try await lines.next() { all.append(line) }
        return all
    }

    @Test("`huddle share` joins the game that another machine shares under that name")
    func shareJoins() async throws {
        try await paired {
            try await wait(deck, for: "save-offer") { _ = try await ask(desk, "share", "game", "--name", "celeste") }
            let joined = try await ask(deck, "share", "game", "--name", "celeste")
            #expect(joined.contains("Joined celeste of Desk"), "\(joined)")
            let (here, there) = (try await games(desk), try await games(deck))
            #expect(here.map(\.game?.set) == there.map(\.game?.set))
            #expect(there.map(\.name) == ["save-set"])
        }
    }

    @Test("`huddle share --only-here` starts a game of its own")
    func onlyHereIsApart() async throws {
        try await paired {
            try await wait(deck, for: "save-offer") { _ = try await ask(desk, "share", "game", "--name", "celeste") }
            _ = try await ask(deck, "share", "game", "--name", "celeste", "--only-here")
            #expect(try await games(deck).map(\.name).sorted() == ["save-offer", "save-set"])
        }
    }

    @Test("`huddle join` makes one of two games of one name that are shared apart, and keeps both saves")
    func adopts() async throws {
        try await paired {
            for machine in [desk, deck] {
                _ = try await ask(machine, "share", "game", "--name", "celeste", "--only-here")
            }
            try await wait(deck, for: "save-offer") { _ = try await ask(desk, "share", "celeste", "--with", "Deck") }
            try await wait(desk, for: "save-offer") { _ = try await ask(deck, "share", "celeste", "--with", "Desk") }

            // Both would join each other's game. One rule decides which machine does, and the other one reports that.
            var refusals: [String] = []
            for machine in [desk, deck] {
                let answer = try await machine.huddle("join", "celeste")
                if !answer.status.isSuccess { refusals.append(answer.standardError.text) }
                if answer.status.isSuccess { break }
            }
            #expect(refusals.allSatisfy { $0.contains("run: huddle join celeste") }, "\(refusals)")
            let (here, there) = (
                try await games(desk).compactMap(\.game),
                try await games(deck).compactMap(\.game)
            )
            #expect(here.count == 1 && here.map(\.set) == there.map(\.set))
            // Neither save overwrites the other one.
            #expect(desk.home.text(at: "game/save.json") == "{\"on\": \"Desk\"}")
            #expect(deck.home.text(at: "game/save.json") == "{\"on\": \"Deck\"}")
            _ = try await ask(deck, "fix", "celeste", "--keep", "Deck")
            _ = try await ask(desk, "wait", "celeste")
            #expect(desk.home.text(at: "game/save.json") == "{\"on\": \"Deck\"}")
        }
    }

    @Test("`huddle join` needs no folder for a game that this machine has left")
    func rejoins() async throws {
        try await paired {
            try await wait(deck, for: "save-offer") { _ = try await ask(desk, "share", "game", "--name", "celeste") }
            _ = try await ask(deck, "join", "celeste", "--at", "other")
            _ = try await ask(deck, "stop", "celeste")
            _ = try await ask(deck, "join")
            let entry = try #require(try await games(deck).compactMap(\.game).first)
            #expect(entry.path == deck.home.path(of: "other"))
            #expect(deck.home.text(at: "other/save.json") == "{\"on\": \"Desk\"}")
        }
    }

    @Test("`huddle join` leaves a shared game alone if this machine has left another one of its name")
    func leftNamesake() async throws {
        try await paired {
            _ = try await ask(desk, "share", "game", "--name", "celeste", "--only-here")
            _ = try await ask(desk, "stop", "celeste")
            try desk.home.put("1", at: "elsewhere")
            _ = try await ask(desk, "share", "elsewhere", "--name", "celeste", "--only-here")
            let answer = try await desk.huddle("join", "celeste")
            #expect(!answer.status.isSuccess && answer.standardError.text.contains("here already"), "\(answer.story)")
            #expect(try await games(desk).compactMap(\.game).count == 1)
        }
    }

    @Test("A daemon joins no game by itself if files beside its saves would be sent")
    func keepsOtherFiles() async throws {
        let place = ".config/unity3d/Team Cherry/Hollow Knight"
        try await paired(place) {
            for machine in [desk, deck] { try machine.home.put("save", at: "\(place)/user1.dat") }
            let game2 = desk.home.path(of: "game2")
            try FileManager.default.createDirectory(atPath: game2, withIntermediateDirectories: true)
            try desk.home.put("1", at: "game2/save")
            let folder = desk.home.path(of: place)
            try await wait(deck, for: "save-offer") {
                _ = try await ask(desk, "share", folder, "--name", "hollow-knight")
            }
            // The daemon joins another game after it, so it has checked the first one.
            try FileManager.default.createDirectory(
                atPath: deck.home.path(of: ".local/share/Celeste/Saves"),
                withIntermediateDirectories: true
            )
            try deck.home.put("1", at: ".local/share/Celeste/Saves/0.celeste")
            try await wait(deck, for: "save-joined") { _ = try await ask(desk, "share", "game2", "--name", "celeste") }
            #expect(try await games(deck).compactMap(\.game?.name) == ["celeste"])
        }
    }

    @Test("A daemon joins a shared game by itself if the game is found on its machine, and not after `huddle stop`")
    func joinsByItself() async throws {
        let place = ".local/share/Celeste/Saves"
        try await paired(place) {
            try await wait(deck, for: "save-joined") { _ = try await ask(desk, "share", "celeste") }
            let entry = try #require(try await games(deck).compactMap(\.game).first)
            #expect(entry.path == deck.home.path(of: place))
            #expect(try await games(deck).map(\.game?.set) == games(desk).map(\.game?.set))

            _ = try await ask(deck, "stop", "celeste")
            _ = try await ask(desk, "unshare", "celeste", "--with", "Deck")
            try await wait(deck, for: "save-offer") { _ = try await ask(desk, "share", "celeste", "--with", "Deck") }
            #expect(try await games(deck).allSatisfy { $0.name == "save-offer" })
        }
    }

    @Test("A daemon joins a shared game once the game appears on its machine")
    func joinsWhenGameAppears() async throws {
        let place = ".local/share/Celeste/Saves"
        try await paired {
            let saves = desk.home.path(of: place)
            try FileManager.default.createDirectory(atPath: saves, withIntermediateDirectories: true)
            try desk.home.put("1", at: "\(place)/0.celeste")
            try await wait(deck, for: "save-offer") { _ = try await ask(desk, "share", "celeste") }
            #expect(try await games(deck).map(\.name) == ["save-offer"])
            try await wait(deck, for: "save-joined") {
                try FileManager.default.createDirectory(
                    atPath: deck.home.path(of: place),
                    withIntermediateDirectories: true
                )
                try deck.home.put("1", at: "\(place)/0.celeste")
            }
            #expect(try await games(deck).map(\.game?.path) == [deck.home.path(of: place)])
        }
    }

    @Test("A game that saves some files of a folder is shared with these files alone")
    func sharesChosenFiles() async throws {
        let place = ".config/unity3d/Team Cherry/Hollow Knight"
        try await paired(place) {
            try desk.home.put("save", at: "\(place)/user1.dat")
            try await wait(deck, for: "save-offer") { _ = try await ask(desk, "share", "hollow-knight") }
            _ = try await ask(deck, "join", "hollow-knight", "--at", place)
            _ = try await ask(deck, "wait", "hollow-knight")
            #expect(deck.home.text(at: "\(place)/user1.dat") == "save")
            #expect(deck.home.text(at: "\(place)/save.json") == "{\"on\": \"Deck\"}")
        }
    }

    @Test("A machine that is paired later gets the games that are shared with the household, and no others")
    func latePairing() async throws {
        for folder in ["game", "other"] { try desk.home.put("1", at: "\(folder)") }
        let (first, second) = (try await RunningDaemon.start(on: desk), try await RunningDaemon.start(on: deck))
        _ = try await ask(desk, "share", "game", "--name", "celeste")
        _ = try await ask(desk, "share", "other", "--name", "private", "--only-here")
        try await wait(deck, for: "save-offer") { try await desk.meets(deck, at: first) }
        #expect(try await games(deck).compactMap(\.offer?.name) == ["celeste"])

        // A game that was revoked from a machine stays revoked when the machine is paired again.
        _ = try await ask(desk, "unshare", "celeste", "--with", "Deck")
        _ = try await ask(desk, "policy", "Deck", "--set", "ask")
        _ = try await ask(desk, "policy", "Deck", "--set", "accept")
        #expect(try await desk.huddle("show", "celeste").output.contains("Deck") == false)
        try await first.stop()
        try await second.stop()
    }
}
