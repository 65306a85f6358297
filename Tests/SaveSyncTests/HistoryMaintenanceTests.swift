import Digests
import Glibc
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
struct HistoryMaintenanceTests {
    /// Holds the writing of an index, with which each collection begins.
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

    @Test("a peer gets the pieces that it asks for during a collection of garbage")
    @Engine
    func served() async throws {
        let hold = Hold()
        let machine = try await hold.open(in: .inMemory())
        let set = try await machine.add(["slot": "chapter 1"])
        try await machine.engine.settings.change(set) { $0.retention = RetentionRule(count: 1, age: nil) }
        let peer = try await HostilePeer.open(victim: machine, sharing: set)
        hold.isArmed.open()
        try await machine.save("chapter 2", in: set)
        try await hold.count.wait { $0 == 1 }
        let shown = try #require(try machine.engine.report(of: set).versions.shown)
        try await peer.say(.want(set, ExchangeEpoch(7), shown.id, shown.manifest))
        guard case .piece(set, ExchangeEpoch(7), shown.manifest[0].id, _) = try await peer.nextDelivery() else {
            Issue.record("the piece was not given")
            return
        }
        hold.gate.open()
        await peer.stop()
        await machine.stop()
    }

    @Test("callers that ask for a collection while one runs share the next one, and none is refused")
    @Engine
    func together() async throws {
        let hold = Hold()
        let folder = TemporaryFolder.inMemory()
        let history = try History.open(at: folder.path(of: "history"), by: hold.calls)
        let care = HistoryMaintenance(history)
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

    @Test("versions with missing pieces after the loss of a file of the history are reported at each start")
    @Engine
    func fileGone() async throws {
        let folder = TemporaryFolder.inMemory()
        let path = folder.path(of: "history")
        var dice = SeededGenerator(seed: 1)
        let save = (1...2_000).map { _ in String(dice.next(), radix: 16) }.joined(separator: "\n")
        do {
            // The content of the save is in a pack of its own, and the version is in a later one.
            let history = try History.open(at: path, packLimit: 4 << 10)
            let batch = try history.beginBatch()
            for bytes in [Array(save.utf8), Array("other".utf8)] {
                try batch.put(bytes, expecting: PieceID(of: bytes, hashedBy: Digest.sha256))
                _ = try history.usage()
            }
        }
        #expect(try await damage(in: folder, adding: ["slot": save]).isEmpty)
        _ = try History.open(at: path).usage()
        rename("\(path)/pack-0000000001", folder.path(of: "found"))
        for _ in 1...2 { #expect(try await damage(in: folder) == ["saves.versions-missing"]) }
        rename(folder.path(of: "found"), "\(path)/pack-0000000001")
        #expect(try await damage(in: folder).isEmpty)
    }

    /// The faults that a start reports about the history.
    @Engine
    private func damage(in folder: TemporaryFolder, adding files: [String: String] = [:]) async throws -> [ErrorCode] {
        let machine = try await SaveMachine.open("one", in: folder)
        if !files.isEmpty { _ = try await machine.add(files) }
        let codes = machine.engine.historyDamage.map(\.code)
        await machine.stop()
        return codes
    }
}
