import FoundationEssentials
import ScoreProperties
import TestSupport
import Testing
import Workbench

@Suite("Mutated databases of scores", .timeLimit(.minutes(10)))
struct ScoreMutationTests {
    private static let inputs = Repository.fuzzedInputs("scores")

    private static func bytes(_ path: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: "\(Repository.root)/\(path)")))
    }

    @Test("findings of the fuzzer stay fixed", arguments: inputs)
    func settled(path: String) throws {
        #expect(ScoreProperties.violation(for: try Self.bytes(path)) == nil)
    }

    @Test("a mutant is refused, or read, and takes scores", arguments: UInt64(1)...4)
    func mutants(seed: UInt64) throws {
        let mutants = Mutants(of: try Self.inputs.map { try Self.bytes($0) }, rounds: 300, seed: seed)
        #expect(mutants.firstViolation(ScoreProperties.violation) == nil)
    }
}
