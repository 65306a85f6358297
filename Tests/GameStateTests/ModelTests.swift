import GameState
import SecureArchive
import SessionRules
import Testing
import Vocabulary

@Suite("Models of games")
struct ModelTests {
    // MARK: Tic-tac-toe

    private static func game(_ grid: String, state: Int = 0, count: Int? = nil) -> ArchiveValue {
        .dictionary([
            "TTTGameKeyCurrentPlayer": .integer(0), "TTTGameKeyState": whole(state),
            "TTTGameKeyGridState": .string(grid),
            "TTTGameKeyCurrentSymbol": .string("X"),
            "TTTGameKeyPlaycount": whole(count ?? grid.filter { "12".contains($0) }.count),
        ])
    }

    @Test("a game of tic-tac-toe from JSON is read, and written back with the same content and order")
    func ticTacToe() throws {
        let tree = try JSON.read(fixture("tictactoe.json"))
        let game = try TicTacToe(reading: tree)
        #expect(game.grid[0] == .x && game.grid[2] == .o && game.grid[4] == .x)
        #expect(game.currentSymbol == .o && game.currentPlayer == .second && game.phase == .active)
        #expect(try JSON.write(game.tree()) == JSON.write(tree))
        #expect(try JSON.write(game.tree(over: tree)) == JSON.write(tree))
    }

    @Test(
        "an impossible game is distinguished from a possible one",
        arguments: [
            ("0, 0, 0, 0, 0, 0, 0, 0, 0", 0, nil, nil), ("1, 1, 1, 2, 2, 0, 0, 0, 0", 1, nil, nil),
            ("0, 2, 0, 0, 0, 0, 0, 0, 0", 0, nil, nil), ("1, 2, 1, 1, 2, 2, 2, 1, 1", 2, nil, nil),
            ("1, 1, 0, 0, 0, 0, 0, 0, 0", 0, nil, "there are 2 X and 0 O, but the players take turns"),
            ("1, 0, 0, 0, 0, 0, 0, 0, 0", 0, 4, "4 moves were counted and 1 marks are on the grid"),
            ("1, 1, 1, 2, 2, 2, 0, 0, 0", 1, nil, "both have three in a row"),
            ("1, 1, 1, 2, 2, 0, 0, 0, 0", 0, nil, "the game goes on, but a player has three in a row"),
            ("1, 1, 0, 2, 2, 0, 0, 0, 0", 1, nil, "the game is won, but no player has three in a row"),
            ("1, 1, 1, 2, 2, 0, 2, 2, 0", 1, nil, "the player with three in a row did not move last"),
            ("1, 0, 0, 0, 0, 0, 0, 0, 0", 2, nil, "the game is drawn and 8 squares are free"),
            ("1, 2, 1, 1, 2, 2, 2, 1, 1", 0, nil, "the game goes on and no square is free"),
            ("1, 0, 0", 0, nil, "a grid has nine squares, not 3"),
            ("3, 0, 0, 0, 0, 0, 0, 0, 0", 0, 0, "a square holds 0, 1 or 2"),
            ("1,0,0,0,0,0,0,0,0", 0, nil, "“1,0,0,0,0,0,0,0,0” is not a number"), ("", 0, nil, "“” is not a number"),
            ("0, 0, 0, 0, 0, 0, 0, 0, 0", 7, nil, "7 is none of -1, 0, 1, 2"),
        ] as [(String, Int, Int?, String?)]
    )
    func impossibleGames(grid: String, state: Int, count: Int?, reason: String?) {
        let found = words { _ = try TicTacToe(reading: Self.game(grid, state: state, count: count)) }
        #expect((found == nil) == (reason == nil), "\(found ?? "")")
        if let reason { #expect(found?.contains(reason) == true, "\(found ?? "")") }
    }

    @Test("a game with an unknown or a missing key is refused")
    func exactKeys() throws {
        var state = GameState(Self.game("0, 0, 0, 0, 0, 0, 0, 0, 0"))
        try state.set(.null, at: "TTTGameKeyWinner")
        #expect(
            words { _ = try TicTacToe(reading: state.root) }?.contains("TTTGameKeyWinner: this key is unknown")
                == true
        )
        try state.remove(at: "TTTGameKeyWinner")
        try state.remove(at: "TTTGameKeyState")
        #expect(words { _ = try TicTacToe(reading: state.root) } == "TTTGameKeyState: the key is missing")
    }

    // MARK: Passcodes

    @Test("a lockout that is stored as passcode settings comes back unchanged", arguments: [0, 1, 3, 4, 9, 40])
    func lockOut(wrongCodes: Int) throws {
        var lockOut = LockOut(.perKey)
        for second in 0..<wrongCodes { lockOut.count(at: 1_700_000_000 + Int64(second)) }
        let settings = PasscodeSettings(lockOut, appVersion: "1.2")
        #expect(settings.attemptCount == wrongCodes)
        let again = try PasscodeSettings(reading: settings.tree(.objects))
        #expect(again == settings)
        #expect(again.lockOut() == lockOut)
        for now in [1_700_000_000, 1_700_000_020, 1_700_001_000, 1_600_000_000, 1_900_000_000] as [Int64] {
            let date = try #require(ArchiveDate(secondsSince1970: Double(now)))
            #expect(settings.secondsLeft(at: date) == Double(lockOut.secondsLeft(at: now)))
        }
    }

    @Test("wrong passcodes count by the same rule, and a right one resets them")
    func countsCodes() throws {
        let now = try #require(ArchiveDate(secondsSince1970: 1_700_000_000))
        var settings = PasscodeSettings()
        settings.isPassCodeEnabled = true
        for _ in 0..<3 { settings.countWrongCode(at: now) }
        #expect(settings.secondsLeft(at: now) == 0)
        settings.countWrongCode(at: now)
        #expect(settings.secondsLeft(at: now) == 30)
        #expect(settings.checkInterval == 30)
        #expect(settings.nextCheckDate == ArchiveDate(secondsSince1970: 1_700_000_030))
        settings.countRightCode()
        #expect(settings.secondsLeft(at: now) == 0)
        #expect(settings.attemptCount == 0)
    }

    @Test("settings that no app can have written are refused, and none can crash the program")
    func impossibleSettings() throws {
        func tree(_ count: Int, _ interval: Double, _ next: ArchiveValue) -> ArchiveValue {
            .dictionary([
                "isPassCodeEnabled": .bool(true), "attemptCount": whole(count), "checkInterval": real(interval),
                "nextCheckDate": next,
            ])
        }
        #expect(words { _ = try PasscodeSettings(reading: tree(-1, 0, .integer(0))) }?.contains("-1 attempts") == true)
        #expect(words { _ = try PasscodeSettings(reading: tree(0, -0.5, .integer(0))) } != nil)
        #expect(words { _ = try PasscodeSettings(reading: tree(0, 0, real(1e300))) } != nil)
        let extreme = try PasscodeSettings(reading: tree(.max, 1e300, real(200_000_000_000)))
        #expect(extreme.lockOut().count == 1_000_000)
        #expect(extreme.lockOut().secondsLeft(at: 0) == 3600)
        let early = try PasscodeSettings(reading: tree(9, 60, real(-5)))
        #expect(early.lockOut().until == 0)
    }

    // MARK: Scenes

    @Test("a scene is the same from a property list, JSON and XML, and comes back from each")
    func scenes() throws {
        let tree = try XMLPropertyList.read(fixture("scene.plist"))
        let scene = try Scene(reading: tree)
        let json = try JSON.read(fixture("scene.json"))
        #expect(try Scene(reading: json) == scene)
        let xml = try Scene(readingXML: XMLTree(reading: fixture("scene.xml")))
        #expect(xml == scene)
        #expect(scene.nodes.map(\.kind) == [.spriteFile, .texturedPolygon, .rectangle])
        #expect(scene.nodes[0].position == Scene.Point(120, 80.5))
        #expect(scene.nodes[1].vertices.count == 3)
        #expect(try scene.nodes[2].meta == GameState(tree).value(at: "nodes[2].meta"))
        #expect(try Scene(readingXML: XMLTree(reading: scene.xml().write())) == scene)
        #expect(scene.tree(over: tree) == tree.addingScale)
        #expect(try Scene(reading: scene.tree()) == scene)
    }

    @Test("the nearness of a node follows from its position, unless the file has it")
    func depth() throws {
        let scene = try Scene(reading: JSON.read(fixture("scene.json")))
        #expect(scene.nodes.map(\.depth) == [239.5, -10, 300])
    }

    @Test("points and sizes are read in the forms of other writers, and written back in them")
    func points() throws {
        let tree = ArchiveValue.dictionary([
            "nodes": .array([
                .dictionary([
                    "type": .string("texturedPolygon"), "position": .string("{1, 2.5}"), "size": .string("{30, 40}"),
                    "vertices": .array([.string("{0,0}"), .array([.integer(1), .integer(2)]), .string("{-3, 1e2}")]),
                ])
            ])
        ])
        var scene = try Scene(reading: tree)
        #expect(scene.nodes[0].position == Scene.Point(1, 2.5))
        #expect(scene.nodes[0].vertices == [Scene.Point(), Scene.Point(1, 2), Scene.Point(-3, 100)])
        #expect(scene.nodes[0].size == Scene.Size(30, 40))
        scene.nodes[0].position.x = 7
        scene.nodes[0].size?.height = 41
        let written = GameState(scene.tree(over: tree))
        #expect(try written.string(at: "nodes[0].position") == "{7, 2.5}")
        #expect(try written.string(at: "nodes[0].size") == "{30, 41}")
        #expect(try written.elements(at: "nodes[0].vertices[1]") == [.integer(1), .integer(2)])
    }

    @Test(
        "a node that can't be drawn is refused",
        arguments: [
            (["type": .string("sprite")], "did you mean “spriteFile”?"),
            (["type": .string("spriteFile")], "a sprite without a file"),
            (["type": .string("texturedPolygon")], "a polygon with 0 corners"),
            (["type": .string("rectangle"), "position": .string("{1}")], "as a string a point is"),
            (["type": .string("rectangle"), "position": .array([.integer(1)])], "a point has two numbers"),
            (["type": .string("rectangle"), "position": .string("{nan, 1}")], "as a string a point is"),
        ] as [(ArchiveFields, String)]
    )
    func undrawable(node: ArchiveFields, reason: String) {
        let error = #expect(throws: ModelFaults.self) {
            try Scene(reading: .dictionary(["nodes": .array([.dictionary(node)])]))
        }
        #expect(error?.description.contains(reason) == true)
    }

    // MARK: Preferences

    @Test(
        "preferences keep their names, order and kinds of number; other values than those of property lists are refused"
    )
    func preferences() throws {
        let tree = try XMLPropertyList.read(fixture("preferences.plist"))
        let preferences = try Preferences(reading: tree)
        #expect(preferences.values.keys == ["soundVolume", "playerName", "lives", "hints", "recent"])
        #expect(try XMLPropertyList.write(preferences.tree()) == fixture("preferences.plist"))
        let state = GameState(preferences.tree())
        #expect(try state.real(at: "soundVolume") == 0.75)
        #expect(try state.bool(at: "hints") == false)
        let found = words { _ = try Preferences(reading: .dictionary(["a": .array([.dictionary(["b": .null])])])) }
        #expect(found == "a[0].b: null is no preference")
    }
}

extension ArchiveValue {
    /// The nodes of the fixture without a scale, with their default one.
    fileprivate var addingScale: ArchiveValue {
        var state = GameState(self)
        for index in [1, 2] {
            try? state.set(.integer(1), at: StatePath([.key("nodes"), .index(index), .key("scale")]))
        }
        return state.root
    }
}
