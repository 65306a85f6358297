import Ledger
import LinuxPlatform
import SaveRules
@testable import SaveSync
import Session
import Synchronization
import TestSupport
import Testing
import Vocabulary

@Suite("A disk that gives no answer", .timeLimit(.minutes(2)))
struct SilentDiskTests {
    @Test("is told of, also by the sets that wait for it, until it does; what is kept can be looked at meanwhile")
    @Engine
    func told() async throws {
        let machine = try await SaveMachine.open("one") { $0.bounds.diskSilence = .milliseconds(200) }
        let (silent, other) = (try await machine.add(["slot": "a"]), try await machine.add(["slot": "b"], "doom"))
        let gate = BlockingGate()
        machine.place().beforeReading.withLock { $0 = { gate.pass() } }
        let keeper = machine.keeper
        let reading = [silent, other].map { set in Task { @Engine in try await keeper.read(set) } }
        for (set, words) in [(silent, "holds up all sets"), (other, "it is that of celeste")] {
            while try keeper.report(of: set).trouble?.error.code != SaveSyncError.silentDiskCode {
                try await othersTurn()
            }
            #expect(try keeper.report(of: set).trouble?.error.message.contains(words) == true)
        }
        let version = try #require(try machine.heads(of: silent).first)
        #expect(try await keeper.summaries(of: version, in: silent).isEmpty)
        gate.open()
        for task in reading { try await task.value }
        for set in [silent, other] { #expect(try keeper.report(of: set).trouble == nil) }
        await machine.stop()
    }

    @Test("is none that is only slow")
    @Engine
    func slow() async throws {
        let activity = Mutex<ThreadActivity?>(nil)
        let thread = EventLoop(named: "busy")
        await withCheckedContinuation { ready in
            thread.perform { @Sendable in
                activity.withLock { $0 = .current }
                ready.resume()
            }
        }
        let hasTold = Mutex(false)
        let vigil = DiskVigil(.seconds(1), activity.withLock { $0 }) { hasTold.withLock { $0 = true } }
        let end = ContinuousClock.now + .milliseconds(2_500)
        while .now < end { await withCheckedContinuation { done in thread.perform { @Sendable in done.resume() } } }
        #expect(!hasTold.withLock { $0 })
        while !hasTold.withLock({ $0 }) { try await othersTurn() }
        vigil.end()
    }
}
