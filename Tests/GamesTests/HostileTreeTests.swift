import GameTrees
import TestSupport
import Testing

@testable import Games

/// Trees and files that try to lead the finder elsewhere, or let it search for ever.
@Suite("The finder in hostile trees", .timeLimit(.minutes(1)))
struct HostileTreeTests {
    private let tree = GameTree()
    private static let list = """
        = Turnover
        steam 372250
        save <xdgData>/turnover
        = Prying
        save <home>/.gnup*/*.key
        save <home>/.game*
        """

    @Test("The finder follows the link that a save folder is, and none within it")
    func links() throws {
        tree.put(at: "card/turnover/one.sav")
        tree.link("card/turnover/out", to: "/")
        tree.link("card/turnover/passwd", to: "/etc/passwd")
        tree.link("card/turnover/loop", to: ".")
        tree.link(".local/share/turnover", to: tree.path("card/turnover"))
        let game = try #require(tree.found(knowing: Self.list).games.only)
        #expect(game.tally.files == 1 && game.places.only?.path == tree.path(".local/share/turnover"))
    }

    @Test(
        "The finder refuses a save folder that is a link to a home or to all",
        arguments: ["/", "HOME", "HOME/..", "HOME/.config"]
    )
    func broadLink(target: String) {
        tree.put(at: ".config/x/one.sav")
        tree.link(".local/share/turnover", to: target.replacing("HOME", with: tree.home))
        #expect(tree.found(knowing: Self.list).games == [])
    }

    @Test("The finder looks at no keys, whatever a list's pattern matches")
    func reserved() throws {
        tree.put(at: ".gnupg/private.key")
        tree.put(at: ".game1/one.sav")
        let game = tree.found(knowing: Self.list).games.only
        // A pattern right in a home matches the names there, and the probe knows games by fixed names alone.
        #expect(game == nil)
        let steam = SteamTree(in: tree)
        steam.install(1, "Prying", in: "Prying")
        let found = try #require(tree.found(knowing: Self.list).games.only)
        #expect(found.tally.files == 1)
    }

    @Test("The finder stops counting at its limits, and reports that there is too much")
    func tooMany() throws {
        for number in 0..<120 { tree.put("", at: ".local/share/turnover/\(number / 10)/\(number)") }
        var limits = SaveTally.Limits()
        limits.files = 50
        let tally = SaveWalk.tally(
            tree.path(".local/share/turnover"),
            patterns: [],
            ignoringCase: false,
            limits: limits
        )
        #expect(tally.files == 50 && tally.isCut)
        limits = SaveTally.Limits()
        limits.depth = 0
        #expect(
            SaveWalk.tally(tree.path(".local/share/turnover"), patterns: [], ignoringCase: false, limits: limits).isCut
        )
    }

    @Test("The finder finishes with patterns that multiply their ways")
    func manyWays() throws {
        var path = "deep"
        for _ in 0..<14 { path += "/a" }
        for number in 0..<50 { tree.put("", at: "\(path)/\(number)") }
        let pattern = try GamePlace.components("**/a/**/a*/?/[a]")
        let tally = SaveWalk.tally(tree.path("deep"), patterns: [pattern], ignoringCase: true)
        #expect(tally.files == 50)
    }

    @Test(
        "The finder takes nothing from launcher files that are cut, binary, nested or wrong",
        arguments: [
            [0x00], [0xFF, 0xFE, 0x00], Array("\"libraryfolders\"".utf8), Array("{{{{".utf8), Array("}".utf8),
            Array("\"a\" {".utf8),
            Array(String(repeating: "\"a\" {", count: 100_000).utf8),
            Array(String(repeating: "\"", count: 100_001).utf8),
            Array(
                "\"libraryfolders\" { \"0\" { \"path\" \"/\" } \"1\" { \"path\" \"../..\" } \"2\" { \"path\" \"/proc\" } }"
                    .utf8
            ),
            Array("\"AppState\" { \"appid\" \"99999999999\" \"installdir\" \"../../..\" }".utf8),
            Array("\"AppState\" { \"appid\" \"372250\" \"installdir\" \"..\" \"name\" \"\" }".utf8),
            Array("[1,2".utf8), Array("{\"installed\":[{\"appName\":\"../../x\",\"install_path\":\"/\"}]}".utf8),
            Array("SQLite format 3\0".utf8), Array("a: &a [*a]".utf8), Array(repeating: 0x00, count: 10_000),
            [0x00, 0x61, 0x00, 0x00, 0x62], Array(repeating: 0x01, count: 100),
        ] as [[UInt8]]
    )
    func brokenFiles(bytes: [UInt8]) {
        let root = ".local/share/Steam"
        for name in [
            "\(root)/steamapps/libraryfolders.vdf", "\(root)/steamapps/appmanifest_372250.acf",
            "\(root)/config/libraryfolders.vdf",
            "\(root)/userdata/1/config/shortcuts.vdf", ".config/heroic/gog_store/installed.json",
            ".config/heroic/sideload_apps/library.json", ".config/heroic/GamesConfig/x.json",
            ".config/heroic/legendaryConfig/legendary/installed.json", ".local/share/lutris/pga.db",
            ".local/share/bottles/bottles/one/bottle.yml", ".config/retroarch/retroarch.cfg", ".config/rpcs3/vfs.yml",
            ".var/app/net.retrodeck.retrodeck/config/retrodeck/retrodeck.json", ".config/EmuDeck/settings.sh",
            ".config/Cemu/settings.xml",
        ] {
            tree.put(bytes, at: name)
        }
        WineTree.make(in: tree, at: ".local/share/bottles/bottles/one")
        #expect(tree.found(knowing: Self.list).games.allSatisfy { $0.tally.files == 0 })
    }

    @Test("The finder survives every cut and many changes of the files that launchers write")
    func mutants() throws {
        let steam = SteamTree(in: tree)
        steam.install(372250, "Turnover", in: "Turnover")
        steam.addShortcut(5, "Turnover", in: "/opt/x")
        for name in [
            "steamapps/libraryfolders.vdf", "steamapps/appmanifest_372250.acf",
            "userdata/76561198/config/shortcuts.vdf",
        ] {
            let bytes = try #require(LocalFiles.read(tree.path("\(steam.root)/\(name)"), limit: 1 << 20))
            for count in bytes.indices { Self.readAll(Array(bytes[..<count])) }
            var generator = SeededGenerator(seed: 7)
            for _ in 0..<500 {
                var changed = bytes
                for _ in 0..<3 {
                    changed[Int.random(in: changed.indices, using: &generator)] = .random(
                        in: 0...255,
                        using: &generator
                    )
                }
                Self.readAll(changed)
            }
        }
    }

    private static func readAll(_ bytes: [UInt8]) {
        _ = KeyValuesReader.read(bytes).map { SteamScan.libraries($0) }
        _ = KeyValuesReader.read(bytes).flatMap(SteamApp.init)
        _ = BinaryKeyValuesReader.read(bytes)?["shortcuts"]?.fields.map { SteamShortcut($0.value) }
        _ = YAMLFields.read(bytes)
    }

    @Test("The finder names two games apart whose titles are typed alike, by their titles alone")
    func names() {
        let list = """
            = Same: Game
            save <xdgData>/one
            = Same Game!
            save <xdgData>/two
            = 三伏
            save <xdgData>/three
            = Ori & the Blind Forest’s Édition
            save <xdgData>/four
            """
        for name in ["one", "two", "three", "four"] { tree.put(at: ".local/share/\(name)/save") }
        let names = tree.found(knowing: list).games.map(\.id)
        // The first two are one game to a launcher.
        #expect(names.contains("ori-the-blind-forests-edition") && names.contains("same-game"))
        #expect(names.contains { $0.hasPrefix("game-") } && Set(names).count == names.count)
    }
}
