import LinuxPlatform
import Session
import TestSupport
import Testing
import Vocabulary

@testable import MultipeerConnectivity

@Suite("Fair semaphore", .timeLimit(.minutes(1)))
@Engine
struct FairSemaphoreTests {
    private func client(_ number: UInt8) throws -> PeerID {
        try #require(PeerID(bytes: [UInt8](repeating: number, count: 32)))
    }

    @Test("Each client gets a turn, however many operations another has, and its own operations run in order")
    func fair() async throws {
        let semaphore = FairSemaphore(1, patience: .seconds(50))
        let (greedy, modest) = (try client(1), try client(2))
        let (begun, gate) = (Probe(false), Probe(false))
        let done = Probe<[String]>([])
        let first = Engine.begin {
            await semaphore.take(for: greedy) {
                begun.open()
                try? await gate.pass()
            }
        }
        try await begun.pass()
        var others: [Task<Void, Never>] = []
        for (who, name) in [(greedy, "a"), (greedy, "b"), (greedy, "c"), (modest, "x"), (modest, "y")] {
            others.append(Engine.begin { await semaphore.take(for: who) { done.record(name) } })
        }
        // All wait before the first has ended.
        await EventLoop.shared.letOthersRun()
        gate.open()
        await first.value
        for other in others { await other.value }
        #expect(done.value == ["a", "x", "b", "y", "c"])
    }

    @Test("Other operations continue if one exceeds the timeout")
    func slow() async throws {
        let semaphore = FairSemaphore(1, patience: .milliseconds(20))
        let (slowest, next) = (try client(1), try client(2))
        let gate = Probe(false)
        let slow: Task<Void, Never> = Engine.begin { await semaphore.take(for: slowest) { try? await gate.pass() } }
        await EventLoop.shared.letOthersRun()
        await semaphore.take(for: next) {}
        gate.open()
        await slow.value
    }
}
