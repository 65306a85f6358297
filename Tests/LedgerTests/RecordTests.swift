import Database
@testable import Ledger
import Testing
import TestSupport
import Vocabulary

@Suite("Settings, counters, inbox and log in the ledger", .timeLimit(.minutes(10)))
struct RecordTests {
    let kit = LedgerKit()

    @Test("The default policy is ask, and the machine has no name until one is set")
    func settings() async throws {
        do {
            let ledger = try await kit.open()
            #expect(try await ledger.defaultPolicy() == .ask)
            #expect(try await ledger.displayName() == nil)
            try await ledger.setDefaultPolicy(.block)
            try await ledger.setDisplayName(InstanceName("Rob's \"Deck\"; --"))
        }
        let ledger = try await kit.open()
        #expect(try await ledger.defaultPolicy() == .block)
        #expect(try await ledger.displayName()?.text == "Rob's \"Deck\"; --")
        try await ledger.setDisplayName(nil)
        #expect(try await ledger.displayName() == nil)
    }

    @Test("Counters are independent and survive a restart")
    func counters() async throws {
        do {
            let ledger = try await kit.open()
            #expect(try await ledger.counter(.wrongCodes) == Counter())
            try await ledger.set(Counter(count: 3, lockedUntil: someTime(30)), for: .wrongCodes(of: peerID(1)))
            let changed = try await ledger.change(.wrongCodes) { $0.count += 2 }
            #expect(changed == Counter(count: 2))
        }
        let ledger = try await kit.open()
        #expect(try await ledger.counter(.wrongCodes(of: peerID(1))) == Counter(count: 3, lockedUntil: someTime(30)))
        #expect(try await ledger.counter(.wrongCodes(of: peerID(2))) == Counter())
        #expect(try await ledger.counter(.wrongCodes).count == 2)
        try await ledger.set(Counter(), for: .wrongCodes)
        #expect(try await ledger.counter(.wrongCodes) == Counter())
    }

    @Test("A forgotten peer gets no new attempts")
    func forgettingKeepsCounting() async throws {
        let ledger = try await kit.open()
        try await ledger.pin(peerID(1))
        try await ledger.set(Counter(count: 3), for: .wrongCodes(of: peerID(1)))
        try await ledger.forget(peerID(1))
        #expect(try await ledger.counter(.wrongCodes(of: peerID(1))).count == 3)
    }

    @Test("New keys replace old counters, but never the one for all")
    func counterLimit() async throws {
        let ledger = try await kit.open()
        try await ledger.set(Counter(count: 7), for: .wrongCodes)
        try await ledger.set(Counter(count: 1), for: .wrongCodes(of: peerID(1)))
        // The state after ten thousand other keys.
        try await ledger.skipNumbers(of: "counters", by: Int64(Ledger.counterLimit))
        try await ledger.set(Counter(count: 1), for: .wrongCodes(of: peerID(2)))
        #expect(try await ledger.counter(.wrongCodes).count == 7)
        #expect(try await ledger.counter(.wrongCodes(of: peerID(1))).count == 0)
        #expect(try await ledger.counter(.wrongCodes(of: peerID(2))).count == 1)
    }

    @Test("Arrived files are listed, the newest first, until they are removed")
    func inbox() async throws {
        let ledger = try await kit.open()
        let contents: [InboxItem.Content] = [
            .file(try FileName("a'; --.png"), path: "/in/a'; --.png"), .folder(try FileName("save"), path: "/in/save"),
            .message([]), .message(Array("hello".utf8)),
        ]
        var numbers: [Int64] = []
        for content in contents {
            numbers.append(
                try await ledger.inbox.enter(
                    content,
                    from: peerID(1),
                    called: InstanceName("Deck"),
                    size: ByteCount(1 << 40),
                    at: someTime(1)
                )
            )
        }
        let items = try await ledger.inbox.all()
        #expect(items.map(\.content) == contents.reversed())
        #expect(items.map(\.number) == numbers.reversed())
        #expect(items.allSatisfy { $0.size == ByteCount(1 << 40) && $0.peer == peerID(1) && !$0.isLookedAt })
        try await ledger.inbox.markLookedAt([numbers[0], 999])
        #expect(try await ledger.inbox.numbers(isNewOnly: true) == Array(numbers.dropFirst()))
        #expect(try await ledger.inbox.item(999) == nil)
        #expect(try await ledger.inbox.remove(numbers[3]))
        #expect(try await ledger.inbox.remove(numbers[3]) == false)
        #expect(try await ledger.inbox.all().count == 3)
    }

    @Test("Messages beyond the limit replace the oldest messages and no files")
    func messageLimit() async throws {
        let ledger = try await kit.open()
        let megabyte = [UInt8](repeating: 7, count: 1 << 20)
        try await ledger.inbox.enter(.file(FileName("f"), path: "/f"), from: peerID(1), size: ByteCount(1))
        for _ in 0..<66 { try await ledger.inbox.enter(.message(megabyte), from: peerID(1), size: ByteCount(1 << 20)) }
        let items = try await ledger.inbox.all()
        #expect(items.count == 65)
        #expect(items.map(\.number) == Array((4...67).reversed()) + [1])
    }

    @Test("A machine that floods the inbox replaces its own entries and no others", arguments: [true, false])
    func floodedInbox(hasOldLedger: Bool) async throws {
        let (friend, flooder) = (peerID(1), peerID(2))
        let message = InboxItem.Content.message([7])
        let file = InboxItem.Content.file(try FileName("f"), path: "/f")
        do {
            let ledger = try await kit.open()
            for content in [message, file] {
                try await ledger.inbox.enter(content, from: friend, size: ByteCount(1))
                try await ledger.inbox.enter(content, from: flooder, size: ByteCount(1))
            }
        }
        if hasOldLedger { try kit.edit(SaveSetTests.undoInboxShares) }
        // The last number is 4, and the flooding machine sends 9,999 more of each kind.
        try kit.edit(
            """
            WITH RECURSIVE number (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM number WHERE n < 19997)
            INSERT INTO inbox (kind, name, path, message, peer, size, came_at)
            SELECT iif(n % 2, 'message', 'file'), 'f', '/f', iif(n % 2, x'07', NULL), peer, 1, 0
            FROM number JOIN (SELECT peer FROM inbox WHERE id = 4) ORDER BY n
            """
        )
        let ledger = try await kit.open()
        #expect(try await ledger.inbox.all().count == 20_002)
        for content in [message, file] { try await ledger.inbox.enter(content, from: flooder, size: ByteCount(1)) }
        let items = try await ledger.inbox.all()
        let files = items.filter { $0.content == file }
        #expect(files.count == 10_000 && items.count == 20_000)
        #expect(items.filter { $0.peer == friend }.map(\.number) == [3, 1])
        #expect(items.first?.number == 20_004 && !items.contains { [2, 4, 5, 6].contains($0.number) })
    }

    @Test("A wrong share, as after a change by hand, does not block a new entry", .timeLimit(.minutes(1)))
    func shareOfNothing() async throws {
        try await kit.open().inbox.enter(.message([7]), from: peerID(1), size: ByteCount(1))
        try kit.edit("UPDATE inbox_shares SET peer = 'somebody', entries = 20000")
        let ledger = try await kit.open()
        try await ledger.inbox.enter(.message([8]), from: peerID(1), size: ByteCount(1))
        #expect(try await ledger.inbox.all().count == 2)
    }

    @Test("A machine with few messages keeps them beside one that fills the space")
    func roomOfMessages() async throws {
        let ledger = try await kit.open()
        let megabyte = [UInt8](repeating: 7, count: 1 << 20)
        for _ in 0..<3 { try await ledger.inbox.enter(.message(megabyte), from: peerID(1), size: ByteCount(1 << 20)) }
        for _ in 0..<64 { try await ledger.inbox.enter(.message(megabyte), from: peerID(2), size: ByteCount(1 << 20)) }
        let items = try await ledger.inbox.all()
        #expect(items.count == 64)
        #expect(items.filter { $0.peer == peerID(1) }.map(\.number) == [3, 2, 1])
        // A removed entry frees its space.
        try await ledger.inbox.remove(3)
        try await ledger.inbox.enter(.message(megabyte), from: peerID(2), size: ByteCount(1 << 20))
        #expect(try await ledger.inbox.all().count == 64)
    }

    @Test("The log lists entries with details, the newest first, up to a limit")
    func audit() async throws {
        let ledger = try await kit.open()
        let details = [AuditEntry.Detail("reason", "a=b\\\n\nc=="), .init("=", ""), .init("", "\u{0}é\r\n")]
        try await ledger.note("invitation.declined", about: peerID(1), details, at: someTime(1))
        try await ledger.note("started", at: someTime(2))
        let entries = try await ledger.audit().values
        #expect(entries.map(\.event) == ["started", "invitation.declined"])
        #expect(entries[0].details.isEmpty && entries[0].peer == nil)
        #expect(entries[1].details == details && entries[1].peer == peerID(1) && entries[1].time == someTime(1))
        #expect(try await ledger.audit(limit: 1).values.map(\.event) == ["started"])
        #expect(try await ledger.audit(limit: -1).values.isEmpty)
    }

    @Test("Entries of the household replace each other and never those about strangers")
    func auditLimits() async throws {
        let folder = TemporaryFolder()
        let ledger = try await Ledger.open(at: folder.path + "/huddle", auditLimit: 20)
        try await ledger.note("pinned", about: peerID(1))
        for _ in 0..<1_200 { try await ledger.note("asked-unpinned", about: peerID(2), of: .stranger) }
        var entries = try await ledger.audit(limit: 5_000).values
        #expect(entries.count == 1_001 && entries.last?.event == "pinned")
        for number in 0..<30 { try await ledger.note("\(number)") }
        entries = try await ledger.audit(limit: 5_000).values
        let household = entries.filter { $0.event != "asked-unpinned" }.map(\.event)
        #expect(household == (11..<30).reversed().map { "\($0)" } + ["pinned"])
        #expect(entries.count { $0.event == "asked-unpinned" } == 1_000)
    }

    @Test("A machine that joins and leaves without end pushes out its own entries only")
    func auditShares() async throws {
        let folder = TemporaryFolder()
        let ledger = try await Ledger.open(at: folder.path + "/huddle", auditLimit: 20)
        for peer in [peerID(1), peerID(2), peerID(3)] { try await ledger.note("pinned", about: peer) }
        try await ledger.note("started")
        for number in 0..<200 { try await ledger.note("joined \(number)", about: peerID(3)) }
        let entries = try await ledger.audit().values
        #expect(entries.count == 20)
        #expect(entries.suffix(3).map(\.event) == ["started", "pinned", "pinned"])
        #expect(entries.prefix(17).map(\.event) == (183..<200).reversed().map { "joined \($0)" })
    }
}

extension Ledger {
    /// Raises the next number of a table, as if that many rows had been added and removed.
    func skipNumbers(of table: String, by count: Int64) throws {
        try database.run("UPDATE sqlite_sequence SET seq = seq + ? WHERE name = ?", .integer(count), .text(table))
    }
}
