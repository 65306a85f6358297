import Glibc
import LinuxPlatform
import Testing
import TestSupport

private actor Owner {
    private let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    init(named name: String) { loop = EventLoop(named: name) }
    func touch() {}
}

/// Waits for threads to go. The kernel tells nobody of it, so this asks again and again.
private func waitUntilGone(_ name: String) {
    let deadline = ContinuousClock.now + .seconds(20)
    while OwnProcess.threads().contains(where: { $0.name == name }) {
        precondition(ContinuousClock.now < deadline, "the thread \(name) did not end")
        sched_yield()
    }
}

/// Most in processes of their own, where no other test opens descriptors meanwhile.
@Suite("EventLoop's life", .timeLimit(.minutes(5)))
struct EventLoopLifetimeTests {
    @Test("a loop let go takes its thread and its descriptors with it")
    func ends() async {
        await #expect(processExitsWith: .success) {
            let before = OwnProcess.descriptors().count
            var loops = (0..<100).map { _ in EventLoop(named: "mortal") }
            let done = Probe(0)
            for loop in loops { loop.perform { done.count() } }
            try await done.wait { $0 == 100 }
            precondition(OwnProcess.descriptors().count >= before + 300)
            precondition(OwnProcess.threads().count { $0.name == "mortal" } == 100)
            loops = []
            waitUntilGone("mortal")
            // A few more than before: the language's own threads open some meanwhile.
            precondition(OwnProcess.descriptors().count < before + 10)
        }
    }

    @Test("a loop whose thread never got to run ends too")
    func endsBeforeItBegan() async {
        await #expect(processExitsWith: .success) {
            for _ in 0..<200 { _ = EventLoop(named: "stillborn") }
            waitUntilGone("stillborn")
        }
    }

    @Test("a loop ends that only its actor holds, even when the actor's last job lets go")
    func endsWithItsActor() async {
        await #expect(processExitsWith: .success) {
            for _ in 0..<200 { await Owner(named: "owned").touch() }
            waitUntilGone("owned")
        }
    }

    @Test("a loop lives while somebody sleeps on it, watches with it or runs a task on it")
    func livesWhileUsed() async {
        await #expect(processExitsWith: .success) {
            var loop: EventLoop? = EventLoop(named: "needed")
            let task = loop.map {
                // because a task that sleeps elsewhere and comes back is what is looked at
                Task(executorPreference: $0.taskExecutor) { try await Task.sleep(for: .milliseconds(5)) }
            }
            let sleeper = loop.map { loop in Task { try await loop.sleep(for: .milliseconds(10)) } }
            loop = nil
            try await task?.value
            try await sleeper?.value
            waitUntilGone("needed")
        }
    }

    @Test("a loop with an idle connection and a far timer is not woken")
    func idle() async throws {
        let loop = EventLoop(named: "idle loop")
        let pair = try await LoopbackPair(on: loop)
        let timer = loop.schedule(after: .seconds(3_600)) {}
        let thread = Probe(0)
        loop.perform { thread.update { $0 = OwnProcess.currentThread } }
        let id = try await thread.wait { $0 != 0 }
        // By the time another loop's timer has come, this one has gone to sleep.
        try await EventLoop.shared.sleep(for: .milliseconds(50))
        let before = try #require(OwnProcess.thread(id)).voluntarySwitches
        try await EventLoop.shared.sleep(for: .milliseconds(500))
        #expect(try #require(OwnProcess.thread(id)).voluntarySwitches == before)
        timer.cancel()
        withExtendedLifetime(pair) {}
    }
}
