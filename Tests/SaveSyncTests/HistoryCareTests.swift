import History
import Ledger
import LinuxPlatform
import SaveRules
@testable import SaveSync
import Session
import TestSupport
import Testing
import Vocabulary

@Suite("Care of the history", .timeLimit(.minutes(5)))
struct HistoryCareTests {
    /// Holds up who writes an index, as each collection does when it begins.
    private final class Hold: Sendable {
        let isArmed = Probe(false)
        let count = Probe(0)
        let gate = BlockingGate()

        func open(in folder: TemporaryFolder) async throws -> SaveMachine {
            try await SaveMachine.open("one", in: folder) { configuration in
                configuration.storeCalls = calls
            }
        }

        var calls: StoreCalls {
            var calls = StoreCalls.kernel
            calls.rename = { [self] (folder, old, new) throws(SystemError) in
                if isArmed.value {
                    count.update { $0 += 1 }
                    gate.pass()
                }
                try StoreCalls.kernel.rename(folder, old, new)
            }
            return calls
        }
    }

    @Test("while garbage is collected, a peer is given what it asks for")
    @Engine
    func served() async throws {
        let hold = Hold()
        let machine = try await hold.open(in: .inMemory())
        let set = try await machine.add(["slot": "chapter 1"])
        try await machine.keeper.change(set) { $0.retention = RetentionRule(count: 1, age: nil) }
        let peer = try await HostilePeer.open(victim: machine, sharing: set)
        hold.isArmed.open()
        try await machine.save("chapter 2", in: set)
        try await hold.count.wait { $0 == 1 }
        let shown = try #require(try machine.keeper.report(of: set).shown)
        try await peer.say(.want(set, SaveTicket(7), shown.id, shown.manifest))
        guard case .piece(set, SaveTicket(7), shown.manifest[0].id, _) = try await peer.nextDelivery() else {
            Issue.record("the piece was not given")
            return
        }
        hold.gate.open()
        await peer.stop()
        await machine.stop()
    }

    @Test("who asks for a collection while one runs has the next one in common, and nobody is turned away")
    @Engine
    func together() async throws {
        let hold = Hold()
        let folder = TemporaryFolder.inMemory()
        let history = try History.open(at: folder.path(of: "history"), by: hold.calls)
        let care = HistoryCare(history)
        hold.isArmed.open()
        var all = [Task { _ = try await care.collect() }]
        try await hold.count.wait { $0 == 1 }
        for _ in 1...3 { all.append(Task { _ = try await care.collect() }) }
        all.append(Task { _ = try await care.check(repairing: false) })
        for _ in 1...50 { try await othersTurn() }
        hold.gate.open()
        for task in all { try await task.value }
        // Two collections and a check.
        #expect(hold.count.value == 3)
    }
}
