import LinuxPlatform
import Testing

@testable import Session

@Suite("The work of a node", .timeLimit(.minutes(5)))
@Engine
struct CrewTests {
    /// Runs until it is cancelled.
    private static func untilCancelled() async { try? await Resumption<Void>().valueUnlessCancelled() }

    /// Runs a task scope until the given job has begun, and then cancels the run.
    private func run(_ tasks: TaskScope, _ job: @escaping TaskScope.Job) async throws {
        let began = Resumption<Void>()
        tasks.add {
            began.resume(with: .success(()))
            await job()
        }
        let running = Task { await tasks.run() }
        try await began.value()
        running.cancel()
        await running.value
    }

    @Test("a task that ends with the node may leave work, and that is done")
    func lastWords() async throws {
        let tasks = TaskScope()
        var said: [String] = []
        try await run(tasks) {
            await Self.untilCancelled()
            tasks.add {
                said.append("how it ended")
                tasks.add { said.append("and what follows from that") }
            }
        }
        #expect(said == ["how it ended", "and what follows from that"])
    }

    @Test("a caller that waits for work that is added during the end gets its result")
    func waited() async throws {
        let tasks = TaskScope()
        try await run(tasks) {
            await Self.untilCancelled()
            // A job that ends in order waits, cancelled or not.
            let done = Promise<Void>()
            tasks.add { tasks.add { done.settle(.success(())) } }
            await done.settled()
        }
    }

    @Test("jobs that add one another for ever do not keep it from its end")
    func endless() async throws {
        let tasks = TaskScope()
        var count = 0
        @Engine func again() {
            count += 1
            tasks.add { again() }
        }
        try await run(tasks) {
            await Self.untilCancelled()
            again()
        }
        #expect(count < 20_000)
    }

    @Test("no job begins after its end, and the caller that adds one learns that")
    func afterwards() async throws {
        let tasks = TaskScope()
        try await run(tasks) {}
        #expect(!tasks.add { Issue.record("it began") })
    }
}
