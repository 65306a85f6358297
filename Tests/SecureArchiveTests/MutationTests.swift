import ArchiveProperties
import FoundationEssentials
import TestSupport
import Testing
import Workbench

@Suite("Archives that something happened to", .timeLimit(.minutes(10)))
struct MutationTests {
    private static let rounds = 1_500

    @Test("a binary list is refused, or read and written as the same", arguments: UInt64(1)...4)
    func binary(seed: UInt64) throws {
        try mutate(seed: seed) { BinaryProperties.violation(for: $0) }
    }

    @Test("a keyed archive is refused, or read and written as the same", arguments: UInt64(1)...4)
    func keyed(seed: UInt64) throws {
        try mutate(seed: seed) { KeyedProperties.violation(for: $0) }
    }

    @Test(
        "a finding of the fuzzer stays settled",
        arguments: ["binary", "keyed"].flatMap { Repository.files(below: "Tests/Fuzz/\($0)/findings") }
    )
    func settled(path: String) throws {
        let bytes = Array(try Data(contentsOf: URL(filePath: "\(Repository.root)/\(path)")))
        let isBinary = path.contains("/binary/")
        #expect((isBinary ? BinaryProperties.violation(for: bytes) : KeyedProperties.violation(for: bytes)) == nil)
    }

    private func mutate(seed: UInt64, violation: ([UInt8]) -> String?) throws {
        let small = try Corpus.files(["keyed", "plist"]).filter { $0.isBinary && $0.expected != .error }.map {
            try $0.bytes()
        }
        .filter { $0.count < 3_000 }
        #expect(small.count > 15)
        var dice = SeededGenerator(seed: seed)
        for round in 0..<Self.rounds {
            var bytes = small[Int.random(in: 0..<small.count, using: &dice)]
            for _ in 0..<Int.random(in: 1...4, using: &dice) { Self.mutate(&bytes, &dice) }
            if let violation = violation(bytes) {
                Issue.record("round \(round) of seed \(seed): \(violation)")
                return
            }
        }
    }

    private static func mutate(_ bytes: inout [UInt8], _ dice: inout SeededGenerator) {
        guard !bytes.isEmpty else { return }
        let place = Int.random(in: 0..<bytes.count, using: &dice)
        switch Int.random(in: 0..<6, using: &dice) {
        case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &dice)
        case 1: bytes[place] = .random(in: .min ... .max, using: &dice)
        case 2: bytes[place] = bytes[Int.random(in: 0..<bytes.count, using: &dice)]
        case 3: bytes[place] &+= 1
        case 4: bytes.remove(at: place)
        default: bytes.insert(.random(in: .min ... .max, using: &dice), at: place)
        }
    }
}
