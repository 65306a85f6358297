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

/// Waits until threads have ended. The kernel sends no event for it, so this polls.
private func waitUntilGone(_ name: String) {
    let deadline = ContinuousClock.now + .seconds(20)
    while OwnProcess.threads().contains(where: { $0.name == name }) {
        precondition(ContinuousClock.now < deadline, "the thread \(name) did not end")
        sched_yield()
    }
}

/// Mostly in processes of their own, where no other test opens descriptors meanwhile.
@Suite("EventLoop lifetime", .timeLimit(.minutes(5)))
struct EventLoopLifetimeTests {
    @Test("A released loop ends its thread and closes its descriptors")
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
            // A few more than before: Swift's own threads open some meanwhile.
            precondition(OwnProcess.descriptors().count < before + 10)
        }
    }

    @Test("A loop whose thread never ran ends, too")
    func endsBeforeItBegan() async {
        await #expect(processExitsWith: .success) {
            for _ in 0..<200 { _ = EventLoop(named: "stillborn") }
            waitUntilGone("stillborn")
        }
    }

    @Test("A loop that only its actor holds ends, even if the actor's last job releases it")
    func endsWithItsActor() async {
        await #expect(processExitsWith: .success) {
            for _ in 0..<200 { await Owner(named: "owned").touch() }
            waitUntilGone("owned")
        }
    }

    @Test("A loop lives while a task sleeps, watches or runs on it")
    func livesWhileUsed() async {
        await #expect(processExitsWith: .success) {
            var loop: EventLoop? = EventLoop(named: "needed")
            let task = loop.map {
                // because a task that sleeps elsewhere and returns is the subject
                Task(executorPreference: $0.taskExecutor) { try await Task.sleep(for: .milliseconds(5)) }
            }
            let sleeper = loop.map { loop in Task { try await loop.sleep(for: .milliseconds(10)) } }
            loop = nil
            try await task?.value
            try await sleeper?.value
            waitUntilGone("needed")
        }
    }

    @Test("A loop with an idle connection and a far timer is not woken")
    func idle() async throws {
        let loop = EventLoop(named: "idle loop")
        let pair = try await LoopbackPair(on: loop)
        let timer = loop.schedule(after: .seconds(3_600)) {}
        let thread = Probe(0)
        loop.perform { thread.update { $0 = OwnProcess.currentThread } }
        let id = try await thread.wait { $0 != 0 }
        // When another loop's timer fires, this one sleeps.
        try await EventLoop.shared.sleep(for: .milliseconds(50))
        let before = try #require(OwnProcess.thread(id)).voluntarySwitches
        try await EventLoop.shared.sleep(for: .milliseconds(500))
        #expect(try #require(OwnProcess.thread(id)).voluntarySwitches == before)
        timer.cancel()
        withExtendedLifetime(pair) {}
    }
}
