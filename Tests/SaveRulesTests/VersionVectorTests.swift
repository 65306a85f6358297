import SaveRules
import Testing
import TestSupport
import Vocabulary

@Suite("A version", .timeLimit(.minutes(5)))
struct VersionVectorTests {
    @Test(
        "versions are compared by the counters of each peer, never by a clock",
        arguments: [
            ([:], [:], .equal), ([:], [1: 1], .before), ([1: 2], [1: 1], .after), ([1: 1], [2: 1], .concurrent),
            ([1: 1, 2: 1], [1: 1, 2: 1], .equal), ([1: 1, 2: 1], [1: 1, 2: 2], .before),
            ([1: 2, 2: 1], [1: 1, 2: 2], .concurrent), ([2: 1], [1: 1, 2: 1, 3: 1], .before),
        ] as [([UInt8: UInt64], [UInt8: UInt64], VersionVector.Order)]
    )
    func compares(one: [UInt8: UInt64], other: [UInt8: UInt64], order: VersionVector.Order) {
        #expect(Sample.version(one).compared(to: Sample.version(other)) == order)
    }

    @Test("a version agrees with a plain table of counters, after any changes", arguments: 0..<100 as Range<UInt64>)
    func model(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var models: [[UInt8: UInt64]] = [[:], [:], [:]]
        var versions = models.map { _ in VersionVector() }
        for _ in 0..<60 {
            let (one, other) = (Int.random(in: 0..<3, using: &generator), Int.random(in: 0..<3, using: &generator))
            if Bool.random(using: &generator) {
                let peer = UInt8.random(in: 0..<6, using: &generator)
                versions[one] = try versions[one].bumped(by: Sample.peer(peer))
                models[one][peer, default: 0] += 1
            } else {
                versions[one] = try versions[one].merged(with: versions[other])
                models[one].merge(models[other], uniquingKeysWith: max)
            }
            #expect(versions[one] == Sample.version(models[one]))
            let isWithin = models[one].allSatisfy { models[other][$0.key, default: 0] >= $0.value }
            #expect(versions[one].isWithin(versions[other]) == isWithin, "seed \(seed)")
            for peer in UInt8(0)..<6 { #expect(versions[one][Sample.peer(peer)] == models[one][peer, default: 0]) }
        }
    }

    @Test("a version never uses a number twice that a peer is known to have used")
    func beyond() throws {
        #expect(try Sample.version([1: 4]).bumped(by: Sample.peer(1), beyond: 9) == Sample.version([1: 10]))
        #expect(try Sample.version([1: 4]).bumped(by: Sample.peer(1), beyond: 2) == Sample.version([1: 5]))
        #expect(try Sample.version([1: 4]).bumped(by: Sample.peer(2), beyond: 2) == Sample.version([1: 4, 2: 3]))
    }

    @Test("a version has at most 64 peers, and no counter at its end grows")
    func limits() throws {
        let full = Sample.version(Dictionary(uniqueKeysWithValues: (0..<64).map { (UInt8($0), 1) }))
        #expect(full.parts.count == 64)
        let stranger = try #require(PeerID(bytes: [UInt8](repeating: 0xFF, count: 32)))
        #expect(throws: VersionVector.Refusal.tooManyPeers) { try full.bumped(by: stranger) }
        #expect(throws: VersionVector.Refusal.tooManyPeers) {
            try full.merged(with: VersionVector().bumped(by: stranger))
        }
        #expect(throws: VersionVector.Refusal.exhausted) { try Sample.version([1: 1 << 62]).bumped(by: Sample.peer(1)) }
        let parts = [VersionVector.Part(Sample.peer(1), 1), VersionVector.Part(Sample.peer(2), 1)]
        #expect(VersionVector(parts) != nil && VersionVector(parts.reversed()) == nil)
        #expect(VersionVector([parts[0], parts[0]]) == nil && VersionVector([.init(Sample.peer(1), 0)]) == nil)
        #expect(VersionVector([.init(Sample.peer(1), 1 << 62 + 1)]) == nil)
    }
}
