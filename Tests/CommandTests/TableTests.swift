import CommandTable
import Testing

@testable import huddle

@Suite("The table of huddle's commands", .timeLimit(.minutes(5)))
struct TableTests {
    @Test("The table has no faults")
    func hasNoFaults() {
        let faults = HuddleProgram.table.faults
        #expect(faults.isEmpty, "\(faults.joined(separator: "\n"))")
    }
}
