import ArchiveProperties
import FoundationEssentials
import TestSupport
import Testing
import Workbench

@Suite("Mutated archives", .timeLimit(.minutes(10)))
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
        "findings of the fuzzer stay fixed, and its examples hold",
        arguments: ["binary", "keyed"].flatMap { Repository.fuzzedInputs($0) }
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
        let found = Mutants(of: small, rounds: Self.rounds, seed: seed).firstViolation(violation)
        #expect(found == nil)
    }
}
