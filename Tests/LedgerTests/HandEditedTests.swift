@testable import Ledger
import Testing
import TestSupport
import Vocabulary

/// A user may edit the file with another program. A value that breaks a rule is left out and counted. If it is the
/// requested value itself, it is an error.
@Suite("Ledgers edited by hand", .timeLimit(.minutes(5)))
struct HandEditedTests {
    let kit = LedgerKit()

    @Test(
        "A peer with an impossible value is left out of the list, and is an error by itself",
        arguments: [
            "UPDATE peers SET policy = 'perhaps' WHERE name = 'peer 3'",
            "UPDATE peers SET permissions = 256 WHERE name = 'peer 3'",
            "UPDATE peers SET permissions = -1 WHERE name = 'peer 3'",
            "UPDATE peers SET addresses = 'no address' WHERE name = 'peer 3'",
            "UPDATE peers SET addresses = char(10) || replace(hex(zeroblob(9)), '00', 'a:1' || char(10))",
            "UPDATE peers SET note = '' WHERE name = 'peer 3'",
            "UPDATE peers SET name = 'two' || char(10) || 'lines' WHERE name = 'peer 3'",
            "UPDATE peers SET name = CAST(x'ff' AS TEXT) WHERE name = 'peer 3'",
        ] as [ScriptForTest]
    )
    func peers(script: ScriptForTest) async throws {
        try await kit.fill()
        try kit.edit(script.text)
        let ledger = try await kit.open()
        #expect(ledger.opening == .opened)
        let all = try await ledger.peers()
        #expect(all.unreadable >= 1 && all.values.count + all.unreadable == 40)
        #expect(await code { _ = try await ledger.peer(peerID(3)) } == LedgerError.unreadableCode)
        let typed = String(peerID(3).description.prefix(7))
        #expect(await code { _ = try await ledger.find(typed) } == LedgerError.unreadableCode)
        // It can be removed.
        #expect(try await ledger.forget(peerID(3)))
        #expect(try await ledger.peers().unreadable == all.unreadable - 1)
    }

    @Test("Settings and counters that make no sense are errors")
    func single() async throws {
        try await kit.fill()
        try kit.edit(
            """
            UPDATE settings SET value = 'maybe';
            INSERT INTO settings VALUES ('display-name', '');
            INSERT INTO counters (scope, count) VALUES ('wrong-codes', -1);
            """
        )
        let ledger = try await kit.open()
        #expect(await code { _ = try await ledger.defaultPolicy() } == LedgerError.unreadableCode)
        #expect(await code { _ = try await ledger.displayName() } == LedgerError.unreadableCode)
        #expect(await code { _ = try await ledger.counter(.wrongCodes) } == LedgerError.unreadableCode)
        try await ledger.setDefaultPolicy(.ask)
        #expect(try await ledger.defaultPolicy() == .ask)
    }

    @Test("Lists count the entries that they leave out")
    func lists() async throws {
        try await kit.fill()
        do {
            let ledger = try await kit.open()
            try await ledger.invitations.put(waiting(InvitationID(high: 1, low: 1)))
            try await ledger.inbox.enter(.message([1]), from: peerID(1), size: ByteCount(1))
            try await ledger.inbox.enter(.message([2]), from: peerID(1), size: ByteCount(1))
        }
        try kit.edit(
            """
            INSERT INTO invitations SELECT zeroblob(16), 'none', name, session, session_name, context, came_at,
                patience_until, code_need FROM invitations;
            UPDATE inbox SET kind = 'smell' WHERE id = 1;
            UPDATE audit SET details = 'no end' WHERE id = 5;
            UPDATE audit SET peer = 'short' WHERE id = 6;
            """
        )
        let ledger = try await kit.open()
        let invitations = try await ledger.invitations.waiting(at: someTime(1))
        #expect(invitations.values.count == 1 && invitations.unreadable == 1)
        #expect(try await ledger.inbox.numbers() == [1, 2])
        #expect(try await ledger.inbox.item(2)?.content == .message([2]))
        await #expect(throws: LedgerError.self) { try await ledger.inbox.item(1) }
        let audit = try await ledger.audit()
        #expect(audit.values.count == 38 && audit.unreadable == 2)
    }

    @Test("An error names the place and never the value")
    func noValues() async throws {
        try await kit.fill()
        try kit.edit("UPDATE peers SET policy = 'secret-value'")
        let ledger = try await kit.open()
        do {
            _ = try await ledger.peer(peerID(3))
            Issue.record("it was read")
        } catch {
            #expect(error.description.contains("policy"))
            #expect(!error.description.contains("secret"))
        }
    }
}
