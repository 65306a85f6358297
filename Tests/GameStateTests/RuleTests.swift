import GameState
import SecureArchive
import TestSupport
import Testing
import Vocabulary
import Workbench

@Suite("Files of rules")
struct RuleTests {
    @Test("a file with every kind of rule is read, and its rules are written as they were")
    func readsAll() throws {
        let text = """
            # Rules for the saves of a game that does not exist.

            merge best                     = max
            merge fastest = min   # seconds
            merge playSeconds              = sum of changes
            merge lastPlayed               = newest
            merge slots[*]                 = newest by meta.savedAt
            merge tags                     = union
            merge hiscores                 = union by name with max sorted by score descending
            merge items                    = union by "item id" with sum of changes
            merge people[0]["first name"]  = keep mine
            merge settings.**              = keep theirs
            merge .                        = ask

            show score = hiscores[0].score
            show play time = playSeconds as duration
            show players = people[*].name
            show date = lastPlayed as date
            show items = items as count
            """
        let rules = try GameRules(parsing: text)
        #expect(
            rules.merging.rules.map(\.description) == [
                "max", "min", "sum of changes", "newest", "newest by meta.savedAt", "union",
                "union by name with max sorted by score descending", #"union by ["item id"] with sum of changes"#,
                "keep mine",
                "keep theirs", "ask",
            ]
        )
        #expect(
            rules.merging.patterns.map(\.description).suffix(3) == [#"people[0]["first name"]"#, "settings.**", "."]
        )
        #expect(rules.summary.map(\.label) == ["score", "play time", "players", "date", "items"])
        #expect(rules.summary.map(\.form) == [.plain, .duration, .plain, .date, .count])
        let again = zip(rules.merging.patterns, rules.merging.rules).map { "merge \($0) = \($1)" }.joined(
            separator: "\n"
        )
        #expect(try GameRules(parsing: again).merging == rules.merging)
    }

    @Test(
        "an error in a rule has its line and the nearest word",
        arguments: [
            ("\n\nmerg a = max", "line 3: “merg” is none of “merge”, “show”", "did you mean “merge”?"),
            ("merge a = maxx", "line 1: “maxx” is none of", "did you mean “max”?"),
            (
                "merge a = sum of change", "line 1: “change” is there where “changes” is expected",
                "did you mean “changes”?"
            ),
            ("merge a = keep mien", "line 1: “mien” is none of “mine”, “theirs”", "did you mean “mine”?"),
            ("merge a = unoin by x", "line 1: “unoin” is none of", "did you mean “union”?"),
            ("merge a max", "line 1: “max” is there where “=” is expected", nil),
            ("merge a =", "line 1: the line ends where one of", nil),
            ("merge", "line 1: the line ends where a path is expected", nil),
            ("merge a = max min", "line 1: “min” is one word too many", nil),
            ("merge a = union by x with union by y", "line 1: “union” is none of", nil),
            ("merge a..b = max", "line 1: “a..b” is not a path", nil),
            ("merge a[-1] = max", "line 1: a pattern counts", nil),
            (#"merge a["x = max"#, "line 1: a closing quote is missing", nil),
            ("merge a = max\nmerge a = min", "line 2: line 1 has a rule for these paths already", nil),
            ("show = a", "line 1: a label is missing", nil),
            ("show x = a as durations", "line 1: “durations” is none of", "did you mean “duration”?"),
            ("show x a", "line 1: the line ends where “=” is expected", nil),
            ("merge a = newest by", "line 1: the line ends where a key is expected", nil),
            ("merge a = union sorted x", "line 1: “x” is there where “by” is expected", nil),
        ] as [(String, String, String?)]
    )
    func refuses(text: String, message: String, nextStep: String?) {
        let error = #expect(throws: StateError.self) { try GameRules(parsing: text) }
        #expect(error?.code == "state.bad-rules")
        #expect(error?.message.hasPrefix(message) == true, "\(error?.message ?? "")")
        if let nextStep { #expect(error?.nextStep == nextStep) }
    }

    @Test("no text crashes the reader, and a very large one is refused")
    func survivesAnything() {
        var chance = SeededGenerator(seed: 5)
        let pieces = [
            "merge", "show", "=", "max", "union", "by", "\"", "\\", "[", "]", ".", "*", "**", "#", " ", "\n", "a", "ä",
            "\u{0}", "[*]",
        ]
        for _ in 0..<3000 {
            let text = (0..<Int.random(in: 0...14, using: &chance)).map { _ in
                pieces.randomElement(using: &chance) ?? ""
            }
            _ = try? GameRules(parsing: text.joined(separator: Bool.random(using: &chance) ? " " : ""))
        }
        #expect(throws: StateError.self) { try GameRules(parsing: String(repeating: "#", count: 1 << 20)) }
    }

    @Test(
        "a pattern matches the paths that it describes",
        arguments: [
            ("a.b", ["a.b"], ["a", "a.b.c", "b"]), ("a.*", ["a.x", "a.b"], ["a", "a[0]", "a.b.c"]),
            ("a[*].n", ["a[0].n", "a[7].n"], ["a.n", "a.b.n"]), ("**", [".", "a", "a[0].b"], []),
            ("**.n", ["n", "a.n", "a[0].b.n"], ["n.a", "."]), ("a.**.n", ["a.n", "a.b[1].n"], ["n", "b.n"]),
            (".", ["."], ["a"]), (#"*["x y"]"#, [#"a["x y"]"#], ["a.x"]), ("[*][1]", ["[0][1]"], ["[1][0]"]),
        ] as [(String, [String], [String])]
    )
    func patterns(text: String, meant: [String], notMeant: [String]) throws {
        let pattern = try PathPattern(parsing: text)
        for path in meant { #expect(pattern.matches(try StatePath(parsing: path)), "\(path)") }
        for path in notMeant { #expect(!pattern.matches(try StatePath(parsing: path)), "\(path)") }
        #expect(try PathPattern(parsing: pattern.description) == pattern)
    }

    @Test("the paths that match a pattern are found in a tree, up to the limit")
    func findsPaths() throws {
        let state = GameState(EditingTests.tree)
        #expect(try PathPattern(parsing: "people[*].name").paths(in: state) == ["people[0].name", "people[1].name"])
        #expect(try PathPattern(parsing: "**.height").paths(in: state, limit: 1) == ["people[0].height"])
        #expect(try PathPattern(parsing: "**").paths(in: state).count == 10)
        #expect(try PathPattern(parsing: "nothing.**").paths(in: state).isEmpty)
    }

    // MARK: Summaries

    @Test("all elements are counted, however many there are")
    func countsAll() throws {
        let rules = try GameRules(parsing: "show names = people[*].name\nshow people = people[*] as count")
        let people = (0..<2500).map { ArchiveValue.dictionary(["name": .string("p\($0)")]) }
        let summary = Summary(of: GameState(["people": .array(people)]), by: rules.summary)
        #expect(
            summary.text == ["names   p0, p1, p2, p3, p4, p5, p6, p7 and 2492 others", "people  2500"]
        )
        let listed = try GameState(summary.tree).elements(at: "lines[0].value")
        #expect(listed.count == 1000)
    }

    @Test("a label that could mislead a terminal is made fit to print")
    func labels() throws {
        let rules = try GameRules(parsing: "show \u{1b}[31mred = level")
        let summary = Summary(of: GameState(["level": whole(1)]), by: rules.summary)
        #expect(summary.text == ["\\u{1b}[31mred  1"])
    }

    @Test("rules give a summary of a save, for users and for programs")
    func summary() throws {
        let rules = try GameRules(
            parsing: """
                show score     = stats.score
                show play time = stats.seconds as duration
                show level     = level
                show players   = people[*].name
                show date      = saved as date
                show items     = items as count
                show alive     = alive
                show nothing   = not.there
                """
        )
        let state = GameState([
            "stats": .dictionary(["score": whole(9000), "seconds": real(11_530.5)]),
            "level": .string("the \u{1b}[31mcellar"),
            "people": .array((0..<10).map { .dictionary(["name": .string("p\($0)")]) }), "saved": date(1_700_000_000),
            "items": .array([.null, .null]), "alive": .bool(true),
        ])
        let summary = Summary(of: state, by: rules.summary, game: "Caves")
        #expect(
            summary.text == [
                "score      9000", "play time  3 h 12 min", "level      the \\u{1b}[31mcellar",
                "players    p0, p1, p2, p3, p4, p5, p6, p7 and 2 others", "date       2023-11-14 22:13 UTC",
                "items      2",
                "alive      yes",
            ]
        )
        let json = GameState(summary.tree)
        #expect(try json.string(at: "game") == "Caves")
        #expect(try json.real(at: "lines[1].value") == 11_530.5)
        #expect(try json.string(at: "lines[4].value") == "2023-11-14T22:13:20Z")
        #expect(try json.elements(at: "lines[3].value").count == 10)
        #expect(json.obstacles(to: .json).isEmpty)
    }

    @Test(
        "durations have the two largest units",
        arguments: [
            (0, "0 s"), (59, "59 s"), (61, "1 min 1 s"), (3600, "1 h 0 min"), (360_000, "100 h 0 min"), (-1, "-1.0 s"),
            (1e300, "1e+300 s"),
        ] as [(Double, String)]
    )
    func durations(seconds: Double, text: String) throws {
        let rules = try GameRules(parsing: "show t = t as duration")
        #expect(Summary(of: GameState(["t": real(seconds)]), by: rules.summary).lines.map(\.text) == [text])
    }

    @Test("without rules the summary has usual keys, the one nearest to the root first")
    func usual() throws {
        let save = #"{"slot": {"Play_Seconds": 3700, "score": 1}, "High-Score": 90, "level": "Castle", "lives": 3}"#
        let said = try #require(Summary(usualIn: try GameState(reading: Array(save.utf8))))
        #expect(said.text == ["score      1", "level      Castle", "play time  1 h 1 min"])
        let twice = #"{"level": 7, "old": {"level": 3, "playTime": 12}}"#
        #expect(try Summary(usualIn: GameState(reading: Array(twice.utf8)))?.text == ["level      7", "play time  12"])
        for nothing in [#"{"level": {"name": 1}, "score": null}"#, "[1]"] {
            #expect(try Summary(usualIn: GameState(reading: Array(nothing.utf8))) == nil)
        }
    }

    @Test(
        "saves of known games are recognized and have a summary",
        arguments: [
            ("tictactoe.json", "tic-tac-toe", ["state  under way, O moves", "moves  3", "grid   X.O .X. ..."]),
            ("character.keyed", "character", ["class         fighter", "color         red", "strength      18"]),
            (
                "character-unkeyed.keyed", "character",
                ["class         fighter", "color         red", "strength      18"]
            ),
            (
                "passcode.keyed", "passcode settings",
                [
                    "passcode        asked for", "wrong attempts  4", "locked until    2023-11-14 22:14 UTC",
                    "app version     2.1",
                ]
            ),
            ("scene.plist", "scene", ["spriteFile       1", "texturedPolygon  1", "rectangle        1"]),
            ("scene.xml", "scene", ["spriteFile       1", "texturedPolygon  1", "rectangle        1"]),
            ("hiscores.plist", "high scores", ["score    9000 (Ada)", "players  Ada, Bob, Cy, Dé"]),
        ]
    )
    func knownGames(file: String, game: String, lines: [String]) throws {
        let state = try GameState(reading: fixture(file))
        let known = try #require(KnownGame(recognising: state))
        #expect(known.description == game)
        #expect(known.faults(of: state) == nil)
        let text = try #require(known.summary(of: state)).text
        #expect(text.starts(with: lines), "\(text)")
    }

    @Test("an impossible save of a known game is recognized and reported")
    func faultyGames() throws {
        var state = try GameState(reading: fixture("tictactoe.json"))
        try state.set(.integer(9), at: "TTTGameKeyPlaycount")
        let known = try #require(KnownGame(recognising: state))
        #expect(known.faults(of: state)?.message.contains("9 moves were counted") == true)
        #expect(known.summary(of: state)?.lines.last?.label == "impossible")
        try state.set(.integer(9), at: "TTTGameKeyGridState")
        #expect(known.summary(of: state) == nil)
        #expect(KnownGame(recognising: GameState(EditingTests.tree)) == nil)
        #expect(try KnownGame(recognising: GameState(reading: fixture("preferences.plist"))) == nil)
    }

    @Test("saves of known games are merged by meaning")
    func knownMerges() throws {
        let base = try GameState(reading: fixture("passcode.keyed"))
        let known = try #require(KnownGame(recognising: base))
        var mine = base
        try mine.set(.integer(9), at: "attemptCount")
        var theirs = base
        try theirs.set(.integer(0), at: "attemptCount")
        try theirs.set(real(1_700_009_999), at: "nextCheckDate")
        let outcome = GameState.merge(base: base, mine: mine, theirs: theirs, rules: known.rules)
        #expect(outcome.conflicts.isEmpty)
        #expect(try outcome.merged.integer(at: "attemptCount") == 9)
        #expect(try outcome.merged.real(at: "nextCheckDate") == 1_700_009_999)
        #expect(outcome.merged.format == .keyedArchive(.binary))

        let game = try GameState(reading: fixture("tictactoe.json"))
        var moved = game
        try moved.set(.string("1, 0, 2, 0, 1, 0, 0, 0, 2"), at: "TTTGameKeyGridState")
        var other = game
        try other.set(.string("1, 2, 2, 0, 1, 0, 0, 0, 0"), at: "TTTGameKeyGridState")
        let rules = try #require(KnownGame(recognising: game)).rules
        #expect(GameState.merge(base: game, mine: moved, theirs: other, rules: rules).conflicts.map(\.path) == [.root])
        #expect(GameState.merge(base: game, mine: moved, theirs: game, rules: rules).merged == moved)
    }

    @Test(
        "characters are merged by meaning, with keys or in the older order",
        arguments: [true, false]
    )
    func characters(isMineUnkeyed: Bool) throws {
        func state(_ strength: Int, _ wisdom: Int, _ style: ModelStyle) -> GameState {
            var character = SimpleCharacter()
            (character.strength, character.wisdom) = (strength, wisdom)
            return GameState(character.tree(style), format: .keyedArchive(.binary))
        }
        let style = isMineUnkeyed ? ModelStyle.unkeyedObjects : .objects
        let mine = state(5, 1, style)
        let game = try #require(KnownGame(recognising: mine))
        for theirs in [state(3, 9, .objects), state(3, 9, .unkeyedObjects)] {
            let outcome = GameState.merge(
                base: nil,
                mine: mine,
                theirs: game.converted(theirs, toTheFormOf: mine),
                rules: game.rules
            )
            #expect(outcome.conflicts.isEmpty)
            #expect(outcome.merged.root == state(5, 9, style).root)
        }
    }
}
