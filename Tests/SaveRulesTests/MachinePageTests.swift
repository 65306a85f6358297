import SaveRules
import Testing
import Workbench

@Suite("The pages of the machines of saves", .timeLimit(.minutes(5)))
struct MachinePageTests {
    @Test("the pages have what the code does for every state and event, and a row for every state")
    func pages() throws {
        try expect(.setHeads(), VersionState.State.self)
        try expect(.exchange(), Exchange.State.self)
        try expect(.snapshotFetch(), SnapshotFetch.State.self)
        try expect(.lease(), PlayLease.State.self)
        try expect(.settling(), Settling.State.self)
        try MachineTable.play().expectDocumented(states: [])
        try MachineTable.saveSet().expectDocumented(states: [])
        try MachineTable.folderWork().expectDocumented(states: [])
        try MachineTable.household().expectDocumented(states: [])
    }

    private func expect<Machine, State>(_ table: MachineTable<Machine>, _: State.Type) throws
    where State: CaseIterable & RawRepresentable<String> {
        try table.expectDocumented(states: State.allCases.map(\.rawValue))
    }
}
