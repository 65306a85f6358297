import Ledger
import LinuxPlatform
import SaveRules
import SessionRules
import TestSupport
import Testing
import Vocabulary

@testable import SaveSync
@testable import Session

@Suite("Peers that may come online before a game", .timeLimit(.minutes(4)))
struct GatheringTests {
    /// Two machines that share a game. The program of the one with the larger id, which leaves dialling to the other,
    /// has ended. The other has saved since.
    @Engine
    private struct Parted {
        let there: SaveMachine
        let set: SaveSetID
        /// The data folder of the machine that has ended.
        let folder: TemporaryFolder

        static func make() async throws -> Parted {
            let folders = [TemporaryFolder.inMemory(), .inMemory()]
            let machines = try await [
                SaveMachine.open("one", in: folders[0]), SaveMachine.open("other", in: folders[1]),
            ]
            let larger = machines[0].id < machines[1].id ? 1 : 0
            let (there, ended) = (machines[1 - larger], machines[larger])
            try await there.befriend(ended)
            let set = try await there.add(["slot": "chapter 1"])
            try await there.share(set, with: ended)
            await ended.stop()
            while try !there.engine.report(of: set).present.isEmpty { try await othersTurn() }
            try await there.save("chapter 2", in: set)
            return Parted(there: there, set: set, folder: folders[larger])
        }

        /// The same, but the other machine has ended as well.
        static func bothEnded() async throws -> (set: SaveSetID, there: TemporaryFolder, here: TemporaryFolder) {
            let parted = try await make()
            await parted.there.stop()
            return (parted.set, parted.there.folder, parted.folder)
        }

        /// Starts the ended machine's program again.
        func restarted(_ change: (inout SaveConfiguration) -> Void = { _ in }) async throws -> SaveMachine {
            try await SaveMachine.open("again", in: folder, change)
        }
    }

    @Test("a peer is asked at once after the start of the program, and its version is there before the game begins")
    @Engine
    func justBegun() async throws {
        let parted = try await Parted.make()
        let again = try await parted.restarted()
        let began = ContinuousClock.now
        #expect(try await again.engine.connections.gather(parted.set, within: .seconds(120)).isEmpty)
        #expect(try again.engine.report(of: parted.set).present == [parted.there.id])
        #expect(try await again.engine.play(of: parted.set).newest(within: .seconds(120)) == .ready)
        #expect(again.place().texts() == ["slot": "chapter 2"])
        #expect(ContinuousClock.now - began < Topology.stepInAfter)
        await again.stop()
        await parted.there.stop()
    }

    @Test("a peer is waited for no longer than the user wants, and then named")
    @Engine
    func limit() async throws {
        let parted = try await Parted.make()
        await parted.there.stop()
        let again = try await parted.restarted { $0.bounds.patience.arrival = .seconds(3_600) }
        let waited = try await again.engine.connections.gather(parted.set, within: .milliseconds(50))
        #expect(waited == [parted.there.id])
        #expect(try again.engine.report(of: parted.set).present.isEmpty)
        await again.stop()
    }

    @Test(
        "a peer is expected for a while after the start, though its address changed, and asked as soon as it is found"
    )
    @Engine
    func found() async throws {
        let ended = try await Parted.bothEnded()
        // Each machine knows the last address of the other.
        let there = try await SaveMachine.open("there", in: ended.there)
        let again = try await SaveMachine.open("again", in: ended.here) { $0.bounds.patience.arrival = .seconds(3_600) }
        async let waited = again.engine.connections.gather(ended.set, within: .seconds(120))
        while !again.engine.connections.dials.isEmpty { try await othersTurn() }
        #expect(try again.engine.report(of: ended.set).present.isEmpty)
        let began = ContinuousClock.now
        again.node.learn([SocketAddress(.v4(127, 0, 0, 1), port: there.node.port)], of: there.id)
        again.engine.connections.sees(there.id)
        #expect(try await waited.isEmpty)
        #expect(try again.engine.report(of: ended.set).present == [there.id])
        #expect(ContinuousClock.now - began < Topology.stepInAfter)
        await again.stop()
        await there.stop()
    }

    @Test(
        "a peer is expected after a lost connection, and the waiting machine dials it, though that is the other's task"
    )
    @Engine
    func lostConnection() async throws {
        let shared = try await SharedSet.open(as: { $0.patience.reconnection.first = .seconds(3_600) })
        for (here, there) in [(shared.one, shared.other), (shared.other, shared.one)] {
            here.node.link(to: there.id)?.cut(because: .lost)
            while try !here.engine.report(of: shared.set).present.isEmpty { try await othersTurn() }
            while try !there.engine.report(of: shared.set).present.isEmpty { try await othersTurn() }
            #expect(try await here.engine.connections.gather(shared.set, within: .seconds(120)).isEmpty)
            #expect(try here.engine.report(of: shared.set).present == [there.id])
            while try there.engine.report(of: shared.set).present.isEmpty { try await othersTurn() }
        }
        await shared.stop()
    }

    @Test("a peer that the user here does not accept is not expected")
    @Engine
    func notLetIn() async throws {
        let parted = try await Parted.make()
        let again = try await parted.restarted { $0.bounds.patience.arrival = .seconds(3_600) }
        try await again.node.ledger.setPolicy(.ask, for: parted.there.id)
        #expect(try await again.engine.connections.gather(parted.set, within: .seconds(3_600)).isEmpty)
        await again.stop()
        await parted.there.stop()
    }

    @Test("a peer that has left an invitation unanswered is not expected")
    @Engine
    func unanswered() async throws {
        let parted = try await Parted.make()
        let again = try await parted.restarted { $0.bounds.patience.arrival = .zero }
        try await parted.there.node.ledger.setPolicy(.block, for: again.id)
        while again.engine.connections.dials.isEmpty { try await othersTurn() }
        #expect(try await again.engine.connections.gather(parted.set, within: .seconds(3_600)).isEmpty)
        #expect(try again.engine.report(of: parted.set).present.isEmpty)
        #expect(!again.engine.connections.dials.isEmpty)
        await again.stop()
        await parted.there.stop()
    }

    @Test("a peer is expected again once the machine has been asleep, even if it had ended in order")
    @Engine
    func woken() async throws {
        let shared = try await SharedSet.open()
        let engine = shared.one.engine
        await shared.other.stop()
        while try !engine.report(of: shared.set).present.isEmpty { try await othersTurn() }
        #expect(try await engine.connections.gather(shared.set, within: .seconds(120)).isEmpty)
        engine.connections.wake()
        #expect(try await engine.connections.gather(shared.set, within: .milliseconds(50)) == [shared.other.id])
        await shared.one.stop()
    }

    @Test("a peer that has been away for longer delays no game")
    @Engine
    func longGone() async throws {
        let parted = try await Parted.make()
        await parted.there.stop()
        let again = try await parted.restarted { $0.bounds.patience.arrival = .zero }
        while again.engine.connections.dials.isEmpty { try await othersTurn() }
        // The dial of the start fails, and the machine knows it at once.
        #expect(try await again.engine.connections.gather(parted.set, within: .seconds(3_600)).isEmpty)
        #expect(again.engine.connections.dials.isEmpty)
        let began = ContinuousClock.now
        #expect(try await again.engine.connections.gather(parted.set, within: .seconds(3_600)).isEmpty)
        #expect(try await again.engine.play(of: parted.set).newest(within: .seconds(60)) == .ready)
        #expect(ContinuousClock.now - began < .seconds(1))
        await again.stop()
    }
}
