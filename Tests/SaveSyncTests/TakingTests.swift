import LinuxPlatform
import SaveRules
import Session
import TestSupport
import Testing
import Vocabulary

@testable import SaveSync

@Suite("Two that begin the same game at once", .timeLimit(.minutes(5)))
struct TakingTests {
    @Test("both get the lease, and keep it until both are over")
    @Engine
    func both() async throws {
        let machine = try await SaveMachine.open("one")
        let set = try await machine.add(["slot": "chapter 1"])
        async let first = machine.keeper.beginPlaying(set)
        async let second = machine.keeper.beginPlaying(set)
        let games = [try await first, try await second]
        #expect(try machine.keeper.report(of: set).isPlayed)
        // The set is played until the second is over as well, whichever that is.
        try await machine.keeper.endPlaying(set, game: games[1])
        #expect(try machine.keeper.report(of: set).isPlayed && machine.keeper.games(of: set) == [games[0]])
        try await machine.keeper.endPlaying(set, game: games[0])
        #expect(try !machine.keeper.report(of: set).isPlayed)
        await machine.stop()
    }

    @Test("who waits for the lease where a game runs without it gets it, though that game ends first")
    @Engine
    func askedBesideGame() async throws {
        let shared = try await SharedSet.open()
        let (one, other) = (shared.one.keeper, shared.other.keeper)
        let game = try await other.beginPlaying(shared.set)
        let elsewhere = try await one.beginPlaying(shared.set, .forced)
        try await shared.other.next(in: shared.set) { if case .lease(.lost) = $0 { true } else { nil } }
        let waiting = Task { try await other.beginPlaying(shared.set, .asked) }
        try await shared.one.next(in: shared.set) { if case .lease(.requested) = $0 { true } else { nil } }
        try await other.endPlaying(shared.set, game: game)
        try await one.endPlaying(shared.set, game: elsewhere)
        let next = try await waiting.value
        #expect(try other.report(of: shared.set).isPlayed && other.games(of: shared.set) == [next])
        await shared.stop()
    }

    /// The number of a game that ran when the program ended.
    @Engine
    private func endedPlaying(in folder: TemporaryFolder) async throws -> (set: SaveSetID, game: Int) {
        let machine = try await SaveMachine.open("one", in: folder)
        let set = try await machine.add(["slot": "chapter 1"])
        let game = try await machine.keeper.beginPlaying(set)
        await machine.stop()
        return (set, game)
    }

    @Test("that one of them ends which was begun before a restart does not end the other that goes on")
    @Engine
    func afterRestart() async throws {
        let folder = TemporaryFolder.inMemory()
        let (set, before) = try await endedPlaying(in: folder)
        let machine = try await SaveMachine.open("one", in: folder)
        let other = try machine.keeper.goOnPlaying(set, for: .seconds(60)).game
        try await machine.keeper.endPlaying(set, game: before)
        #expect(try machine.keeper.report(of: set).isPlayed && machine.keeper.games(of: set) == [other])
        await machine.stop()
    }

    @Test("where one of them gives up, the other gets it all the same")
    @Engine
    func oneLeft() async throws {
        let machine = try await SaveMachine.open("one")
        let set = try await machine.add(["slot": "chapter 1"])
        let first = Task { try await machine.keeper.beginPlaying(set) }
        let second = Task { try await machine.keeper.beginPlaying(set) }
        while try machine.keeper.set(set).machine.play.waiting != 2 { try await othersTurn() }
        first.cancel()
        await #expect(throws: (any Error).self) { try await first.value }
        _ = try await second.value
        #expect(try machine.keeper.report(of: set).isPlayed && machine.keeper.set(set).machine.play.waiting == 0)
        await machine.stop()
    }

    @Test("who begins it anew while what was saved is read plays on")
    @Engine
    func relaunched() async throws {
        let machine = try await SaveMachine.open("one")
        let set = try await machine.add(["slot": "chapter 1"])
        try await machine.keeper.beginPlaying(set)
        let (busy, free) = (Resumption<Void>(), Resumption<Void>())
        let kept = try machine.keeper.set(set)
        async let work: Void = kept.work.alone {
            busy.resume(with: .success(()))
            try? await free.value()
        }
        try await busy.value()
        let ending = Task { try await machine.keeper.endPlaying(set) }
        for _ in 1...50 { await Task.yield() }
        try await machine.keeper.beginPlaying(set)
        free.resume(with: .success(()))
        await work
        _ = try await ending.value
        #expect(try machine.keeper.report(of: set).isPlayed)
        try await machine.keeper.endPlaying(set)
        #expect(try !machine.keeper.report(of: set).isPlayed)
        await machine.stop()
    }

    @Test("who has asked for it waits on, though another would like it at once, and though a file is closed")
    @Engine
    func asked() async throws {
        let shared = try await SharedSet.open()
        let (one, other, set) = (shared.one.keeper, shared.other.keeper, shared.set)
        try await one.beginPlaying(set)
        try await shared.other.next(in: set) { if case .lease(.taken) = $0 { true } else { nil } }
        let kept = try other.set(set)
        kept.handle(.watch(.occupied(by: "celeste (7)")))
        let waiting = Task { try await other.beginPlaying(set, .asked) }
        try await shared.one.next(in: set) { if case .lease(.requested) = $0 { true } else { nil } }
        await #expect(throws: SaveSyncError.self) { try await other.beginPlaying(set) }
        kept.handle(.play(.filesClosed))
        kept.handle(.play(.savedWasRead))
        kept.play.endProgram()
        try await one.endPlaying(set)
        _ = try await waiting.value
        #expect(try other.report(of: set).isPlayed)
        await shared.stop()
    }

    @Test("who waits for the lease of a set that is left waits no more")
    @Engine
    func left() async throws {
        let shared = try await SharedSet.open()
        try await shared.other.keeper.beginPlaying(shared.set)
        try await shared.one.next(in: shared.set) { if case .lease(.taken) = $0 { true } else { nil } }
        let keeper = shared.one.keeper
        let kept = try keeper.set(shared.set)
        let waiting = Task { @Engine in try await keeper.beginPlaying(shared.set, .asked) }
        while kept.play.taking == nil { try await othersTurn() }
        try await keeper.leave(shared.set)
        await #expect(throws: SaveSyncError.self) { try await waiting.value }
        #expect(kept.machine.play.waiting == 0)
        await shared.stop()
    }

    @Test("of what nobody waits for any more nothing is kept, though it was granted in that moment")
    @Engine
    func grantedInVain() async throws {
        let machine = try await SaveMachine.open("one")
        let set = try await machine.add(["slot": "chapter 1"])
        let kept = try machine.keeper.set(set)
        kept.handle(.play(.forces))
        kept.play.giveUpTaking()
        #expect(try !machine.keeper.report(of: set).isPlayed)
        await machine.stop()
    }
}
