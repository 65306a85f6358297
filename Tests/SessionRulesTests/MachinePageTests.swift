import SessionRules
import Testing
import Workbench

@Suite("The pages of the state machines", .timeLimit(.minutes(5)))
struct MachinePageTests {
    @Test("Each page has every state and event as the code has them")
    func pages() throws {
        try expect(.outgoingInvitation(), OutgoingInvitation.State.self)
        try expect(.incomingInvitation(), IncomingInvitation.State.self)
        try expect(.linkHandshake(), LinkHandshake.State.self)
        try expect(.liveness(), Liveness.State.self)
        try expect(.reconnection(), Reconnection.State.self)
        try expect(.shutdown(), Shutdown.State.self)
        try expect(.transferSending(), TransferSending.State.self)
        try expect(.transferReceiving(), TransferReceiving.State.self)
    }

    private func expect<Machine, State>(_ table: MachineTable<Machine>, _: State.Type) throws
    where State: CaseIterable & RawRepresentable<String> {
        try table.expectDocumented(states: State.allCases.map(\.rawValue))
    }
}
