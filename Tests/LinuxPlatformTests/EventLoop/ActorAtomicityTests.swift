import LinuxPlatform
import Testing
import TestSupport

/// The property on which every actor relies that stores a continuation of a waiting task.
private actor Waiting {
    private let loop: EventLoop
    private var count = 0
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(on loop: EventLoop) {
        self.loop = loop
    }

    /// True if other work of this actor ran between the line before a continuation and its body.
    func isUndisturbedOnTheWayIntoAContinuation() async -> Bool {
        let before = count
        loop.perform { self.disturb() }
        return await withCheckedContinuation { $0.resume(returning: count == before) }
    }

    func isUndisturbedOnTheWayIntoAFunction() async -> Bool {
        let before = count
        loop.perform { self.disturb() }
        return await inner(before)
    }

    func isUndisturbedOnTheWayIntoAnother(_ other: Waiting) async -> Bool {
        loop.perform { other.disturb() }
        return await other.inner(0)
    }

    private func inner(_ before: Int) async -> Bool { count == before }

    private nonisolated func disturb() { assumeIsolated { $0.count += 1 } }
}

// the task                       the loop's queue
// reads the state
// work that changes it stays queued
// body of the continuation       (not yet)
@Suite("Atomicity of actors on a loop", .timeLimit(.minutes(5)))
struct ActorAtomicityTests {
    let loop = EventLoop(named: "atomic loop")

    @Test("An actor is not interrupted by a task without a preferred executor")
    func plainTask() async {
        #expect(await areAllUndisturbed())
    }

    @Test("An actor is not interrupted by a task that prefers the loop")
    func preferringTask() async {
        await withTaskExecutorPreference(loop.taskExecutor) {
            #expect(await areAllUndisturbed())
        }
    }

    @Test("An actor is not interrupted by a task that prefers another loop")
    func preferringAnother() async {
        await withTaskExecutorPreference(EventLoop(named: "other loop").taskExecutor) {
            #expect(await areAllUndisturbed())
        }
    }

    @Test("An actor is not interrupted by a task that has just waited on the loop")
    func afterWaiting() async throws {
        let actor = Waiting(on: loop)
        for _ in 0..<100 {
            try await loop.sleep(for: .microseconds(10))
            #expect(await actor.isUndisturbedOnTheWayIntoAContinuation())
        }
    }

    private func areAllUndisturbed() async -> Bool {
        for _ in 0..<100 {
            let (actor, other) = (Waiting(on: loop), Waiting(on: loop))
            guard await actor.isUndisturbedOnTheWayIntoAContinuation() else { return false }
            guard await actor.isUndisturbedOnTheWayIntoAFunction() else { return false }
            guard await actor.isUndisturbedOnTheWayIntoAnother(other) else { return false }
        }
        return true
    }
}
