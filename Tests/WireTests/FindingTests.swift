import FoundationEssentials
import Testing
import WireProperties
import Workbench

@Suite("Findings of the fuzzer", .timeLimit(.minutes(5)))
struct FindingTests {
    @Test("The decoder still survives each finding", arguments: Repository.files(below: "Tests/Fuzz/wire/findings"))
    func settled(path: String) throws {
        let bytes = try Data(contentsOf: URL(filePath: "\(Repository.root)/\(path)"))
        #expect(WireProperties.violation(for: Array(bytes)) == nil)
    }
}
