import Database
@testable import Ledger
import Testing
import TestSupport
import Vocabulary

@Suite("A ledger with ten thousand peers", .timeLimit(.minutes(10)))
struct ManyPeersTests {
    let kit = LedgerKit()

    /// The limits are a hundred times what is usual, for machines that are busy with much else.
    @Test("opens, finds and lists without being noticed")
    func tenThousand() async throws {
        var generator = SeededGenerator(seed: 7)
        let ids = (0..<10_000).map { _ in
            guard let id = PeerID(bytes: (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }) else {
                preconditionFailure("32 bytes")
            }
            return id
        }
        try await kit.open().enter(ids)
        var start = ContinuousClock.now
        let ledger = try await kit.open()
        let opening = ContinuousClock.now - start
        #expect(opening < .seconds(20))
        start = .now
        #expect(try await ledger.countFound(ids.prefix(300)) == 900)
        let looking = ContinuousClock.now - start
        #expect(looking < .seconds(20))
        start = .now
        #expect(try await ledger.peers().values.count == 10_000)
        let listing = ContinuousClock.now - start
        #expect(listing < .seconds(20))
        print("10,000 peers: opened in \(opening), 900 found in \(looking), all listed in \(listing)")
    }

    @Test("lists only some of those who share the beginning of an id")
    func manyMatches() async throws {
        let ledger = try await kit.open()
        try await ledger.enter((0..<200).map { peerID(0, $0) })
        guard case .several(let some) = try await ledger.find("a") else { return #expect(Bool(false)) }
        #expect(some.count == PeerMatch.limit)
    }
}

extension Ledger {
    /// How often the first peers are found: by id, by name and by the beginning of the id. In one go, so that what is
    /// measured is not the way to this thread and back.
    func countFound(_ ids: ArraySlice<PeerID>) throws -> Int {
        var count = 0
        for (number, id) in ids.enumerated() {
            if try peer(id)?.name?.text == "machine \(number)" { count += 1 }
            if try find("MACHINE \(number)") != .none { count += 1 }
            if try find(id.short) != .none { count += 1 }
        }
        return count
    }

    /// Enters peers in one go, for ten thousand of them would be as many waits for the disk.
    func enter(_ ids: [PeerID]) throws {
        try write(.promised) { database throws(LedgerError) in
            for (number, id) in ids.enumerated() {
                try database.run(
                    "INSERT INTO peers (id, name, pinned_since, permissions, addresses) VALUES (?, ?, 1, 15, '10.0.0.1:1')",
                    SQLValue(id),
                    .text("machine \(number)")
                )
            }
        }
    }
}
