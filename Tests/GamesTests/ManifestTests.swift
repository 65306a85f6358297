import GameTrees
import LinuxPlatform
import TestSupport
import Testing
import Vocabulary

@testable import Games

/// Manifests in the form of Ludusavi.
@Suite("A manifest of games", .timeLimit(.minutes(1)))
struct ManifestTests {
    private static func games(_ text: String) throws -> [KnownGame] {
        try ManifestReader.games(in: Array(text.utf8))
    }

    @Test("A manifest yields the places of saves on Linux and Windows, and all names of a game")
    func whole() throws {
        let game = try #require(
            try Self.games(
                """
                ---
                Hollow Knight:
                  cloud:
                    gog: true
                    steam: true
                  files:
                    "<base>/hollow_knight_Data/Config.ini":
                      tags:
                        - config
                      when:
                        - os: windows
                        - os: linux
                    "<home>/AppData/LocalLow/Team Cherry/Hollow Knight/*.dat":
                      tags:
                        - save
                      when:
                        - os: windows
                    "<home>/Library/Application Support/unity.Team Cherry.Hollow Knight":
                      tags:
                        - save
                      when:
                        - os: mac
                    "<winProgramData>/Packages/TeamCherry/SystemAppData/wgs":
                      tags:
                        - config
                        - save
                      when:
                        - os: windows
                          store: microsoft
                    "<xdgConfig>/unity3d/Team Cherry/Hollow Knight/*.dat":
                      tags:
                        - save
                      when:
                        - os: linux
                  gog:
                    id: 1308320804
                  id:
                    gogExtra:
                      - 1984697392
                    lutris: hollow-knight
                    steamExtra:
                      - 598190
                    flatpak: org.example.hk
                  installDir:
                    Hollow Knight: {}
                  launch:
                    "<base>/hollow_knight.exe":
                      - when:
                          - os: windows
                            store: steam
                  registry:
                    HKEY_CURRENT_USER/Software/Team Cherry/Hollow Knight:
                      tags:
                        - config
                  steam:
                    id: 367520
                """
            ).only
        )
        #expect(
            game.places.map(\.description) == [
                "<winLocalAppDataLow>/Team Cherry/Hollow Knight/*.dat",
                "<xdgConfig>/unity3d/Team Cherry/Hollow Knight/*.dat",
            ]
        )
        #expect(game.steamIDs == [367520, 598190] && game.gogIDs == [1308320804, 1984697392])
        #expect(game.installFolders == ["Hollow Knight"] && game.lutrisNames == ["hollow-knight"])
        #expect(game.flatpakIDs == ["org.example.hk"] && !game.savesInRegistry)
    }

    @Test("The reader takes entries without tags for saves, and conditions without a system for all systems")
    func untagged() throws {
        let game = try #require(
            try Self.games(
                """
                Celestial Command:
                  files:
                    "<base>/Saves/**/BookMarks.Marks":
                      when:
                        - store: steam
                    "<home>/AppData/LocalLow/Science/**/*.ship":
                      when:
                        - store: steam
                    "<home>/Science/*.ship":
                      when:
                        - os: mac
                          store: steam
                        - os: linux
                          store: steam
                """
            ).only
        )
        #expect(
            game.places.map(\.description) == [
                "<installDir>/Saves/**/BookMarks.Marks", "<winLocalAppDataLow>/Science/**/*.ship",
                "<home>/Science/*.ship",
            ]
        )
    }

    @Test("A manifest tells a game whose saves are in the registry alone, and another name of a game")
    func registryAndAlias() throws {
        let games = try Self.games(
            """
            "! That Bastard !":
              registry:
                HKEY_CURRENT_USER/Software/X:
                  tags: [config, save]
            "-KLAUS-":
              alias: Klaus
            """
        )
        #expect(games.map(\.savesInRegistry) == [true, false] && games.last?.alias == "Klaus")
    }

    @Test("A manifest is read past the parts that this version does not know")
    func unknownParts() throws {
        let games = try Self.games(
            """
            A:
              files:
                "<xdgData>/a":
                  tags: [save, replay]
                  when:
                    - os: haiku
                      store: newshop
                      phase: [1, {x: y}]
                    - just a text
                  weight: {a: [b]}
              future: [[1], {2: 3}]
              steam: {id: many, region: x}
              installDir: none
              ? [a, b]
              : c
            B: text
            C: [1, 2]
            D: {files: {"<xdgData>/d": {}, "<xdgData>/e": null, f: [1]}}
            """
        )
        #expect(games.map(\.title) == ["A", "B", "C", "D"])
        #expect(games[0].places.map(\.description) == ["<xdgData>/a"])
        #expect(games[3].places.map(\.description) == ["<xdgData>/d", "<xdgData>/e"])
    }

    @Test("A manifest's own number of a game fills the placeholder, not that of a part of the game")
    func ownNumber() throws {
        let game = try #require(
            try Self.games(
                """
                A:
                  files: {"<root>/userdata/<storeUserId>/<storeGameId>/remote": {}}
                  id: {steamExtra: [7, 8]}
                  steam: {id: 42}
                """
            ).only
        )
        #expect(game.places.map(\.description) == ["<steamUserdata>/<steamUser>/42/remote"])
    }

    @Test("A manifest yields no game whose title is no line, so that none can write another one into the list")
    func titles() throws {
        let games = try Self.games(
            "\"A\\nsave <home>/.x/y\": {files: {\"<xdgData>/a\": {}}}\n\"B\\tb\": {alias: C}\n\"\": {alias: C}\n"
        )
        #expect(games == [])
        var game = KnownGame("A")
        (game.installFolders, game.places) = (["a\nregistry", "b"], [try GamePlace("<xdgData>/a")])
        #expect(GameList.text(of: game) == "= A\ndir b\nsave <xdgData>/a\n")
    }

    @Test("An index keeps the games of a manifest, and finds them by every name")
    func index() throws {
        let games = try Self.games(
            """
            Minit:
              files: {"<home>/.config/minit/minitsaves/minit_v1.sav": {}}
              gog: {id: 1861202745}
              installDir: {Minit Folder: {}}
              steam: {id: 609490}
            Tiny: {alias: Minit}
            Nothing: {installDir: {x: {}}}
            """
        )
        let index = GameIndex(of: games)
        let again = try #require(GameIndex(Self.bytes(of: games)))
        for list in [index, again] {
            for key in [
                GameKey.steam(609490), .gog(1861202745), .folder("minit folder"), .title("MINIT!"),
                .folder(.xdgConfig, ["Minit"]),
            ] {
                #expect(list.games(for: key).map(\.title) == ["Minit"], "\(key)")
            }
            #expect(list.game(titled: "tiny")?.title == "Minit" && list.game(titled: "Nothing") == nil)
            #expect(list.games(for: .steam(1)) == [])
        }
    }

    private static func bytes(of games: [KnownGame]) -> [UInt8] {
        var builder = GameIndex.Builder()
        for game in games { builder.add(game) }
        return builder.finish()
    }

    @Test("An index that is cut or changed yields no game under another name")
    func brokenIndex() throws {
        let games = try Self.games("A: {files: {\"<xdgData>/a\": {}}}\nB: {files: {\"<xdgData>/b\": {}}}")
        let bytes = Self.bytes(of: games)
        for count in bytes.indices { _ = GameIndex(Array(bytes[..<count]))?.games(for: .title("A")) }
        for place in bytes.indices {
            for value in [0, 0xFF, bytes[place] ^ 1] as [UInt8] {
                var changed = bytes
                changed[place] = value
                guard let index = GameIndex(changed) else { continue }
                for title in ["A", "B"] { #expect(index.games(for: .title(title)).allSatisfy { $0.title == title }) }
            }
        }
    }

    @Test(
        "A manifest is refused if it nests, aliases, or goes on too far",
        arguments: [
            String(repeating: "[", count: 100_000), String(repeating: "{a: ", count: 100_000),
            "a: &x [1]\nb: *x\n", "a: &a [&b [&c [x]]]\nb: [*a, *b]\n",
            "a:\n b: \(String(repeating: "x", count: 20_000))\n",
            "[]", "text", "a: [", "a: \"x", "a: b: c", "\u{0}", "%YAML 9.9\n---\n", "a: !!binary x\n\tb",
            String(repeating: "- ", count: 50_000), String(repeating: "? ", count: 50_000),
        ]
    )
    func hostile(_ text: String) {
        #expect(throws: YAMLFailure.self) { try Self.games(text) }
    }

    @Test("The reader stops at the limit of bytes")
    func tooLarge() throws {
        let limits = YAMLEvents.Limits(bytes: 1000)
        let text = String(repeating: "a: b\n", count: 1000)
        let failure = #expect(throws: YAMLFailure.self) {
            try ManifestReader(try YAMLEvents(Array(text.utf8), limits: limits)).read { _ in }
        }
        #expect(failure == .tooLarge)
    }

    @Test("A manifest is kept as a whole or not at all, and found again")
    func kept() throws {
        let tree = GameTree()
        let lists = GameLists(in: tree.path("state/games"))
        tree.put("Turnover: {files: {\"<xdgData>/turnover\": {}}, steam: {id: 372250}}\n", at: "manifest.yaml")
        #expect(try lists.update(from: tree.path("manifest.yaml")) == 1)
        tree.put("Turnover: [", at: "manifest.yaml")
        #expect(throws: ManifestFailure.self) { try lists.update(from: tree.path("manifest.yaml")) }
        #expect(throws: ManifestFailure.self) { try lists.update(from: tree.path("none.yaml")) }
        #expect(throws: ManifestFailure.self) { try lists.update(fromBytes: Array("<html>".utf8), of: "a page") }
        let known = lists.knowledge(for: tree.surroundings)
        #expect(known.failures.isEmpty && known.knowledge.game([.steam(372250)])?.title == "Turnover")
    }

    @Test("A manifest is taken from Ludusavi if that has one, and again after a change")
    func ludusavi() throws {
        let tree = GameTree()
        let lists = GameLists(in: tree.path("state/games"))
        tree.put(
            "One: {files: {\"<xdgData>/one\": {}}, steam: {id: 1}}\n",
            at: ".config/ludusavi/manifest.yaml",
            saved: 1000
        )
        #expect(lists.knowledge(for: tree.surroundings).knowledge.game([.steam(1)])?.title == "One")
        tree.put(
            "Two: {files: {\"<xdgData>/two\": {}}, steam: {id: 1}}\n",
            at: ".config/ludusavi/manifest.yaml",
            saved: 2000
        )
        #expect(
            lists.knowledge(for: tree.surroundings).knowledge.game([.steam(1)])?.title == "One",
            "it is no newer than the index"
        )
        tree.put(
            "Two: {files: {\"<xdgData>/two\": {}}, steam: {id: 1}}\n",
            at: ".config/ludusavi/manifest.yaml",
            saved: 4_000_000_000
        )
        #expect(lists.knowledge(for: tree.surroundings).knowledge.game([.steam(1)])?.title == "Two")
        tree.put("Two: [", at: ".config/ludusavi/manifest.yaml", saved: 4_000_000_001)
        let broken = lists.knowledge(for: tree.surroundings)
        #expect(broken.failures.count == 1 && broken.failures.first?.code == "games.manifest-malformed")
    }
}
