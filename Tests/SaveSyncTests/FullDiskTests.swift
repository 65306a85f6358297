import Database
import Glibc
import History
import Ledger
import LinuxPlatform
import SaveRules
import Session
import Synchronization
import TestSupport
import Testing
import Vocabulary

@testable import SaveSync

@Suite("A disk that is full", .timeLimit(.minutes(5)))
struct FullDiskTests {
    /// Opens a machine whose history can write only while the test allows it.
    @Engine
    private static func open(_ isFull: FullDisk, in folder: TemporaryFolder) async throws -> SaveMachine {
        try await SaveMachine.open("one", in: folder) { configuration in
            let write = configuration.storeCalls.write
            configuration.storeCalls.write = { (file, bytes, offset) throws(SystemError) in
                if isFull.now.withLock({ $0 }) { throw SystemError("pwrite", ENOSPC) }
                try write(file, bytes, offset)
            }
        }
    }

    /// Opens such a machine with a game that another machine shares with it.
    @Engine
    private static func shared(_ isFull: FullDisk) async throws -> (one: SaveMachine, other: SaveMachine, SaveSetID) {
        let one = try await open(isFull, in: .inMemory())
        let (other, set) = try await sharing(with: one)
        return (one, other, set)
    }

    @Engine
    private static func sharing(with one: SaveMachine) async throws -> (other: SaveMachine, SaveSetID) {
        let other = try await SaveMachine.open("other")
        try await one.befriend(other)
        let set = try await other.add(["slot": "chapter 1"])
        try await other.share(set, with: one)
        return (other, set)
    }

    private final class FullDisk: Sendable {
        let now = Mutex(false)
    }

    /// A game with a version that was stored, but could not be committed to the ledger.
    @Engine
    private static func interrupted(in folder: TemporaryFolder) async throws -> SaveSetID {
        let one = try await SaveMachine.open("one", in: folder)
        let set = try await one.add(["slot": "chapter 1"])
        let ledger = try Database<LedgerError>(at: folder.path(of: "huddle/ledger.sqlite"))
        try ledger.run("CREATE TRIGGER full BEFORE INSERT ON save_snapshots BEGIN SELECT RAISE(ABORT, 'full'); END")
        one.place().put(Array("chapter 2".utf8), at: "slot")
        one.places.settle(set)
        try await one.next(in: set) { if case .trouble = $0 { true } else { nil } }
        try ledger.run("DROP TRIGGER full")
        try await one.save("chapter 3", in: set)
        await one.stop()
        return set
    }

    @Test("a version that was stored and not recorded is beside no other one after a restart")
    @Engine
    func unentered() async throws {
        let folder = TemporaryFolder.inMemory()
        let set = try await Self.interrupted(in: folder)
        let again = try await SaveMachine.open("one", in: folder)
        again.place().put(Array("chapter 3".utf8), at: "slot")
        #expect(try again.heads(of: set).count == 1)
        #expect(try await again.engine.versions(of: set).latest().count == 2)
        await again.stop()
    }

    @Test(
        "a version that was not recorded and then comes from elsewhere stays, whatever is recorded while it is stored"
    )
    @Engine
    func unenteredThere() async throws {
        let isHeld = Mutex(false)
        let (flushes, flush) = AsyncStream.makeStream(of: BlockingGate.self, bufferingPolicy: .bufferingNewest(1))
        let one = try await SaveMachine.open("one", in: .inMemory()) { configuration in
            let sync = configuration.storeCalls.sync
            configuration.storeCalls.sync = { file throws(SystemError) in
                if isHeld.withLock({ $0 }) {
                    let gate = BlockingGate()
                    flush.yield(gate)
                    gate.pass()
                }
                try sync(file)
            }
        }
        let (other, set) = try await Self.sharing(with: one)
        isHeld.withLock { $0 = true }
        try await other.save("chapter 2", in: set)
        let newest = try #require(try other.heads(of: set).first)
        let kept = try one.engine.games.game(set)
        // Holds the flush that happens when the whole version has arrived and is being stored. Earlier flushes go on.
        var held: BlockingGate?
        for await gate in flushes {
            held = gate
            if kept.machine.downloads.running[newest]?.fetch.state == .complete { break }
            gate.open()
        }
        isHeld.withLock { $0 = false }
        let gate = try #require(held)
        // As if this machine had made the same version while the ledger was full.
        kept.handle(.versions(.notStored(kept.machine.heads, made: [newest])))
        let noting = Task { try await kept.versions.commit { _ in ([], []) } }
        // The commit asks nothing of the held store: a version that is being stored must not be dropped.
        if kept.machine.uncommitted.isEmpty { try await noting.value }
        gate.open()
        try await one.untilApplied(newest, in: set)
        #expect(one.place().texts() == ["slot": "chapter 2"])
        await one.stop()
        await other.stop()
    }

    @Test("a game can't be left on a full disk, and is there as before", arguments: [true, false])
    @Engine
    func leaving(canOffer: Bool) async throws {
        let folder = TemporaryFolder.inMemory()
        let one = try await SaveMachine.open("one", in: folder)
        let set = try await one.add(["slot": "chapter 1"])
        let ledger = try Database<LedgerError>(at: folder.path(of: "huddle/ledger.sqlite"))
        try ledger.run(
            canOffer
                ? "CREATE TRIGGER full BEFORE DELETE ON save_sets BEGIN SELECT RAISE(ABORT, 'full'); END"
                : "CREATE TRIGGER full BEFORE INSERT ON save_offers BEGIN SELECT RAISE(ABORT, 'full'); END"
        )
        await #expect(throws: LedgerError.self) { try await one.engine.joining.leave(set) }
        try await one.save("chapter 2", in: set)
        #expect(try one.engine.report(of: set).versions.count == 2)
        #expect(try await one.engine.joining.offers().isEmpty)
        try ledger.run("DROP TRIGGER full")
        try await one.engine.joining.leave(set)
        #expect(one.engine.reports().isEmpty)
        await one.stop()
    }

    @Test("an online machine that could not store the newest version is behind, until it has it")
    @Engine
    func behind() async throws {
        let disk = FullDisk()
        let (one, other, set) = try await Self.shared(disk)
        try await other.engine.play(of: set).spread(within: .seconds(200))
        #expect(try other.engine.games.game(set).machine.behind == [])
        disk.now.withLock { $0 = true }
        try await other.save("chapter 2", in: set)
        #expect(try other.engine.games.game(set).machine.behind == [one.id])
        try await other.engine.play(of: set).spread(within: .milliseconds(20))
        #expect(try other.engine.games.game(set).machine.behind == [one.id])
        disk.now.withLock { $0 = false }
        try await other.engine.play(of: set).spread(within: .seconds(200))
        #expect(try other.engine.games.game(set).machine.behind == [])
        await one.stop()
        await other.stop()
    }

    @Test(
        "a version that can't be stored is waited for, and so is one that overtakes it, which comes once there is room"
    )
    @Engine
    func unkept() async throws {
        let disk = FullDisk()
        let (one, other, set) = try await Self.shared(disk)
        disk.now.withLock { $0 = true }
        try await other.save("chapter 2", in: set)
        try await one.next(in: set) { if case .trouble = $0 { true } else { nil } }
        while try one.engine.games.game(set).machine.downloads.unstored.isEmpty { try await othersTurn() }
        #expect(try one.engine.report(of: set).versions.couldNotStoreNewer)
        #expect(try await one.engine.play(of: set).newest(within: .milliseconds(50)) == .late)
        try await other.save("chapter 3", in: set)
        let last = try #require(try other.heads(of: set).first)
        let kept = try one.engine.games.game(set)
        while kept.machine.downloads.newer(than: kept.machine.heads) != [last] { try await othersTurn() }
        #expect(one.place().texts() == ["slot": "chapter 1"])
        disk.now.withLock { $0 = false }
        try await one.untilApplied(last, in: set)
        #expect(one.place().texts() == ["slot": "chapter 3"])
        while try !one.engine.games.game(set).machine.downloads.unstored.isEmpty { try await othersTurn() }
        #expect(try !one.engine.report(of: set).versions.couldNotStoreNewer)
        #expect(try await one.engine.services.store.expected(of: set).isEmpty)
        await one.stop()
        await other.stop()
    }
}
