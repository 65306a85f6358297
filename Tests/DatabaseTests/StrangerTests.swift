import Database
import Glibc
import TestSupport
import Testing

@Suite("Databases of other programs")
struct StrangerTests {
    let kit = DatabaseKit()

    @Test("A database is read from bytes, and a changed one is written to bytes")
    func roundTrip() throws {
        try kit.make("CREATE TABLE scores (name TEXT, score INTEGER); INSERT INTO scores VALUES ('Ada', 7);")
        let database = try kit.image()
        #expect(try database.names() == ["Ada"])
        try database.transaction(.casual) { () throws(Trouble) in
            try database.run("INSERT INTO scores (name, score) VALUES (?, ?)", .text("Bob'; DROP TABLE x"), .real(1.5))
        }
        let again = try TestDatabase(image: DatabaseImage(file: try database.image()))
        #expect(try again.names() == ["Ada", "Bob'; DROP TABLE x"])
        #expect(try kit.image().names() == ["Ada"])
    }

    @Test("Triggers don't run, and views and computed columns can't be read")
    func runsNothing() throws {
        try kit.make(
            """
            CREATE TABLE scores (name TEXT, score INTEGER, twice AS (score * 2));
            CREATE VIEW hiscores AS SELECT 'everybody' AS name, 1 AS score;
            CREATE TRIGGER greedy AFTER INSERT ON scores BEGIN DELETE FROM scores; END;
            INSERT INTO scores (name, score) VALUES ('gone', 1);
            """
        )
        for database in [try kit.image(), try TestDatabase(strangerAt: kit.path)] {
            try database.run("INSERT INTO scores (name, score) VALUES (?, ?)", .text("Ada"), .integer(7))
            #expect(try database.names() == ["Ada"])
            #expect(try database.ordinaryColumns(ofTable: "scores") == ["NAME", "SCORE"])
            #expect(try database.ordinaryColumns(ofTable: "hiscores") == nil)
            #expect(try database.ordinaryColumns(ofTable: "nothing") == nil)
            #expect(trouble { try database.run("SELECT * FROM hiscores") } != nil)
        }
    }

    @Test("A virtual table does not count as a table")
    func refusesVirtualTables() throws {
        try kit.make("CREATE VIRTUAL TABLE scores USING fts5(name, score)")
        #expect(try kit.image().ordinaryColumns(ofTable: "scores") == nil)
    }

    @Test("A file that is no database or is cut off is refused in memory and on disk", arguments: [0, 1, 99, 3000])
    func refusesScraps(length: Int) throws {
        try kit.make("CREATE TABLE scores (name TEXT); INSERT INTO scores VALUES ('Ada');")
        let scrap = try Array(kit.bytes().prefix(length))
        let failure = trouble { _ = try TestDatabase(image: DatabaseImage(file: scrap)).names() }
        #expect(failure?.isDamage == true)
        #expect(trouble { _ = try DatabaseImage(file: Array("<plist version=\"1.0\">".utf8)) }?.isDamage == true)
    }

    @Test("A database above the size limit is refused before it is read")
    func refusesLargeFiles() throws {
        try kit.make("CREATE TABLE scores (name TEXT)")
        var limits = DatabaseLimits()
        limits.bytes = 4096
        #expect(trouble { _ = try kit.image(limits: limits) }?.isTooLarge == true)
        #expect(trouble { _ = try TestDatabase(strangerAt: kit.path, limits: limits) }?.isTooLarge == true)
    }

    @Test("A value above the size limit is refused")
    func refusesLargeValues() throws {
        try kit.make("CREATE TABLE scores (name TEXT); INSERT INTO scores VALUES (hex(zeroblob(3000)));")
        var limits = DatabaseLimits()
        limits.valueBytes = 4096
        #expect(trouble { _ = try kit.image(limits: limits).names() }?.isTooLarge == true)
    }

    @Test("A query that takes too long ends")
    func endsInTime() throws {
        try kit.make("CREATE TABLE scores (name TEXT)")
        var limits = DatabaseLimits()
        limits.time = .milliseconds(200)
        let database = try kit.image(limits: limits)
        let endless: StaticString = """
            WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers) SELECT count(*) AS n FROM numbers
            """
        let begun = ContinuousClock.now
        #expect(trouble { try database.run(endless) }?.isOutOfTime == true)
        #expect(ContinuousClock.now - begun < .seconds(60))
        #expect(trouble { _ = try database.names() }?.isOutOfTime == true)
    }

    /// With more rows and longer texts, each of these could take minutes between two checks of the clock.
    private static let computing: [StaticString] = [
        """
        CREATE TABLE scores (name TEXT, score INTEGER, more TEXT AS (length(replace(hex(zeroblob(score)), '0', 'ab'))));
        INSERT INTO scores (name, score) VALUES ('Ada', 7);
        """,
        """
        CREATE TABLE scores (name TEXT, score INTEGER CHECK (length(printf('%*s', score, '')) > 0));
        INSERT INTO scores VALUES ('Ada', 7);
        """,
        "CREATE TABLE scores (name TEXT CHECK (name NOT LIKE '%a%b')); INSERT INTO scores VALUES ('Ada');",
        "CREATE TABLE scores (name TEXT, folded NOT NULL AS (lower(name))); INSERT INTO scores (name) VALUES ('Ada');",
    ]

    @Test("A query with a function of unlimited time is refused", arguments: computing)
    func refusesComputations(script: StaticString) throws {
        try kit.make(script)
        #expect(trouble { _ = try kit.image() }?.isForeignComputation == true)
        #expect(trouble { _ = try TestDatabase(strangerAt: kit.path) }?.isForeignComputation == true)
    }

    @Test("A quick function is allowed")
    func allowsShortComputations() throws {
        try kit.make("CREATE TABLE scores (name TEXT CHECK (length(name) < 9), score INTEGER, more AS (abs(score)))")
        let database = try kit.image()
        try database.run("INSERT INTO scores (name, score) VALUES (?, ?)", .text("Ada"), .integer(-7))
        #expect(try database.names() == ["Ada"])
        #expect(trouble { try database.run("INSERT INTO scores (name) VALUES ('far too long')") } != nil)
    }

    @Test("A symbolic link in place of the file is not followed")
    func followsNoLink() throws {
        try kit.make("CREATE TABLE scores (name TEXT)")
        let link = kit.temporary.path(of: "link.sqlite")
        #expect(symlink(kit.path, link) == 0)
        #expect(trouble { _ = try TestDatabase(strangerAt: link) }?.isForbidden == true)
    }

    @Test("A symbolic link to a folder on the way is followed")
    func followsFolderLinks() throws {
        try kit.make("CREATE TABLE scores (name TEXT)")
        let link = kit.temporary.path(of: "saves")
        #expect(symlink(kit.temporary.path, link) == 0)
        let database = try TestDatabase(strangerAt: link + "/scores.sqlite")
        try database.run("INSERT INTO scores VALUES (?)", .text("Ada"))
        #expect(try kit.image().names() == ["Ada"])
    }

    @Test("With any changed bytes, a database is read or refused", arguments: 0..<4)
    func withstandsDamage(seed: UInt64) throws {
        try kit.make(
            """
            CREATE TABLE scores (name TEXT, score INTEGER);
            CREATE INDEX by_name ON scores (name);
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)
            INSERT INTO scores SELECT 'player ' || i, i * i FROM n;
            """
        )
        let sound = try kit.bytes()
        var chance = SeededGenerator(seed: seed)
        var refused = 0
        for _ in 0..<300 {
            var bytes = sound
            for _ in 0..<Int.random(in: 1...8, using: &chance) {
                bytes[Int.random(in: 0..<bytes.count, using: &chance)] = .random(in: .min ... .max, using: &chance)
            }
            let failure = trouble {
                let database = try TestDatabase(image: DatabaseImage(file: bytes))
                _ = try database.ordinaryColumns(ofTable: "scores")
                _ = try database.names()
            }
            if failure != nil { refused += 1 }
        }
        #expect(refused > 30)
    }
}
