import Ledger
import LinuxPlatform
import SaveRules
@testable import SaveSync
import Session
import Testing
import TestSupport
import Vocabulary

@Suite("A machine of the household with false statements about others", .timeLimit(.minutes(5)))
struct HostileVouchingTests {
    /// Opens a victim, and a machine of its household whose program sends messages that no honest one would.
    @Engine
    private func attack(
        _ body: (_ victim: SaveMachine, _ mallory: HostilePeer) async throws -> Void
    ) async throws {
        let victim = try await SaveMachine.open("victim")
        let set = try await victim.add(["slot": "chapter 1"])
        let mallory = try await HostilePeer.open(victim: victim, sharing: set)
        try await body(victim, mallory)
        await mallory.stop()
        await victim.stop()
    }

    private static func peer(_ number: Int) throws -> PeerID {
        let bytes = (0..<4).flatMap { _ in withUnsafeBytes(of: number.bigEndian, Array.init) }
        return try #require(PeerID(bytes: bytes))
    }

    @Engine
    private func statement(
        _ mallory: HostilePeer,
        _ subject: PeerID,
        _ number: UInt64,
        _ claim: HouseholdStatement.Claim = .paired(after: [])
    ) throws -> HouseholdStatement {
        let name = try InstanceName("Deck")
        return HouseholdStatement(about: subject, named: name, number: number, claim, sealedBy: mallory.seal)
    }

    @Engine
    private func say(_ statements: [HouseholdStatement], by mallory: HostilePeer) async throws {
        for message in HouseholdMessage.messages(for: statements) { try await mallory.say(message.encoded) }
    }

    @Engine
    private func untilPaired(_ peer: PeerID, at victim: SaveMachine) async throws {
        while try await victim.node.ledger.peer(peer)?.standing != .mine { try await othersTurn() }
    }

    @Engine
    private func untilCaught(_ mallory: HostilePeer, by victim: SaveMachine, _ reason: String) async throws {
        let entry = try await victim.noted("saves-refused")
        #expect(entry.peer == mallory.node.id && entry.details.contains(.init("reason", reason)))
        while victim.engine.connections.isInSession(with: mallory.node.id) { try await othersTurn() }
    }

    @Test("a liar vouches for a blocked machine: it stays blocked")
    @Engine
    func blocked() async throws {
        try await attack { victim, mallory in
            let (blocked, other) = (try Self.peer(1), try Self.peer(2))
            try await victim.node.block(blocked)
            try await say([statement(mallory, blocked, 1), statement(mallory, other, 2)], by: mallory)
            try await untilPaired(other, at: victim)
            #expect(try await victim.node.ledger.peer(blocked)?.policy == .block)
            #expect(try await victim.node.ledger.statements.all().values.count == 2, "one of each machine")
        }
    }

    @Test("a liar changes the name or the key of a statement of another machine: it is caught, and nothing of it holds")
    @Engine
    func forged() async throws {
        try await attack { victim, mallory in
            var bytes = try statement(mallory, Self.peer(1), 1).encoded
            let name = try #require(
                bytes.indices.last { bytes[$0] == UInt8(ascii: "D") && bytes[$0 + 1] == UInt8(ascii: "e") }
            )
            bytes[name] = UInt8(ascii: "B")
            try await mallory.say([11, 1] + bytes)
            try await untilCaught(mallory, by: victim, "save.bad-statement")
            #expect(try await victim.node.ledger.peer(Self.peer(1)) == nil)
        }
    }

    @Test("a liar vouches for itself: it is caught")
    @Engine
    func itself() async throws {
        try await attack { victim, mallory in
            var bytes = try statement(mallory, Self.peer(1), 1).encoded
            bytes.replaceSubrange(41..<73, with: mallory.node.id.bytes)
            try await mallory.say([11, 1] + bytes)
            try await untilCaught(mallory, by: victim, "save.bad-statement")
        }
    }

    @Test("a liar makes statements about the victim, or forwards those of a stranger: nothing follows")
    @Engine
    func foreign() async throws {
        try await attack { victim, mallory in
            let stranger = try await SaveMachine.open("stranger")
            let word = HouseholdStatement(
                about: try Self.peer(1),
                named: try InstanceName("Deck"),
                number: 1,
                .paired(after: []),
                sealedBy: stranger.node.seal
            )
            let about = try statement(mallory, victim.id, 1, .removed)
            try await say([word, about, statement(mallory, Self.peer(2), 2)], by: mallory)
            try await untilPaired(Self.peer(2), at: victim)
            #expect(try await victim.node.ledger.peer(Self.peer(1)) == nil)
            #expect(victim.engine.household.removed.isEmpty)
            await stranger.stop()
        }
    }

    @Test("a liar replays an old statement after a removal: the machine stays away")
    @Engine
    func replayed() async throws {
        try await attack { victim, mallory in
            let subject = try Self.peer(1)
            let paired = try statement(mallory, subject, 1)
            try await say([paired], by: mallory)
            try await untilPaired(subject, at: victim)
            try await say([statement(mallory, subject, 2, .removed)], by: mallory)
            while victim.engine.household.removed.isEmpty { try await othersTurn() }
            try await victim.node.forget(subject)
            try await say([paired, statement(mallory, Self.peer(2), 3)], by: mallory)
            try await untilPaired(Self.peer(2), at: victim)
            #expect(try await victim.node.ledger.peer(subject) == nil)
        }
    }

    @Test("a liar vouches for ten thousand machines: the household has 64 at most, and few statements are kept")
    @Engine
    func tenThousand() async throws {
        try await attack { victim, mallory in
            let statements = try (1...10_000).map { try statement(mallory, Self.peer($0), UInt64($0)) }
            try await say(statements, by: mallory)
            try await say([statement(mallory, Self.peer(1), 10_001, .removed)], by: mallory)
            while victim.engine.household.removed.isEmpty { try await othersTurn() }
            let mine = try await victim.node.ledger.peers().values.filter { $0.standing == .mine }
            #expect(mine.count == HouseholdStatements.mostMachines - 1)
            let kept = try await victim.node.ledger.statements.all().values.count
            #expect(kept <= HouseholdStatements.mostPerVoucher + 1)
        }
    }

    @Test("a liar repeats itself without end: it is cut off")
    @Engine
    func flood() async throws {
        try await attack { victim, mallory in
            let statement = try statement(mallory, Self.peer(1), 1)
            let message = HouseholdMessage.messages(for: [HouseholdStatement](repeating: statement, count: 64))[0]
            for _ in 0...StatementAllowance.most / 64 {
                do { try await mallory.say(message.encoded) } catch { break }
            }
            try await untilCaught(mallory, by: victim, "exchange.too-much")
        }
    }
}
