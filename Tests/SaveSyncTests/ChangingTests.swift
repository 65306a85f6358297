import LinuxPlatform
import Ledger
import SaveRules
@testable import SaveSync
import Session
import Synchronization
import TestSupport
import Testing
import Vocabulary

/// Calls to a game while its settings change: none is lost, and none finds the game missing.
@Suite("Changes during a change of settings", .timeLimit(.minutes(5)))
struct ChangingTests {
    /// Changes a setting that replaces the game's object, and calls `body` in the middle of the change.
    @Engine
    private static func changing(
        _ set: SaveSetID,
        of machine: SaveMachine,
        meanwhile body: @escaping @Engine @Sendable () async throws -> Void
    ) async throws {
        let work = Mutex<Task<Void, any Error>?>(nil)
        machine.places.whenUnwatched.withLock { hook in
            hook = { @Engine in
                work.withLock { $0 = Task { try await body() } }
                // The task runs until it waits.
                for _ in 1...50 { await Task.yield() }
            }
        }
        try await machine.engine.settings.change(set) { $0.settleMilliseconds += 1 }
        try await work.withLock { $0 }?.value
    }

    /// A joined game, moved to a folder that holds another save. The program ends before it can read that folder.
    @Engine
    private static func endedMoved(in folder: TemporaryFolder) async throws -> SaveSetID {
        let one = try await SaveMachine.open("one")
        let other = try await SaveMachine.open("other", in: folder)
        try await one.befriend(other)
        let set = try await one.add(["slot": "chapter 1"])
        try await one.share(set, with: other)
        let elsewhere = other.place("elsewhere")
        elsewhere.put(Array("of another game".utf8), at: "slot")
        elsewhere.refusesReading.withLock { $0 = .max }
        try await other.engine.settings.change(set) { $0.path = elsewhere.path }
        await one.stop()
        await other.stop()
        return set
    }

    @Test("files in another folder follow no version, even if the program ends before they are read")
    @Engine
    func movedAndEnded() async throws {
        let folder = TemporaryFolder.inMemory()
        let set = try await Self.endedMoved(in: folder)
        let again = try await SaveMachine.open("other", in: folder)
        try await again.next(in: set) { if case .captured = $0 { true } else { nil } }
        #expect(try again.heads(of: set).count == 2)
        await again.stop()
    }

    @Test("one of two simultaneous joins of a game succeeds, and one of two games of one folder")
    @Engine
    func enteredTwice() async throws {
        let one = try await SaveMachine.open("one")
        let other = try await SaveMachine.open("other")
        try await one.befriend(other)
        let set = try await one.add(["slot": "chapter 1"])
        try await one.offer(set, to: other)
        @Engine
        func succeeds(_ attempt: @Engine () async throws -> Void) async -> Bool { (try? await attempt()) != nil }
        async let here = succeeds { try await other.join(set, "here") }
        async let there = succeeds { try await other.join(set, "there") }
        #expect(await [here, there].filter { $0 }.count == 1)
        #expect(other.engine.reports().map(\.entry.id) == [set])
        async let first = succeeds {
            _ = try await one.engine.joining.add(SaveSetName("first"), at: one.place("new").path)
        }
        async let second = succeeds {
            _ = try await one.engine.joining.add(SaveSetName("second"), at: one.place("new").path)
        }
        #expect(await [first, second].filter { $0 }.count == 1)
        await one.stop()
        await other.stop()
    }

    @Test("versions that were abandoned as damaged are still missing, and requested")
    @Engine
    func missing() async throws {
        let (machine, readings) = (try await SaveMachine.open("one"), Probe(0))
        machine.place().beforeReading.withLock { $0 = { readings.count() } }
        let set = try await machine.add(["slot": "chapter 1"])
        // The watch causes the second reading.
        try await readings.wait { $0 == 2 }
        try await machine.engine.play(of: set).untilQuiet()
        let shown = try #require(try machine.engine.report(of: set).versions.shown?.id)
        let former = try machine.engine.games.game(set)
        _ = try await machine.engine.settings.change(set) {
            $0.settleMilliseconds += 1
            former.handle(.versions(.incomplete([shown])))
        }
        #expect(former.machine.downloads.incomplete == [shown])
        try await machine.next(in: set) { if case .arrived(shown) = $0 { true } else { nil } }
        await machine.stop()
    }

    @Test("a restored old version is there afterwards, and the newest on all machines")
    @Engine
    func restore() async throws {
        let shared = try await SharedSet.open()
        let (one, other, set) = (shared.one, shared.other, shared.set)
        let first = try #require(try one.engine.report(of: set).versions.shown?.id)
        try await one.save("chapter 2", in: set)
        try await Self.changing(set, of: one) { try await one.engine.editor(of: set).restore(first) }
        #expect(try one.engine.report(of: set).versions.count == 3)
        while one.place().texts() != ["slot": "chapter 1"] { try await one.untilApplied(in: set) }
        while other.place().texts() != ["slot": "chapter 1"] { try await other.untilApplied(in: set) }
        await shared.stop()
    }

    @Test("an old version that was requested before, and waits for its turn, is not lost either")
    @Engine
    func restoreBefore() async throws {
        let machine = try await SaveMachine.open("one")
        let set = try await machine.add(["slot": "chapter 1"])
        let first = try #require(try machine.engine.report(of: set).versions.shown?.id)
        try await machine.save("chapter 2", in: set)
        let (kept, gate) = (try machine.engine.games.game(set), Resumption<Void>())
        let holding = Task { await kept.work.alone { try? await gate.value() } }
        for _ in 1...10 { await Task.yield() }
        let restoring = Task { try await machine.engine.editor(of: set).restore(first) }
        for _ in 1...10 { await Task.yield() }
        let change = Task { _ = try await machine.engine.settings.change(set) { $0.settleMilliseconds += 1 } }
        for _ in 1...50 { await Task.yield() }
        gate.resume(with: .success(()))
        await holding.value
        let made = try await restoring.value
        try await change.value
        #expect(try machine.heads(of: set) == [made])
        while machine.place().texts() != ["slot": "chapter 1"] { try await machine.untilApplied(in: set) }
        await machine.stop()
    }

    @Test("a machine that loses its right to the game has no part in it afterwards, and one that gains it has")
    @Engine
    func sharers() async throws {
        let shared = try await SharedSet.open()
        let (one, other, set) = (shared.one, shared.other, shared.set)
        try await Self.changing(set, of: one) { try await one.engine.sharing.withdraw(set, from: other.id) }
        #expect(try one.engine.report(of: set).sharers == [] && one.engine.report(of: set).present == [])
        try await Self.changing(set, of: one) { try await one.engine.sharing.offer(set, to: other.id) }
        #expect(try one.engine.report(of: set).sharers == [other.id])
        try await one.save("chapter 2", in: set)
        while other.place().texts() != ["slot": "chapter 2"] { try await other.untilApplied(in: set) }
        await shared.stop()
    }

    @Test("a game that ends has its save kept, and others may play")
    @Engine
    func endOfGame() async throws {
        let shared = try await SharedSet.open()
        let (one, other, set) = (shared.one, shared.other, shared.set)
        try await one.engine.play(of: set).begin()
        one.place().put(Array("played".utf8), at: "slot")
        try await Self.changing(set, of: one) { try await one.engine.play(of: set).end() }
        #expect(try !one.engine.report(of: set).play.isHere && one.engine.play(of: set).games.isEmpty)
        while other.place().texts() != ["slot": "played"] { try await other.untilApplied(in: set) }
        try await other.engine.play(of: set).begin()
        await shared.stop()
    }

    @Test("a game that waits for its lease gets it")
    @Engine
    func beginOfGame() async throws {
        let machine = try await SaveMachine.open("one")
        let set = try await machine.add(["slot": "chapter 1"])
        async let begun = machine.engine.play(of: set).begin()
        while try machine.engine.games.game(set).machine.play.lease.state != .claiming { try await othersTurn() }
        try await machine.engine.settings.change(set) { $0.settleMilliseconds += 1 }
        _ = try await begun
        #expect(try machine.engine.report(of: set).play.isHere && !machine.engine.play(of: set).games.isEmpty)
        await machine.stop()
    }

    @Test("a peer that sends messages about the game is not refused, and its save arrives")
    @Engine
    func peers() async throws {
        let shared = try await SharedSet.open()
        let (one, other, set) = (shared.one, shared.other, shared.set)
        try await Self.changing(set, of: one) {
            let peer = try #require(one.engine.connections.peers[other.id])
            one.engine.connections.games.notPermitted(peer, set)
            #expect(one.engine.reports().map(\.entry.id) == [set])
            try await other.save("chapter 2", in: set)
        }
        while one.place().texts() != ["slot": "chapter 2"] { try await one.untilApplied(in: set) }
        let noted = try await one.node.ledger.audit(limit: 100).values.map(\.event)
        #expect(!noted.contains("saves-refused"))
        await shared.stop()
    }

    @Test("a machine that leaves the game has left it")
    @Engine
    func left() async throws {
        let machine = try await SaveMachine.open("one")
        let set = try await machine.add(["slot": "chapter 1"])
        try await Self.changing(set, of: machine) { try await machine.engine.joining.leave(set) }
        #expect(machine.engine.reports().isEmpty)
        #expect(try await machine.node.ledger.saveSets.all().values.isEmpty)
        await machine.stop()
    }
}
