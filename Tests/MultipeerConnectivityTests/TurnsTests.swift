import LinuxPlatform
import Session
import TestSupport
import Testing
import Vocabulary

@testable import MultipeerConnectivity

@Suite("Turns", .timeLimit(.minutes(1)))
@Engine
struct TurnsTests {
    private func client(_ number: UInt8) throws -> PeerID {
        try #require(PeerID(bytes: [UInt8](repeating: number, count: 32)))
    }

    @Test("come to each for whom something is done, however much there is to do for one of them, and for one in order")
    func fair() async throws {
        let turns = Turns(1, patience: .seconds(50))
        let (greedy, modest) = (try client(1), try client(2))
        let (begun, gate) = (Probe(false), Probe(false))
        let done = Probe<[String]>([])
        let first = Engine.begin {
            await turns.take(for: greedy) {
                begun.open()
                try? await gate.pass()
            }
        }
        try await begun.pass()
        var others: [Task<Void, Never>] = []
        for (who, name) in [(greedy, "a"), (greedy, "b"), (greedy, "c"), (modest, "x"), (modest, "y")] {
            others.append(Engine.begin { await turns.take(for: who) { done.record(name) } })
        }
        // They stand in line before the first has done.
        await EventLoop.shared.letOthersRun()
        gate.open()
        await first.value
        for other in others { await other.value }
        #expect(done.value == ["a", "x", "b", "y", "c"])
    }

    @Test("go on where one of them takes longer than it is waited for")
    func slow() async throws {
        let turns = Turns(1, patience: .milliseconds(20))
        let (slowest, next) = (try client(1), try client(2))
        let gate = Probe(false)
        let slow: Task<Void, Never> = Engine.begin { await turns.take(for: slowest) { try? await gate.pass() } }
        await EventLoop.shared.letOthersRun()
        await turns.take(for: next) {}
        gate.open()
        await slow.value
    }
}
