@testable import Database
@testable import GameState
import SecureArchive
import TestSupport
import Testing
import Vocabulary

@Suite("Files in the forms of the first games")
struct FirstGamesTests {
    // MARK: Numbers in texts

    private func text(_ words: String) -> ArchiveValue { .string(words) }

    @Test(
        "numbers in texts are numbers in a scene, and stay texts"
    )
    func keepsTexts() throws {
        let scene = ArchiveValue.dictionary([
            "nodes": .array([
                .dictionary([
                    "type": text("texturedPolygon"),
                    "position": .dictionary(["x": text("007"), "y": text("80.50")]),
                    "size": .dictionary(["width": text("+3"), "height": text("4e1")]),
                    "scale": text("1.0"),
                    "z": text("-10"),
                    "vertices": .array([
                        .array([text("0"), text("0")]),
                        .dictionary(["x": text("1"), "y": text("0")]),
                        text("{2, 1}"),
                    ]),
                ])
            ])
        ])
        var read = try Scene(reading: scene)
        #expect(read.nodes[0].position == Scene.Point(7, 80.5))
        #expect(read.nodes[0].size == Scene.Size(3, 40))
        #expect(read.nodes[0].z == -10)
        #expect(read.tree(over: scene) == scene)
        read.nodes[0].position = Scene.Point(8, 81)
        read.nodes[0].vertices[0].x = 0.5
        let changed = GameState(read.tree(over: scene))
        #expect(try changed.string(at: "nodes[0].position.x") == "8")
        #expect(try changed.string(at: "nodes[0].position.y") == "81.0")
        #expect(try changed.string(at: "nodes[0].vertices[0][0]") == "0.5")
        #expect(try changed.string(at: "nodes[0].scale") == "1.0")
    }

    @Test("scores, settings and tic-tac-toe games have numbers in texts, and keep them")
    func keepsTextsElsewhere() throws {
        let scores = ArchiveValue.dictionary([
            "hiscores": .array([
                .dictionary(["name": text("Ada"), "score": text("0900")]),
                .dictionary(["name": text("Bob"), "score": text("12.5")]),
            ])
        ])
        var list = try HighScores(reading: scores)
        #expect(list.entries.map(\.score) == [.whole(900), .real(12.5)])
        #expect(list.tree(over: scores) == scores)
        list.entries[0].score = .whole(1000)
        #expect(try GameState(list.tree(over: scores)).string(at: "hiscores[0].score") == "1000")

        let settings = ArchiveValue.dictionary([
            "isPassCodeEnabled": text("YES"), "attemptCount": text("4"),
            "checkInterval": text("60.0"),
            "nextCheckDate": text("1700000060.0"), "appVersion": text("2.1"),
        ])
        var passcode = try PasscodeSettings(reading: settings)
        #expect(
            passcode.isPassCodeEnabled && passcode.attemptCount == 4 && passcode.checkInterval == 60
        )
        #expect(passcode.nextCheckDate == ArchiveDate(secondsSince1970: 1_700_000_060))
        #expect(passcode.tree(over: settings) == settings)
        passcode.isPassCodeEnabled = false
        passcode.attemptCount = 5
        let later = GameState(passcode.tree(over: settings))
        #expect(try later.string(at: "isPassCodeEnabled") == "NO")
        #expect(try later.string(at: "attemptCount") == "5")

        let game = ArchiveValue.dictionary([
            "TTTGameKeyCurrentPlayer": text("1"), "TTTGameKeyState": text("0"),
            "TTTGameKeyGridState": text("1, 0, 0, 0, 0, 0, 0, 0, 0"),
            "TTTGameKeyCurrentSymbol": text("O"),
            "TTTGameKeyPlaycount": text("1"),
        ])
        let match = try TicTacToe(reading: game)
        #expect(match.currentPlayer == .second && match.playCount == 1)
        #expect(match.tree(over: game) == game)
    }

    @Test("a character with texts as abilities in a keyed archive is read and written unchanged")
    func characters() throws {
        var fields: ArchiveFields = ["charColor": .string("red"), "charClass": .string("mage")]
        let abilities = [
            "strength", "dexterity", "constitution", "intelligence", "wisdom", "charisma",
        ]
        for (number, key) in abilities.enumerated() { fields[key] = .string("1\(number)") }
        let tree = ArchiveValue.tagged("SimpleCharacter", .dictionary(fields))
        let bytes = try KeyedArchive.write(tree, schema: GameState.defaultSchema)
        let state = try GameState(reading: bytes)
        #expect(state.root == tree)
        var character = try SimpleCharacter(reading: state.root)
        #expect(character.strength == 10 && character.charisma == 15)
        #expect(KnownGame(recognising: state)?.faults(of: state) == nil)
        character.wisdom = 18
        let written = try GameState(character.tree(over: state.root), format: state.format).write()
        #expect(try GameState(reading: written).string(at: "wisdom") == "18")
        #expect(try GameState(reading: written).string(at: "strength") == "10")
    }

    @Test(
        "a text that is no number, or one that no format can contain, is refused",
        arguments: [
            "", " 5", "0x1F", "inf", "nan", "1e999", "five", "5 ", "1_000",
            String(repeating: "1", count: 65),
        ]
    )
    func noNumbers(words: String) {
        let list = ArchiveValue.dictionary([
            "hiscores": .array([.dictionary(["name": .string("a"), "score": .string(words)])])
        ])
        let error = #expect(throws: ModelFaults.self) { try HighScores(reading: list) }
        #expect(
            error?.description.contains("hiscores[0].score: it is a string, not a number") == true
        )
    }

    @Test("a reader that refuses numbers in texts reports them")
    func strict() {
        var strictness = Strictness.exact
        strictness.readsNumbersInTexts = false
        let list = ArchiveValue.dictionary([
            "hiscores": .array([.dictionary(["name": .string("a"), "score": .string("5")])])
        ])
        #expect(throws: ModelFaults.self) { try HighScores(reading: list, strictness) }
    }

    @Test(
        "merging two saves with numbers in texts keeps the larger number"
    )
    func mergesTexts() throws {
        func scores(_ ada: String, _ bob: String) -> GameState {
            GameState(
                .dictionary([
                    "hiscores": .array([
                        .dictionary(["name": .string("Ada"), "score": .string(ada)]),
                        .dictionary(["name": .string("Bob"), "score": .string(bob)]),
                    ])
                ])
            )
        }
        let (mine, theirs) = (scores("90", "7"), scores("100", "06"))
        let game = try #require(KnownGame(recognising: mine))
        let merged = GameState.merge(
            base: scores("80", "6"),
            mine: mine,
            theirs: theirs,
            rules: game.rules
        )
        #expect(merged.conflicts.isEmpty)
        #expect(merged.merged.root == scores("100", "7").root)
    }

    // MARK: Scenes

    @Test(
        "a rectangle has x and y, or width and height, as its size, and keeps its keys"
    )
    func rectangles() throws {
        let tree = try JSON.read(fixture("scene2.json"))
        var scene = try Scene(reading: tree)
        #expect(scene.nodes[2].size == Scene.Size(480, 320))
        #expect(scene.nodes[2].meta == (try GameState(tree).value(at: "nodes[2].meta")))
        #expect(
            scene.nodes[1].vertices == [Scene.Point(), Scene.Point(200, 0), Scene.Point(120, 90.5)]
        )
        #expect(scene.nodes[1].depth == -5)
        scene.nodes[2].size?.width = 960
        let changed = GameState(scene.tree(over: tree))
        #expect(
            try changed.value(at: "nodes[2].size")
                == .dictionary(["x": .integer(960), "y": .integer(320)])
        )
        #expect(try changed.string(at: "nodes[1].vertices[2].y") == "90.50")
        let both = ArchiveValue.dictionary([
            "nodes": .array([
                .dictionary([
                    "type": .string("rectangle"),
                    "size": .dictionary([
                        "x": .integer(1), "width": .integer(1), "height": .integer(2),
                    ]),
                ])
            ])
        ])
        let error = #expect(throws: ModelFaults.self) { try Scene(reading: both) }
        #expect(error?.description.contains("it is the same as “x”, which is there too") == true)
    }

    @Test("a scene as XML in ISO-8859-1 keeps its letters")
    func latinScenes() throws {
        let bytes = try fixture("scene3.xml")
        #expect(bytes.contains(0xE4), "it is not in UTF-8")
        let state = try GameState(reading: bytes)
        let game = try #require(KnownGame(recognising: state))
        #expect(game.description == "scene" && game.faults(of: state) == nil)
        let scene = try Scene(readingXML: XMLTree(state.root))
        #expect(scene.nodes.map(\.file) == ["krähe.png", nil])
        #expect(scene.nodes[0].position == Scene.Point(12, 34.5))
        #expect(scene.nodes[1].size == Scene.Size(480, 320))
        #expect(scene.nodes[1].meta == .dictionary(["name": .string("Café Ñandú")]))
        let written = try state.write()
        #expect(try GameState(reading: written).root == state.root)
    }

    // MARK: Scores in databases

    private static func database(_ script: StaticString) throws -> [UInt8] {
        let database = try Database<StateError>(at: ":memory:")
        try database.execute(script)
        return try database.image()
    }

    private static func kinds(_ bytes: [UInt8]) throws -> [String] {
        try HighScores(readingDatabase: bytes).entries.map { "\($0.name) \($0.score)" }
    }

    @Test(
        "scores that a game inserts as '%i' are numbers in columns of each type and of none",
        arguments: [
            """
            CREATE TABLE hiscores (name TEXT, score TEXT);
            INSERT INTO hiscores VALUES ('Ada', '900'), ('Bob', '8')
            """,
            """
            CREATE TABLE hiscores (name, score);
            INSERT INTO hiscores VALUES ('Ada', '900'), ('Bob', '8')
            """,
            """
            CREATE TABLE hiscores (name TEXT, score INTEGER);
            INSERT INTO hiscores VALUES ('Ada', '900'), ('Bob', '8')
            """,
            """
            CREATE TABLE hiscores (id INTEGER PRIMARY KEY, name VARCHAR(20), score VARCHAR(20));
            INSERT INTO hiscores (name, score) VALUES ('Ada', '900'), ('Bob', '8')
            """,
        ] as [StaticString]
    )
    func textColumns(script: StaticString) throws {
        let bytes = try Self.database(script)
        #expect(
            try HighScores(readingDatabase: bytes)
                == HighScores([.init("Ada", .whole(900)), .init("Bob", .whole(8))])
        )
        // Among texts “90” is less than “900” and “8” more than “10”.
        let taken = try HighScores([
            .init("Ada", .whole(90)), .init("Bob", .whole(10)), .init("Cy", .whole(5)),
        ])
        .recorded(inDatabase: bytes)
        #expect(try Self.kinds(taken) == ["Ada 900", "Bob 10", "Cy 5"])
        let replaced = try HighScores([.init("Bob", .whole(1000)), .init("Ada", .whole(901))])
            .replacing(inDatabase: bytes)
        #expect(try Self.kinds(replaced) == ["Ada 901", "Bob 1000"])
        // A game that reads texts still gets texts.
        let isText = !script.description.contains("INTEGER)")
        for image in [taken, replaced] {
            let database = try Database<StateError>(image: DatabaseImage(file: image, log: []))
            var texts: [Bool] = []
            try database.forEachRow("SELECT score AS score FROM hiscores") {
                row throws(StateError) in
                if case .text? = try? row.value("score") {
                    texts.append(true)
                } else {
                    texts.append(false)
                }
            }
            #expect(texts.allSatisfy { $0 == isText })
        }
    }

    @Test("the largest of numbers and texts in one column is a name's best")
    func mixedColumns() throws {
        let bytes = try Self.database(
            """
            CREATE TABLE hiscores (name, score);
            INSERT INTO hiscores VALUES ('Ada', '9'), ('Ada', 70), ('Ada', '10.5'), ('Bob', NULL)
            """
        )
        #expect(throws: StateError.self) { try HighScores(readingDatabase: bytes) }
        let file = try Self.database(
            """
            CREATE TABLE hiscores (name, score);
            INSERT INTO hiscores VALUES ('Ada', '9'), ('Ada', 70), ('Ada', '10.5')
            """
        )
        let less = try HighScores([.init("Ada", .whole(60))]).recorded(inDatabase: file)
        #expect(try Self.kinds(less) == ["Ada 9", "Ada 70", "Ada 10.5"])
        let more = try HighScores([.init("Ada", .whole(71))]).recorded(inDatabase: file)
        #expect(try Self.kinds(more) == ["Ada 9", "Ada 71", "Ada 10.5"])
    }
}
