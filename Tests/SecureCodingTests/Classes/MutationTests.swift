import CodingProperties
import Foundation
import TestSupport
import Testing
import Workbench

@Suite("Mutated archives through coders", .timeLimit(.minutes(10)))
struct MutationTests {
    private static let inputs = Repository.fuzzedInputs("coding")

    private static func bytes(_ path: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: "\(Repository.root)/\(path)")))
    }

    @Test("findings of the fuzzer stay fixed", arguments: inputs)
    func settled(path: String) throws {
        #expect(CodingProperties.violation(for: try Self.bytes(path)) == nil)
    }

    @Test("the examples have an object and a value of every kind, and are decoded")
    func decodes() throws {
        for name in ["traveller.keyed", "journal.json"] {
            try CodingProperties.decode(Self.bytes("Tests/Fuzz/coding/examples/\(name)"))
        }
    }

    @Test("an archive is refused, or decoded and encoded as the same", arguments: UInt64(1)...4)
    func mutants(seed: UInt64) throws {
        let mutants = Mutants(of: try Self.inputs.map { try Self.bytes($0) }, rounds: 1_000, seed: seed)
        #expect(mutants.firstViolation(CodingProperties.violation) == nil)
    }
}
