import Database
import TestSupport
import Testing

@Suite("Databases with a write-ahead log")
struct LogTests {
    let kit = DatabaseKit()

    /// A file with one name, and a log with two further ones in a transaction each.
    private func makeWithLog() throws -> (file: [UInt8], log: [UInt8]) {
        try kit.make("PRAGMA journal_mode = WAL; CREATE TABLE scores (name TEXT); INSERT INTO scores VALUES ('Ada');")
        let writer = try TestDatabase(at: kit.path)
        try writer.execute("INSERT INTO scores VALUES ('Bob')")
        try writer.execute("INSERT INTO scores VALUES ('Cy')")
        return (try kit.bytes(), try kit.bytes(of: "scores.sqlite-wal"))
    }

    private func names(_ file: [UInt8], _ log: [UInt8]) throws -> [String] {
        try TestDatabase(image: DatabaseImage(file: file, log: log)).names()
    }

    @Test("The last state of the log counts, and both files stay unchanged")
    func readsBoth() throws {
        let (file, log) = try makeWithLog()
        #expect(try names(file, []) == ["Ada"])
        #expect(try names(file, log) == ["Ada", "Bob", "Cy"])
        #expect(try kit.bytes(of: "scores.sqlite-wal") == log)
    }

    @Test("A database that is in its log alone is read from there")
    func readsLogAlone() throws {
        try kit.temporary.put("", at: "scores.sqlite")
        let writer = try TestDatabase(at: kit.path)
        try writer.execute("PRAGMA page_size = 65536; PRAGMA journal_mode = WAL; CREATE TABLE scores (name TEXT);")
        try writer.execute("INSERT INTO scores VALUES ('Ada')")
        #expect(try names(kit.bytes(), kit.bytes(of: "scores.sqlite-wal")) == ["Ada"])
    }

    @Test("A transaction with a missing or broken end is left out, as in SQLite")
    func leavesOutTornWrites() throws {
        let (file, log) = try makeWithLog()
        #expect(try names(file, Array(log.dropLast())) == ["Ada", "Bob"])
        var broken = log
        broken[broken.count - 5] ^= 1
        #expect(try names(file, broken) == ["Ada", "Bob"])
        #expect(try names(file, Array(log.prefix(40))) == ["Ada"])
        #expect(try names(file, [UInt8](repeating: 7, count: 100)) == ["Ada"])
    }

    @Test("A log of a database with another page size is refused")
    func refusesForeignLog() throws {
        let (_, log) = try makeWithLog()
        let other = DatabaseKit()
        try other.make("PRAGMA page_size = 1024; CREATE TABLE scores (name TEXT);")
        let file = try other.bytes()
        #expect(trouble { _ = try DatabaseImage(file: file, log: log) }?.isDamage == true)
    }

    @Test("With any changed bytes in the log, the database is read or refused")
    func withstandsDamage() throws {
        let (file, log) = try makeWithLog()
        var chance = SeededGenerator(seed: 11)
        for _ in 0..<500 {
            var bytes = log
            bytes[Int.random(in: 0..<bytes.count, using: &chance)] = .random(in: .min ... .max, using: &chance)
            let failure = trouble {
                let found = try names(file, bytes)
                #expect(found.first == "Ada")
            }
            #expect(failure == nil)
        }
    }
}
