import LinuxPlatform
import SaveRules
import Session
import TestSupport
import Testing
import Vocabulary

@testable import SaveSync

@Suite("Two simultaneous starts of one game", .timeLimit(.minutes(5)))
struct TakingTests {
    @Test("both starts get the lease, and keep it until both have ended")
    @Engine
    func both() async throws {
        let machine = try await SaveMachine.open("one")
        let set = try await machine.add(["slot": "chapter 1"])
        async let first = machine.engine.play(of: set).begin()
        async let second = machine.engine.play(of: set).begin()
        let games = [try await first, try await second]
        #expect(try machine.engine.report(of: set).play.isHere)
        // Play continues until the second game ends as well, in any order.
        try await machine.engine.play(of: set).end(game: games[1])
        #expect(try machine.engine.report(of: set).play.isHere && machine.engine.play(of: set).games == [games[0]])
        try await machine.engine.play(of: set).end(game: games[0])
        #expect(try !machine.engine.report(of: set).play.isHere)
        await machine.stop()
    }

    @Test("a start that waits for the lease while a game runs without it gets it, though that game ends first")
    @Engine
    func askedBesideGame() async throws {
        let shared = try await SharedSet.open()
        let (one, other) = (shared.one.engine, shared.other.engine)
        let game = try await other.play(of: shared.set).begin()
        let elsewhere = try await one.play(of: shared.set).begin(.forced)
        try await shared.other.next(in: shared.set) { if case .lease(.lost) = $0 { true } else { nil } }
        let waiting = Task { try await other.play(of: shared.set).begin(.asked) }
        try await shared.one.next(in: shared.set) { if case .lease(.requested) = $0 { true } else { nil } }
        try await other.play(of: shared.set).end(game: game)
        try await one.play(of: shared.set).end(game: elsewhere)
        let next = try await waiting.value
        #expect(try other.report(of: shared.set).play.isHere && other.play(of: shared.set).games == [next])
        await shared.stop()
    }

    /// Starts a game, and ends the program while it runs. Returns its number.
    @Engine
    private func endedPlaying(in folder: TemporaryFolder) async throws -> (set: SaveSetID, game: Int) {
        let machine = try await SaveMachine.open("one", in: folder)
        let set = try await machine.add(["slot": "chapter 1"])
        let game = try await machine.engine.play(of: set).begin()
        await machine.stop()
        return (set, game)
    }

    @Test("the end of a start from before a restart does not end the other one, which goes on")
    @Engine
    func afterRestart() async throws {
        let folder = TemporaryFolder.inMemory()
        let (set, before) = try await endedPlaying(in: folder)
        let machine = try await SaveMachine.open("one", in: folder)
        let other = try machine.engine.play(of: set).resume(for: .seconds(60)).game
        try await machine.engine.play(of: set).end(game: before)
        #expect(try machine.engine.report(of: set).play.isHere && machine.engine.play(of: set).games == [other])
        await machine.stop()
    }

    @Test("the other start gets the lease all the same if one of them gives up")
    @Engine
    func oneLeft() async throws {
        let machine = try await SaveMachine.open("one")
        let set = try await machine.add(["slot": "chapter 1"])
        let first = Task { try await machine.engine.play(of: set).begin() }
        let second = Task { try await machine.engine.play(of: set).begin() }
        while try machine.engine.games.game(set).machine.play.waiting != 2 { try await othersTurn() }
        first.cancel()
        await #expect(throws: (any Error).self) { try await first.value }
        _ = try await second.value
        #expect(
            try machine.engine.report(of: set).play.isHere && machine.engine.games.game(set).machine.play.waiting == 0
        )
        await machine.stop()
    }

    @Test("a start during the scan of a save plays on")
    @Engine
    func relaunched() async throws {
        let machine = try await SaveMachine.open("one")
        let set = try await machine.add(["slot": "chapter 1"])
        try await machine.engine.play(of: set).begin()
        let (busy, free) = (Resumption<Void>(), Resumption<Void>())
        let kept = try machine.engine.games.game(set)
        async let work: Void = kept.work.alone {
            busy.resume(with: .success(()))
            try? await free.value()
        }
        try await busy.value()
        let ending = Task { try await machine.engine.play(of: set).end() }
        for _ in 1...50 { await Task.yield() }
        try await machine.engine.play(of: set).begin()
        free.resume(with: .success(()))
        await work
        _ = try await ending.value
        #expect(try machine.engine.report(of: set).play.isHere)
        try await machine.engine.play(of: set).end()
        #expect(try !machine.engine.report(of: set).play.isHere)
        await machine.stop()
    }

    @Test("a start that has asked for the lease waits on, though another asks at once, and though a file is closed")
    @Engine
    func asked() async throws {
        let shared = try await SharedSet.open()
        let (one, other, set) = (shared.one.engine, shared.other.engine, shared.set)
        try await one.play(of: set).begin()
        try await shared.other.next(in: set) { if case .lease(.taken) = $0 { true } else { nil } }
        let kept = try other.games.game(set)
        kept.handle(.watch(.occupied(by: "celeste (7)")))
        let waiting = Task { try await other.play(of: set).begin(.asked) }
        try await shared.one.next(in: set) { if case .lease(.requested) = $0 { true } else { nil } }
        await #expect(throws: SaveSyncError.self) { try await other.play(of: set).begin() }
        kept.handle(.play(.filesClosed))
        kept.handle(.play(.savedWasRead))
        kept.play.endProgram()
        try await one.play(of: set).end()
        _ = try await waiting.value
        #expect(try other.report(of: set).play.isHere)
        await shared.stop()
    }

    @Test("a start that waits for the lease of a left game waits no longer")
    @Engine
    func left() async throws {
        let shared = try await SharedSet.open()
        try await shared.other.engine.play(of: shared.set).begin()
        try await shared.one.next(in: shared.set) { if case .lease(.taken) = $0 { true } else { nil } }
        let engine = shared.one.engine
        let kept = try engine.games.game(shared.set)
        let waiting = Task { @Engine in try await engine.play(of: shared.set).begin(.asked) }
        while kept.play.taking == nil { try await othersTurn() }
        try await engine.joining.leave(shared.set)
        await #expect(throws: SaveSyncError.self) { try await waiting.value }
        #expect(kept.machine.play.waiting == 0)
        await shared.stop()
    }

    @Test("a lease that no start waits for is not kept, though it was granted in that moment")
    @Engine
    func grantedInVain() async throws {
        let machine = try await SaveMachine.open("one")
        let set = try await machine.add(["slot": "chapter 1"])
        let kept = try machine.engine.games.game(set)
        kept.handle(.play(.forces))
        kept.play.giveUpTaking()
        #expect(try !machine.engine.report(of: set).play.isHere)
        await machine.stop()
    }
}
