import Database
import Testing

@Suite("Transactions")
struct TransactionTests {
    let kit = DatabaseKit()

    @Test("A transaction that fails midway changes nothing", arguments: [Durability.promised, .casual])
    func leavesNothing(durability: Durability) throws {
        try kit.make("CREATE TABLE scores (name TEXT UNIQUE)")
        let database = try TestDatabase(strangerAt: kit.path)
        let failure = trouble {
            try database.transaction(durability) { () throws(Trouble) in
                try database.run("INSERT INTO scores VALUES (?)", .text("Ada"))
                try database.run("INSERT INTO scores VALUES (?)", .text("Ada"))
            }
        }
        #expect(failure?.code == 19)
        #expect(try database.names() == [])
        #expect(database.changeCount == 1)
    }

    @Test("A value of another kind than requested is an error that names the column")
    func namesColumn() throws {
        try kit.make("CREATE TABLE scores (name); INSERT INTO scores VALUES (x'00ff');")
        #expect(throws: Trouble.unreadable(UnreadableValue(column: "name"))) { try kit.image().names() }
        let value = try kit.image().row("SELECT name AS name FROM scores") { row throws(UnreadableValue) in
            try row.value("name")
        }
        #expect(value == .bytes([0, 255]))
    }
}
