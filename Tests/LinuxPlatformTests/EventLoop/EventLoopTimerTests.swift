import Glibc
import LinuxPlatform
import Testing
import TestSupport

private struct Boom: Error {}

@Suite("EventLoop timers", .timeLimit(.minutes(5)))
struct EventLoopTimerTests {
    let loop = EventLoop(named: "timer loop")

    @Test(
        "Timers fire in the order of their deadlines, in whatever order they were set",
        arguments: [1, 2, 3] as [UInt64]
    )
    func order(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let seen = Probe<[Int]>([])
        let start = ContinuousClock.now
        for number in (0..<100).shuffled(using: &random) {
            loop.schedule(at: start + .microseconds(100 * number)) { seen.record(number) }
        }
        try await seen.wait { $0.count == 100 }
        let late = seen.value.enumerated().filter { $0.offset != $0.element }
        // A timer that was due when it was set may fire after a later one that was due, too.
        #expect(late.isEmpty || ContinuousClock.now - start > .milliseconds(5), "seed \(seed)")
    }

    @Test("Timers that become due together keep their order", arguments: [1, 2, 3] as [UInt64])
    func orderWhenDueTogether(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let seen = Probe<[Int]>([])
        let gate = BlockingGate()
        loop.perform { gate.pass() }
        let start = ContinuousClock.now
        for number in (0..<100).shuffled(using: &random) {
            loop.schedule(at: start + .microseconds(number / 2)) { seen.record(number / 2) }
        }
        gate.open()
        try await seen.wait { $0.count == 100 }
        #expect(seen.value == (0..<100).map { $0 / 2 }, "seed \(seed)")
    }

    @Test("A timer never fires early")
    func neverEarly() async throws {
        let early = Probe(0)
        let done = Probe(0)
        for number in 1...200 {
            let deadline = ContinuousClock.now + .microseconds(number * 37)
            loop.schedule(at: deadline) {
                if ContinuousClock.now < deadline { early.count() }
                done.count()
            }
        }
        try await done.wait { $0 == 200 }
        #expect(early.value == 0)
    }

    @Test("A timer in the past fires at once")
    func past() async throws {
        let done = Probe(false)
        loop.schedule(at: .now - .seconds(3_600)) { done.open() }
        try await done.pass()
    }

    @Test("A cancelled timer never fires, and the later one does")
    func cancelled() async throws {
        let seen = Probe<[String]>([])
        let first = loop.schedule(after: .milliseconds(5)) { seen.record("cancelled") }
        loop.schedule(after: .milliseconds(10)) { seen.record("kept") }
        first.cancel()
        first.cancel()
        try await seen.wait { $0.contains("kept") }
        #expect(seen.value == ["kept"])
    }

    @Test("An earlier timer that is set later fires first")
    func movesForward() async throws {
        let seen = Probe<[String]>([])
        let far = loop.schedule(after: .seconds(3_600)) { seen.record("far") }
        loop.schedule(after: .milliseconds(1)) { seen.record("near") }
        try await seen.wait { !$0.isEmpty }
        far.cancel()
        #expect(seen.value == ["near"])
    }

    // loop's thread                       queue
    // held by the gate                    a, b both become due
    // runs a, which cancels b             b is taken out
    // continues                            no timer is due
    @Test("A timer can cancel another one that is due in the same batch")
    func cancelledInBatch() async throws {
        let seen = Probe<[String]>([])
        let gate = BlockingGate()
        let second = Probe<ScheduledTimer?>(nil)
        loop.perform { gate.pass() }
        let start = ContinuousClock.now
        loop.schedule(at: start) {
            seen.record("a")
            second.value?.cancel()
        }
        let timer = loop.schedule(at: start + .nanoseconds(1)) { seen.record("b") }
        second.update { $0 = timer }
        loop.schedule(at: start + .nanoseconds(2)) { seen.record("c") }
        gate.open()
        try await seen.wait { $0.contains("c") }
        #expect(seen.value == ["a", "c"])
    }

    @Test("Ten thousand sleeping tasks all resume, none early")
    func tenThousandSleeps() async throws {
        let early = Probe(0)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<10_000 {
                group.addTask { [loop] in
                    let deadline = ContinuousClock.now + .microseconds(number % 1_000)
                    try await loop.sleep(until: deadline)
                    if ContinuousClock.now < deadline { early.count() }
                }
            }
            try await group.waitForAll()
        }
        #expect(early.value == 0)
    }

    @Test("A cancelled sleeping task resumes at once with CancellationError")
    func cancelledSleep() async throws {
        let loop = loop
        let task = Task { try await loop.sleep(for: .seconds(3_600)) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("A deadline forwards the result or error of its body")
    func deadlineKept() async throws {
        #expect(try await loop.withDeadline(.seconds(20), "answer") { 42 } == 42)
        await #expect(throws: Boom.self) { try await loop.withDeadline(.seconds(20), "answer") { throw Boom() } }
    }

    @Test("A deadline that passes cancels the body and names the operation")
    func deadlineMissed() async throws {
        let loop = loop
        let cancelled = Probe(false)
        await #expect(throws: SystemError("answer", ETIMEDOUT)) {
            try await loop.withDeadline(.milliseconds(1), "answer") {
                do {
                    try await loop.sleep(for: .seconds(3_600))
                } catch {
                    cancelled.open()
                    throw error
                }
            }
        }
        #expect(cancelled.value)
    }

    @Test("A caller that is cancelled gets CancellationError, not the deadline's error")
    func deadlineCancelled() async throws {
        let loop = loop
        let task = Task {
            try await loop.withDeadline(.seconds(3_600), "answer") { try await loop.sleep(for: .seconds(3_600)) }
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
