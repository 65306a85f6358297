import SessionRules
import Testing

@Suite("The pages of the machines", .timeLimit(.minutes(1)))
struct MachinePageTests {
    @Test("say of every state and event what the code does")
    func cells() throws {
        try compare(.outgoingInvitation())
        try compare(.incomingInvitation())
        try compare(.linkHandshake())
        try compare(.liveness())
        try compare(.reconnection())
        try compare(.shutdown())
        try compare(.transferSending())
        try compare(.transferReceiving())
    }

    @Test("have a row for every state")
    func rows() {
        expectRows(.outgoingInvitation(), OutgoingInvitation.State.allCases.map(\.rawValue))
        expectRows(.incomingInvitation(), IncomingInvitation.State.allCases.map(\.rawValue))
        expectRows(.linkHandshake(), LinkHandshake.State.allCases.map(\.rawValue))
        expectRows(.liveness(), Liveness.State.allCases.map(\.rawValue))
        expectRows(.reconnection(), Reconnection.State.allCases.map(\.rawValue))
        expectRows(.shutdown(), Shutdown.State.allCases.map(\.rawValue))
        expectRows(.transferSending(), TransferSending.State.allCases.map(\.rawValue))
        expectRows(.transferReceiving(), TransferReceiving.State.allCases.map(\.rawValue))
    }

    /// Where a page lies, the failure shows the table as it is.
    private func compare<Machine>(_ table: MachineTable<Machine>) throws {
        let lines = try table.lines()
        #expect(
            try table.documented() == lines,
            "docs/machines/\(table.page).md should have:\n\(lines.joined(separator: "\n"))"
        )
    }

    private func expectRows<Machine>(_ table: MachineTable<Machine>, _ states: [String]) {
        for row in table.rows {
            #expect((try? row.make()).map(table.state) == row.name.split(separator: ",").first.map(String.init))
        }
        #expect(Set(states).subtracting(table.rows.map(\.name)).isEmpty)
    }
}
