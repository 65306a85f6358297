import SaveRules
@testable import SaveSync
import Session
import TestSupport
import Testing
import Vocabulary

@Suite("Two that begin the same game at once", .timeLimit(.minutes(5)))
struct TakingTests {
    @Test("both get the lease")
    @Engine
    func both() async throws {
        let machine = try await SaveMachine.open("one")
        let set = try await machine.add(["slot": "chapter 1"])
        async let first: Void = machine.keeper.beginPlaying(set)
        async let second: Void = machine.keeper.beginPlaying(set)
        try await first
        try await second
        #expect(try machine.keeper.report(of: set).isPlayed)
        await machine.stop()
    }

    @Test("where one of them gives up, the other gets it all the same")
    @Engine
    func oneLeft() async throws {
        let machine = try await SaveMachine.open("one")
        let set = try await machine.add(["slot": "chapter 1"])
        let first = Task { try await machine.keeper.beginPlaying(set) }
        let second = Task { try await machine.keeper.beginPlaying(set) }
        while machine.keeper.takers[set] != 2 { await Task.yield() }
        first.cancel()
        await #expect(throws: (any Error).self) { try await first.value }
        try await second.value
        #expect(try machine.keeper.report(of: set).isPlayed && machine.keeper.takers.isEmpty)
        await machine.stop()
    }
}
