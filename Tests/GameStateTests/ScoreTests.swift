@testable import Database
@testable import GameState
import Glibc
import LinuxPlatform
import SecureArchive
import TestSupport
import Testing
import Vocabulary

@Suite("High scores")
struct ScoreTests {
    private static let expected = HighScores([
        .init("Ada", .whole(9000)), .init("Bob", .whole(1200)), .init("Cy", .whole(1200)), .init("Dé", .whole(7)),
    ])

    private static func scores(_ script: StaticString) throws -> [UInt8] {
        let database = try Database<StateError>(at: ":memory:")
        try database.execute(script)
        return try database.image()
    }

    @Test("scores are read from a property list and from a database, and written into either")
    func readsFormats() throws {
        let tree = try XMLPropertyList.read(fixture("hiscores.plist"))
        #expect(try HighScores(reading: tree) == Self.expected)
        #expect(Self.expected.tree(over: tree) == tree)
        #expect(try XMLPropertyList.write(Self.expected.tree()) == fixture("hiscores.plist"))
        let bytes = try fixture("hiscores.sqlite")
        #expect(HighScores.isDatabase(bytes))
        #expect(try HighScores(readingDatabase: bytes) == Self.expected)
        #expect(try HighScores(readingDatabase: Self.expected.database()) == Self.expected)
        #expect(try HighScores(readingDatabase: HighScores().database()) == HighScores())
    }

    @Test("a database with texts in UTF-16 is read and written as any other")
    func readsUTF16() throws {
        let bytes = try Self.scores(
            """
            PRAGMA encoding = 'UTF-16le'; CREATE TABLE hiscores (name TEXT, score INTEGER);
            INSERT INTO hiscores VALUES ('Dé', 7), ('漢', 8)
            """
        )
        let read = try HighScores(readingDatabase: bytes)
        #expect(read == HighScores([.init("Dé", .whole(7)), .init("漢", .whole(8))]))
        let added = try HighScores([.init("Dé", .whole(9))]).recorded(inDatabase: bytes)
        #expect(try HighScores(readingDatabase: added).entries.map(\.score) == [.whole(9), .whole(8)])
    }

    @Test(
        "damaged, too large and foreign databases have different errors",
        arguments: [
            ("CREATE TABLE hiscores (name, score); INSERT INTO hiscores VALUES (x'FF', 1)", StateError.Kind.damaged),
            ("CREATE TABLE hiscores (name, score); INSERT INTO hiscores VALUES (CAST(x'FF' AS TEXT), 1)", .damaged),
            ("CREATE TABLE hiscores (name, score); INSERT INTO hiscores VALUES ('a', 9e999)", .damaged),
            (
                """
                CREATE TABLE hiscores (name, score);
                INSERT INTO hiscores WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c LIMIT 100001)
                SELECT 'p' || n, n FROM c
                """, .tooLarge
            ),
            (
                """
                CREATE TABLE hiscores (name, score, more TEXT AS (hex(score)));
                INSERT INTO hiscores (name, score) VALUES ('a', 1)
                """, .notAllowed
            ),
            ("CREATE TABLE other (a)", .noScores),
        ] as [(StaticString, StateError.Kind)]
    )
    func kindsOfFault(script: StaticString, kind: StateError.Kind) throws {
        let bytes = try Self.scores(script)
        let error = #expect(throws: StateError.self) { try HighScores(readingDatabase: bytes) }
        #expect(error?.kind == kind)
        #expect(throws: StateError(.damaged, "this is no sound database")) {
            try HighScores(readingDatabase: Array(bytes.prefix(bytes.count / 2)))
        }
    }

    @Test("a database that takes SQLite too many steps is too large, though SQLite reports that memory is out")
    func tooManySteps() {
        #expect(StateError(SQLiteFailure(7, saying: "out of memory")).kind == .tooLarge)
    }

    @Test("a database that ends within a page is damaged, though SQLite would read zeros")
    func endsInAPage() throws {
        let bytes = try Self.scores("CREATE TABLE hiscores (name, score); INSERT INTO hiscores VALUES ('a', 7)")
        for torn in [Array(bytes.dropLast()), bytes + [0]] {
            #expect(throws: StateError(.damaged, "this is no sound database")) {
                try HighScores(readingDatabase: torn)
            }
        }
        // The same beside a log without that page.
        let (file, log) = try (fixture("coredata.sqlite"), fixture("coredata.sqlite-wal"))
        #expect(throws: StateError(.damaged, "this is no sound database")) {
            try HighScores(readingDatabase: Array(file.dropLast()), log: log)
        }
    }

    @Test(
        "rows without distinct numbers are read, and only the game can change them",
        arguments: [
            (
                """
                CREATE TABLE hiscores (name TEXT PRIMARY KEY, score) WITHOUT ROWID;
                INSERT INTO hiscores VALUES ('a', 1), ('b', 2)
                """, "the rows of the table hiscores have no numbers, so only the game can change them"
            ),
            (
                "CREATE TABLE hiscores (name, score, rowid); INSERT INTO hiscores VALUES ('a', 1, 5), ('b', 2, 5)",
                "several rows of the table hiscores have one number, so only the game can change them"
            ),
            (
                """
                CREATE TABLE ZHISCORE (Z_PK INTEGER, Z_ENT, Z_OPT, ZNAME, ZSCORE);
                INSERT INTO ZHISCORE VALUES (5, 1, 1, 'a', 1), (5, 1, 1, 'b', 2)
                """, "several rows of the table ZHISCORE have one number, so only the game can change them"
            ),
        ] as [(StaticString, String)]
    )
    func rowsWithoutNumbers(script: StaticString, words: String) throws {
        let bytes = try Self.scores(script)
        #expect(try HighScores(readingDatabase: bytes).entries.map(\.score) == [.whole(1), .whole(2)])
        let wanted = HighScores([.init("a", .whole(1)), .init("b", .whole(3))])
        let error = #expect(throws: StateError.self) { try wanted.replacing(inDatabase: bytes) }
        #expect(error?.detail == words)
        #expect(error?.nextStep == "change it in the game, or convert it to another file")
    }

    /// Records a score; true if anything changed.
    private func recorded(_ scores: inout HighScores, _ name: String, _ score: ScoreNumber) -> Bool {
        scores.record(name, score)
    }

    @Test("a name keeps its best score, and the list stays in order")
    func keepsBest() {
        var scores = Self.expected
        #expect(recorded(&scores, "Bob", .whole(1200)) == false)
        #expect(recorded(&scores, "Bob", .real(1199.5)) == false)
        #expect(recorded(&scores, "Bob", .real(1200.5)) == true)
        #expect(scores.entries.map(\.name) == ["Ada", "Bob", "Cy", "Dé"])
        #expect(recorded(&scores, "Dé", .whole(1200)) == true)
        #expect(recorded(&scores, "Eve", .whole(9001)) == true)
        #expect(recorded(&scores, "Fay", .whole(-1)) == true)
        #expect(scores.entries.map(\.name) == ["Eve", "Ada", "Bob", "Cy", "Dé", "Fay"])
        var doubled = HighScores([.init("A", .whole(1)), .init("A", .whole(5))])
        #expect(recorded(&doubled, "A", .whole(3)) == false)
        #expect(recorded(&doubled, "A", .whole(6)) == true)
        #expect(doubled.entries == [.init("A", .whole(6)), .init("A", .whole(1))])
    }

    @Test(
        "whole numbers and reals are compared without rounding",
        arguments: [
            (.whole(1), .real(1.5), true), (.real(1.5), .whole(2), true), (.whole(1), .real(1), false),
            (.real(1), .whole(1), false), (.whole(.max), .real(9.3e18), true), (.real(9.3e18), .whole(.max), false),
            (.whole(.min), .real(-9.3e18), false), (.real(-9.3e18), .whole(.min), true),
            (.whole(9_007_199_254_740_993), .real(9_007_199_254_740_992), false),
            (.real(9_007_199_254_740_992), .whole(9_007_199_254_740_993), true), (.whole(2), .whole(3), true),
        ] as [(ScoreNumber, ScoreNumber, Bool)]
    )
    func compares(left: ScoreNumber, right: ScoreNumber, isLess: Bool) {
        #expect(left.isLess(than: right) == isLess)
    }

    @Test("the rule applies in a database, too; values stay values, and the rest of it stays")
    func recordsInDatabase() throws {
        let bytes = try fixture("hiscores.sqlite")
        let name = "x'); DROP TABLE hiscores; --"
        let news = HighScores([.init("Bob", .whole(1300)), .init("Ada", .whole(1)), .init(name, .real(0.5))])
        let changed = try news.recorded(inDatabase: bytes)
        let scores = try HighScores(readingDatabase: changed)
        #expect(scores.entries.map(\.name) == ["Ada", "Bob", "Cy", "Dé", name])
        #expect(scores.entries[1].score == .whole(1300))
        #expect(scores.entries[4].score == .real(0.5))
        let volume = try Database<StateError>(image: DatabaseImage(file: changed)).row("SELECT value FROM settings") {
            row throws(UnreadableValue) in try row.bytes("value")
        }
        #expect(volume == [0, 255])
        #expect(try news.recorded(inDatabase: changed) == changed)
    }

    @Test("keys, entities and counts of changes in a Core Data store stay correct")
    func coreData() throws {
        let (file, log) = try (fixture("coredata.sqlite"), fixture("coredata.sqlite-wal"))
        #expect(try HighScores(readingDatabase: file).entries.map(\.name) == ["Ada", "Bob"])
        #expect(try HighScores(readingDatabase: file, log: log).entries.map(\.name) == ["Ada", "Bob", "Eve"])
        let news = HighScores([.init("Bob", .whole(1300)), .init("Fay", .whole(8)), .init("Gus", .whole(9))])
        let changed = try news.recorded(inDatabase: file, log: log)
        let database = try Database<StateError>(image: DatabaseImage(file: changed))
        var rows: [[Int64]] = []
        try database.forEachRow("SELECT Z_PK, Z_ENT, Z_OPT, ZSCORE FROM ZHISCORE ORDER BY Z_PK") {
            row throws(StateError) in
            do throws(UnreadableValue) {
                rows.append([
                    try row.integer("Z_PK"), try row.integer("Z_ENT"), try row.integer("Z_OPT"),
                    try row.integer("ZSCORE"),
                ])
            } catch {
                throw StateError(error)
            }
        }
        #expect(rows == [[1, 1, 1, 9000], [2, 1, 4, 1300], [5, 1, 1, 40], [6, 1, 1, 8], [7, 1, 1, 9]])
        var highest: [Int64?] = []
        try database.forEachRow("SELECT Z_MAX AS highest FROM Z_PRIMARYKEY") { row throws(StateError) in
            highest.append(try? row.integer("highest"))
        }
        #expect(highest == [7, 9])
    }

    @Test("an entity below another is counted with the topmost")
    func entityBelow() throws {
        let bytes = try Self.scores(
            """
            CREATE TABLE ZHISCORE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZSCORE INTEGER, ZNAME VARCHAR);
            CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
            INSERT INTO Z_PRIMARYKEY VALUES (1, 'Record', 0, 40), (2, 'Hiscore', 1, 0);
            """
        )
        let changed = try HighScores([.init("A", .whole(1))]).recorded(inDatabase: bytes)
        let row = try Database<StateError>(image: DatabaseImage(file: changed)).row(
            "SELECT Z_PK * 100 + Z_ENT AS both FROM ZHISCORE"
        ) { row throws(UnreadableValue) in try row.integer("both") }
        #expect(row == 4102)
    }

    @Test(
        "a database with unexpected content is refused with the reason",
        arguments: [
            ("CREATE TABLE other (name, score)", "there is no table of high scores"),
            ("CREATE TABLE hiscores (name)", "the table hiscores has no SCORE"),
            ("CREATE VIEW hiscores AS SELECT 'a' AS name, 1 AS score", "there is no table of high scores"),
            (
                "CREATE TABLE hiscores (name, score); INSERT INTO hiscores VALUES (1, 2)",
                "hiscores[0].name: the name is an integer"
            ),
            (
                "CREATE TABLE hiscores (name, score); INSERT INTO hiscores VALUES ('a', 'many')",
                "hiscores[0].score: the score is a text"
            ),
            (
                "CREATE TABLE hiscores (name, score); INSERT INTO hiscores VALUES ('a', 9e999)",
                "hiscores[0].score: the score is not finite"
            ),
            ("CREATE TABLE hiscores (name, score); INSERT INTO hiscores VALUES (CAST(x'ff' AS TEXT), 1)", "not UTF-8"),
        ] as [(StaticString, String)]
    )
    func refuses(script: StaticString, reason: String) throws {
        let bytes = try Self.scores(script)
        let found = words { _ = try HighScores(readingDatabase: bytes) }
        #expect(found?.contains(reason) == true, "\(found ?? "nothing")")
    }

    @Test(
        "a database that can't be changed soundly is read and not changed",
        arguments: [
            (
                """
                CREATE TABLE hiscores (name, score);
                CREATE TRIGGER t AFTER INSERT ON HISCORES BEGIN DELETE FROM hiscores; END
                """, "triggers"
            ),
            ("CREATE TABLE ZHISCORE (Z_PK INTEGER PRIMARY KEY, Z_ENT, Z_OPT, ZSCORE, ZNAME)", "Z_PRIMARYKEY"),
            (
                """
                CREATE TABLE ZHISCORE (Z_PK INTEGER PRIMARY KEY, Z_ENT, Z_OPT, ZSCORE, ZNAME);
                CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME, Z_SUPER, Z_MAX);
                INSERT INTO Z_PRIMARYKEY VALUES (1, 'HiScore', 1, 0)
                """, "without end"
            ),
            (
                """
                CREATE TABLE ZHISCORE (Z_PK INTEGER PRIMARY KEY, Z_ENT, Z_OPT, ZSCORE, ZNAME);
                CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME, Z_SUPER, Z_MAX);
                INSERT INTO Z_PRIMARYKEY VALUES (1, 'HiScore', 0, 9223372036854775807)
                """, "used up its keys"
            ),
        ] as [(StaticString, String)]
    )
    func leavesAlone(script: StaticString, reason: String) throws {
        let bytes = try Self.scores(script)
        #expect(try HighScores(readingDatabase: bytes).entries.isEmpty)
        let found = words { _ = try HighScores([.init("A", .whole(1))]).recorded(inDatabase: bytes) }
        #expect(found?.contains(reason) == true, "\(found ?? "nothing")")
    }

    @Test(
        "a table gets a new list with the fewest changes, and other columns stay with their player"
    )
    func replaces() throws {
        let bytes = try Self.scores(
            """
            CREATE TABLE hiscores (name TEXT, score INTEGER, level INTEGER);
            INSERT INTO hiscores VALUES ('Ada', 9000, 9), ('Bob', 1200, 2), ('Cy', 1200, 3), ('Bob', 5, 4)
            """
        )
        func levels(after entries: [HighScores.Entry]) throws -> [String] {
            let changed = try HighScores(entries).replacing(inDatabase: bytes)
            let database = try Database<StateError>(image: DatabaseImage(file: changed))
            var found: [String] = []
            try database.forEachRow("SELECT name || ' ' || score || ' ' || coalesce(level, '-') AS line FROM hiscores")
            {
                row throws(StateError) in
                if case .text(let line)? = try? row.value("line") { found.append(line) }
            }
            #expect(try HighScores(readingDatabase: changed).entries.count == entries.count)
            return found
        }
        let all = try HighScores(readingDatabase: bytes).entries
        #expect(try levels(after: all) == ["Ada 9000 9", "Bob 1200 2", "Cy 1200 3", "Bob 5 4"])
        // In another order, one better, one gone, one new.
        let other: [HighScores.Entry] = [
            .init("Bob", .whole(6)), .init("Eve", .whole(1)), .init("Ada", .whole(9000)), .init("Bob", .whole(1200)),
            .init("Flo", .real(0.5)),
        ]
        #expect(try levels(after: other) == ["Ada 9000 9", "Bob 1200 2", "Eve 1 3", "Bob 6 4", "Flo 0.5 -"])
        #expect(try levels(after: [.init("Cy", .whole(1))]) == ["Cy 1 3"])
        #expect(try levels(after: []).isEmpty)
    }

    @Test("a Core Data store takes changes and new scores; only the game removes scores")
    func replacesInCoreData() throws {
        let bytes = try fixture("coredata.sqlite")
        let log = try fixture("coredata.sqlite-wal")
        var scores = try HighScores(readingDatabase: bytes, log: log)
        scores.entries[0].score = .whole(1)
        scores.entries.append(.init("Zoe", .whole(3)))
        let changed = try scores.replacing(inDatabase: bytes, log: log)
        #expect(try HighScores(readingDatabase: changed) == scores)
        // It still has a log, if it had one.
        #expect(changed[18...19] == bytes[18...19])
        scores.entries.removeLast(2)
        let refusal = words { _ = try scores.replacing(inDatabase: changed) }
        #expect(refusal?.contains("only the game can take scores out") == true, "\(refusal ?? "nothing")")
    }

    @Test("scores on disk are read without touching a file, and recorded all or none")
    func onDisk() throws {
        let temporary = TemporaryFolder()
        let folder = try temporary.opened()
        for name in ["coredata.sqlite", "coredata.sqlite-wal"] {
            try AtomicFile(FileName(name)).write(fixture(name), in: folder, overwriting: .forbidden)
        }
        let file = ScoreFile(try FileName("coredata.sqlite"), inFolderAt: temporary.path)
        #expect(try file.scores().entries.map(\.name) == ["Ada", "Bob", "Eve"])
        #expect(temporary.names() == ["coredata.sqlite", "coredata.sqlite-wal"])
        #expect(try file.record(HighScores([.init("Eve", .whole(41)), .init("Ada", .whole(1))])) == 1)
        #expect(try file.scores().entries.map(\.score) == [.whole(9000), .whole(1200), .whole(41)])

        // Another program writes meanwhile, so none of the new scores is stored.
        let other = try Database<StateError>(at: file.folderPath + "/coredata.sqlite")
        try other.execute("CREATE TRIGGER late AFTER UPDATE ON ZHISCORE BEGIN SELECT 1; END")
        #expect(words { try file.record(HighScores([.init("Zed", .whole(1))])) }?.contains("triggers") == true)
        #expect(try file.scores().entries.count == 3)
    }

    @Test("a missing file, a folder, and a file whose game was interrupted in writing are refused")
    func refusesFiles() throws {
        let temporary = TemporaryFolder()
        let missing = ScoreFile(try FileName("none.sqlite"), inFolderAt: temporary.path)
        #expect(words { _ = try missing.scores() } == "there is no file “none.sqlite”")
        #expect(words { _ = try missing.record(HighScores()) } == "there is no file “none.sqlite”")
        #expect(temporary.names() == [])
        #expect(mkdir(temporary.path(of: "folder.sqlite"), 0o700) == 0)
        #expect(words { _ = try ScoreFile(FileName("folder.sqlite"), inFolderAt: temporary.path).scores() } != nil)
        try AtomicFile(FileName("a.sqlite")).write(
            fixture("hiscores.sqlite"),
            in: temporary.opened(),
            overwriting: .forbidden
        )
        try temporary.put("begun", at: "a.sqlite-journal")
        let torn = ScoreFile(try FileName("a.sqlite"), inFolderAt: temporary.path)
        #expect(words { _ = try torn.scores() }?.contains("interrupted") == true)
    }
}
