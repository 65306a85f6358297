import Control
import FoundationEssentials
import Household
import LinuxPlatform
import TestSupport
import Testing

@Suite("A game that saves in several folders", .timeLimit(.minutes(5)))
struct SeveralFoldersTests {
    private let desk = Machine("Desk")
    private let deck = Machine("Deck")
    private let native = ".local/share/Terraria"
    private static let steam = ".local/share/Steam/steamapps"

    private func ask(_ machine: Machine, _ words: String...) async throws -> String {
        let answer = try await machine.huddle(words)
        #expect(answer.status == .exited(0), "\(words): \(answer.story)")
        return answer.output
    }

    private func put(_ text: String, at path: String, of machine: Machine) throws {
        let folder = path.split(separator: "/").dropLast().joined(separator: "/")
        try FileManager.default.createDirectory(
            atPath: machine.home.path(of: folder),
            withIntermediateDirectories: true
        )
        try machine.home.put(text, at: path)
    }

    /// Installs Terraria by Steam.
    private func install(on machine: Machine) throws {
        let library = machine.home.path(of: ".local/share/Steam")
        try put(
            "\"libraryfolders\"\n{\n\"0\"\n{\n\"path\" \"\(library)\"\n}\n}\n",
            at: "\(Self.steam)/libraryfolders.vdf",
            of: machine
        )
        try put(
            "\"AppState\"\n{\n\"appid\" \"105600\"\n\"name\" \"Terraria\"\n\"StateFlags\" \"4\"\n\"installdir\" \"Terraria\"\n}\n",
            at: "\(Self.steam)/appmanifest_105600.acf",
            of: machine
        )
        try put("program", at: "\(Self.steam)/common/Terraria/Terraria", of: machine)
    }

    private func game(_ machine: Machine) async throws -> GameInfo? {
        let lines = try await machine.control().events(Endpoint.games.request())
        var game: GameInfo?
        while let line = try await lines.next() { game = line.game ?? game }
        return game
    }

    /// Waits until a file has a text. Each event of the daemon is a reason to look.
    private func wait(for text: String, at path: String, of machine: Machine) async throws {
        let events = try await machine.events()
        while machine.home.text(at: path) != text {
            guard try await events.next() != nil else {
                Issue.record("the daemon has ended")
                return
            }
        }
    }

    private func waitToJoin(_ machine: Machine) async throws {
        let events = try await machine.events()
        while try await game(machine) == nil {
            guard try await events.next() != nil else {
                Issue.record("the daemon has ended")
                return
            }
        }
    }

    @Test("A machine on which the game has made its folders, and no save, takes the save of another machine")
    func joinsWithEmptyFolders() async throws {
        try put("hero", at: "\(native)/Players/Hero.plr", of: desk)
        for machine in [desk, deck] {
            try install(on: machine)
            for folder in ["Players", "Worlds"] {
                try FileManager.default.createDirectory(
                    atPath: machine.home.path(of: "\(native)/\(folder)"),
                    withIntermediateDirectories: true
                )
            }
        }
        let (first, second) = (try await RunningDaemon.start(on: desk), try await RunningDaemon.start(on: deck))
        try await desk.meets(deck, at: first)
        _ = try await ask(desk, "share", "terraria")
        try await wait(for: "hero", at: "\(native)/Players/Hero.plr", of: deck)
        for machine in [desk, deck] {
            _ = try await ask(machine, "wait", "terraria")
            #expect(try await game(machine)?.versions.count == 1)
        }
        try await first.stop()
        try await second.stop()
    }

    @Test(
        "A machine joins it by itself, natively or in a prefix, and nothing but its saves is touched",
        arguments: [
            ".local/share/Terraria",
            "\(Self.steam)/compatdata/105600/pfx/drive_c/users/steamuser/Documents/My Games/Terraria",
        ]
    )
    func joins(there: String) async throws {
        try put("hero", at: "\(native)/Players/Hero.plr", of: desk)
        try put("desk", at: "\(native)/config.json", of: desk)
        try install(on: deck)
        // The other machine has the game and its folder, and no saves.
        try put("deck", at: "\(there)/config.json", of: deck)
        try put("mod", at: "\(there)/tModLoader/Players/Mod.plr", of: deck)
        let (first, second) = (try await RunningDaemon.start(on: desk), try await RunningDaemon.start(on: deck))
        try await desk.meets(deck, at: first)

        let details = try await ask(desk, "games", "terraria")
        #expect(details.contains("huddle share terraria"), "\(details)")
        _ = try await ask(desk, "share", "terraria")
        try await waitToJoin(deck)
        #expect(try await game(deck)?.path == deck.home.path(of: there))
        #expect(try await game(deck)?.set == game(desk)?.set)
        try await wait(for: "hero", at: "\(there)/Players/Hero.plr", of: deck)
        // A folder that neither machine had when the game was shared.
        try put("world", at: "\(there)/Worlds/World.wld", of: deck)
        try await wait(for: "world", at: "\(native)/Worlds/World.wld", of: desk)

        #expect(desk.home.text(at: "\(native)/config.json") == "desk")
        #expect(deck.home.text(at: "\(there)/config.json") == "deck")
        #expect(desk.home.text(at: "\(native)/tModLoader/Players/Mod.plr") == nil)
        #expect(deck.home.text(at: "\(there)/tModLoader/Players/Mod.plr") == "mod")
        for machine in [desk, deck] {
            let details = try await ask(machine, "games", "terraria")
            #expect(details.contains("shared as terraria"), "\(details)")
        }
        // The other game in that folder is a game of its own. Nothing finds it in the prefix of a game of Steam.
        if there == native { _ = try await ask(deck, "share", "tmodloader") }
        try await first.stop()
        try await second.stop()
    }
}
