import LinuxPlatform
import Testing
import TestSupport

private actor Pinned {
    let loop: EventLoop
    private(set) var count = 0

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(on loop: EventLoop) {
        self.loop = loop
    }

    func add() { count += 1 }

    nonisolated func addWithoutHop() { assumeIsolated { $0.add() } }

    func isOnItsLoop() -> Bool { loop.isCurrent }

    func staysOnItsLoop() async throws -> Bool {
        let before = loop.isCurrent
        try await loop.sleep(for: .milliseconds(1))
        return before && loop.isCurrent
    }
}

@Suite("EventLoop", .timeLimit(.minutes(5)))
struct EventLoopTests {
    let loop = EventLoop(named: "test loop")

    @Test("Work runs in its order, on the loop's thread")
    func order() async throws {
        let seen = Probe<[Int]>([])
        let wrongThread = Probe(0)
        for number in 0..<1_000 {
            loop.perform { [loop] in
                if !loop.isCurrent { wrongThread.count() }
                seen.record(number)
            }
        }
        try await seen.wait { $0.count == 1_000 }
        #expect(seen.value == Array(0..<1_000))
        #expect(wrongThread.value == 0)
        #expect(!loop.isCurrent)
    }

    @Test("Work that work adds runs after queued work")
    func nestedOrder() async throws {
        let seen = Probe<[String]>([])
        let gate = BlockingGate()
        loop.perform { [loop] in
            gate.pass()
            loop.perform { seen.record("nested") }
            seen.record("first")
        }
        loop.perform { seen.record("second") }
        gate.open()
        try await seen.wait { $0.count == 3 }
        #expect(seen.value == ["first", "second", "nested"])
    }

    @Test("All work of many threads runs, that of each thread in order")
    func manyThreads() async throws {
        let (threads, each) = (8, 2_000)
        let seen = Probe<[[Int]]>(Array(repeating: [], count: threads))
        let done = Probe(0)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for thread in 0..<threads {
                group.addTask { [loop] in
                    try await runBlocking("enqueuer \(thread)") {
                        for number in 0..<each { loop.perform { seen.update { $0[thread].append(number) } } }
                        loop.perform { done.count() }
                    }
                }
            }
            try await group.waitForAll()
        }
        try await done.wait { $0 == threads }
        #expect(seen.value == Array(repeating: Array(0..<each), count: threads))
    }

    @Test("An actor pinned to a loop runs on its thread, before and after waiting")
    func pinnedActor() async throws {
        let actor = Pinned(on: loop)
        #expect(await actor.isOnItsLoop())
        #expect(try await actor.staysOnItsLoop())
    }

    @Test("Many tasks that call one pinned actor lose no call")
    func pinnedActorUnderLoad() async {
        let actor = Pinned(on: loop)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<5_000 { group.addTask { await actor.add() } }
        }
        #expect(await actor.count == 5_000)
    }

    @Test("A handler on the loop may use its actors without a hop")
    func assumeIsolated() async throws {
        let actor = Pinned(on: loop)
        let done = Probe(false)
        loop.perform {
            actor.addWithoutHop()
            done.open()
        }
        try await done.pass()
        loop.schedule(after: .zero) {
            actor.addWithoutHop()
        }
        #expect(await eventually(actor, counts: 2))
    }

    @Test("Using an actor from another thread as if on its loop ends the program")
    func assumeIsolatedElsewhere() async {
        await #expect(processExitsWith: .failure) {
            let actor = Pinned(on: EventLoop(named: "elsewhere"))
            actor.addWithoutHop()
        }
    }

    @Test("A task that prefers a loop runs on it, also in functions without an actor")
    func taskExecutor() async throws {
        let loop = loop
        let stayed = try await Task(executorPreference: loop.taskExecutor) {
            let before = loop.isCurrent
            try await loop.sleep(for: .milliseconds(1))
            return before && loop.isCurrent
        }.value
        #expect(stayed)
        #expect(await withTaskExecutorPreference(loop.taskExecutor) { await isCurrent(loop) })
    }

    @Test("Two actors on two loops can call each other back and forth")
    func twoLoops() async {
        let (left, right) = (Pinned(on: loop), Pinned(on: EventLoop(named: "other loop")))
        for _ in 0..<500 {
            await left.add()
            await right.add()
        }
        #expect(await (left.count, right.count) == (500, 500))
    }

    private func eventually(_ actor: Pinned, counts expected: Int) async -> Bool {
        while await actor.count < expected { await Task.yield() }
        return await actor.count == expected
    }
}

private func isCurrent(_ loop: EventLoop) async -> Bool { loop.isCurrent }
