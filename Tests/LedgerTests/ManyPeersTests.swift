import Database
@testable import Ledger
import Testing
import TestSupport
import Vocabulary

@Suite("Ledgers with ten thousand peers", .timeLimit(.minutes(10)))
struct ManyPeersTests {
    let kit = LedgerKit()

    /// The limits are a hundred times the usual times, for busy machines.
    @Test("Opening, finding and listing take no noticeable time")
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

    @Test("Only some peers with the same beginning of an ID are listed")
    func manyMatches() async throws {
        let ledger = try await kit.open()
        try await ledger.enter((0..<200).map { peerID(0, $0) })
        guard case .several(let some) = try await ledger.find("a") else { return #expect(Bool(false)) }
        #expect(some.count == PeerMatch.limit)
    }
}

extension Ledger {
    /// Finds the first peers by ID, by name and by the beginning of the ID. All in one call, so that the time of the
    /// switch to the ledger's thread does not count.
    func countFound(_ ids: ArraySlice<PeerID>) throws -> Int {
        var count = 0
        for (number, id) in ids.enumerated() {
            if try peer(id)?.name?.text == "machine \(number)" { count += 1 }
            if try find("MACHINE \(number)") != .none { count += 1 }
            if try find(id.short) != .none { count += 1 }
        }
        return count
    }

    /// Adds peers in one transaction. Ten thousand transactions would wait ten thousand times for the disk.
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
