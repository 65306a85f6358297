import GameState
import LinuxPlatform
import SecureArchive
import TestSupport
import Testing
import Vocabulary
import Workbench

@Suite("Python's own readers and writers", .needs(.program("python3")))
struct InteropTests {
    let temporary = TestSupport.TemporaryFolder()

    /// The output of a few lines of Python that run in the folder.
    private func python(_ script: String) throws -> String {
        let path = try #require(Programs.path(of: "python3"))
        let run = try ProgramRun([path, "-c", script], in: temporary.path)
        #expect(run.complaint.isEmpty, "\(run.complaint)")
        return run.output
    }

    private func put(_ bytes: [UInt8], _ name: String) throws {
        try AtomicFile(FileName(name)).write(bytes, in: temporary.opened(), overwriting: .allowed)
    }

    @Test("Python reads scores that were recorded here from a sound database")
    func databases() throws {
        let news = HighScores([.init("Ada", .whole(9001)), .init("Zoë", .real(1.5))])
        try put(news.database(), "new.sqlite")
        try put(news.recorded(inDatabase: fixture("hiscores.sqlite")), "plain.sqlite")
        let store = try news.recorded(inDatabase: fixture("coredata.sqlite"), log: fixture("coredata.sqlite-wal"))
        try put(store, "store.sqlite")
        let output = try python(
            """
            import sqlite3
            for name, table in [("new", "hiscores"), ("plain", "hiscores"), ("store", "ZHISCORE")]:
                database = sqlite3.connect(name + ".sqlite")
                print(database.execute("PRAGMA integrity_check").fetchone()[0])
                columns = "ZNAME, ZSCORE" if name == "store" else "name, score"
                print(database.execute(f"SELECT {columns} FROM {table} ORDER BY 1").fetchall())
            """
        )
        #expect(
            output == """
                ok
                [('Ada', 9001), ('Zoë', 1.5)]
                ok
                [('Ada', 9001), ('Bob', 1200), ('Cy', 1200), ('Dé', 7), ('Zoë', 1.5)]
                ok
                [('Ada', 9001), ('Bob', 1200), ('Eve', 40), ('Zoë', 1.5)]

                """
        )
    }

    @Test("scores in the log of an open store are read, and ours are recorded beside them")
    func openDatabase() throws {
        try put(fixture("coredata.sqlite"), "store.sqlite")
        try put(fixture("coredata.sqlite-wal"), "store.sqlite-wal")
        let file = ScoreFile(try FileName("store.sqlite"), inFolderAt: temporary.path)
        try file.record(HighScores([.init("Fay", .whole(50))]))
        let output = try python(
            """
            import sqlite3
            database = sqlite3.connect("store.sqlite")
            database.execute("UPDATE ZHISCORE SET ZSCORE = 60 WHERE ZNAME = 'Fay'")
            database.commit()
            print(database.execute("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'HiScore'").fetchone()[0])
            """
        )
        #expect(output == "6\n")
        #expect(try file.scores().entries.last == .init("Fay", .whole(60)))
    }

    @Test("Python reads property lists and JSON of models with the same keys and kinds")
    func models() throws {
        let scores = try HighScores(reading: GameState(reading: fixture("hiscores.plist")).root)
        try put(GameState(scores.tree()).write(as: .binaryPropertyList), "scores.plist")
        try put(
            GameState(TicTacToe(reading: GameState(reading: fixture("tictactoe.json")).root).tree()).write(),
            "game.json"
        )
        try put(GameState(SimpleCharacter().tree(.unkeyedObjects)).write(as: .keyedArchive(.binary)), "hero.keyed")
        let output = try python(
            """
            import json, plistlib
            print(plistlib.load(open("scores.plist", "rb"))["hiscores"][0])
            print(json.load(open("game.json"))["TTTGameKeyGridState"])
            hero = plistlib.load(open("hero.keyed", "rb"))
            fields = hero["$objects"][hero["$top"]["root"].data]
            print(sorted(key for key in fields if key != "$class"), fields["$2"])
            """
        )
        #expect(
            output == """
                {'name': 'Ada', 'score': 9000}
                1, 0, 2, 0, 1, 0, 0, 0, 0
                ['$0', '$1', '$2', '$3', '$4', '$5', '$6', '$7'] 0

                """
        )
    }
}
