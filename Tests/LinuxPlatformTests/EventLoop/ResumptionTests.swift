@testable import LinuxPlatform
import Testing
import TestSupport

private struct Boom: Error {}

@Suite("Resumption", .timeLimit(.minutes(5)))
struct ResumptionTests {
    @Test("A result before the wait is kept")
    func before() async throws {
        let resumption = Resumption<Int>()
        #expect(resumption.resume(with: .success(1)))
        #expect(try await resumption.value() == 1)
    }

    @Test("The first result counts and every later one is ignored")
    func first() async throws {
        let resumption = Resumption<Int>()
        #expect(resumption.resume(with: .failure(Boom())))
        #expect(!resumption.resume(with: .success(2)))
        #expect(!resumption.resume(with: .failure(CancellationError())))
        await #expect(throws: Boom.self) { try await resumption.value() }
    }

    // waiter            racer 0          racer 1          racer 2
    // value ...         resume(0)        resume(1)        resume(2)     all started by one gate
    // gets the winner's
    @Test("Exactly one of several racing threads wins, and the waiting task gets its result")
    func race() async throws {
        for _ in 0..<200 {
            let resumption = Resumption<Int>()
            let gate = BlockingGate()
            let winners = Probe<[Int]>([])
            async let value = resumption.value()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for racer in 0..<3 {
                    group.addTask {
                        try await runBlocking("racer") {
                            gate.pass()
                            if resumption.resume(with: .success(racer)) { winners.record(racer) }
                        }
                    }
                }
                gate.open()
                try await group.waitForAll()
            }
            #expect(try await [value] == winners.value)
        }
    }

    @Test("A wait that is cancelled while its event comes ends exactly once")
    func cancelAgainstEvent() async throws {
        let loop = EventLoop(named: "racing loop")
        let outcomes = Probe<[Bool]>([])
        for _ in 0..<500 {
            let (near, far) = BlockingSocket.pair()
            let task = Task {
                do {
                    try await loop.waitUntil(.readable, near.descriptor.number)
                    outcomes.record(true)
                } catch {
                    outcomes.record(false)
                }
            }
            loop.perform { try? far.send([1]) }
            task.cancel()
            await task.value
        }
        #expect(outcomes.value.count == 500)
    }

    @Test("Two tasks that wait for one result end the program")
    func twoWaiters() async {
        await #expect(processExitsWith: .failure) {
            let resumption = Resumption<Int>()
            async let first = resumption.value()
            async let second = resumption.value()
            _ = try await (first, second)
        }
    }
}

@Suite("runBlocking", .timeLimit(.minutes(5)))
struct RunBlockingTests {
    @Test("The result or error of the work is returned")
    func results() async throws {
        #expect(try await runBlocking("work") { 42 } == 42)
        await #expect(throws: Boom.self) { try await runBlocking("work") { throw Boom() } }
    }

    @Test("The work's captured objects are released before its return")
    func letsGo() async throws {
        final class Thing: Sendable {}
        func use() async throws -> () -> Thing? {
            let thing = Thing()
            try await runBlocking("work") { withExtendedLifetime(thing) {} }
            return { [weak thing] in thing }
        }
        for _ in 0..<2_000 { #expect(try await use()() == nil) }
    }

    @Test("More blocked threads than cores delay no other work")
    func manyBlocked() async throws {
        let gate = BlockingGate()
        try await withThrowingTaskGroup(of: Void.self) { group in
            let started = Probe(0)
            for _ in 0..<32 {
                group.addTask {
                    try await runBlocking("blocked") {
                        started.count()
                        gate.pass()
                    }
                }
            }
            try await started.wait { $0 == 32 }
            gate.open()
            try await group.waitForAll()
        }
    }

    @Test("A thread has its given name, cut to the kernel's limit")
    func names() async throws {
        let name = try await runBlocking("a rather long name") { OwnProcess.thread(OwnProcess.currentThread)?.name }
        #expect(name == "a rather long n")
    }
}
