import LinuxPlatform

/// The work that comes up while a node runs: children of its run, cancelled with it, and awaited before it ends.
@Engine
package final class Crew {
    package typealias Job = @Engine @Sendable () async -> Void

    private var waiting: [Job] = []
    private var wake: Resumption<Void>?
    private var isClosed = false

    /// Nothing runs yet.
    package init() {}

    /// Begins a job as soon as the loop comes to it. After the end of the run nothing begins any more, and this answers false.
    @discardableResult
    package func add(_ job: @escaping Job) -> Bool {
        guard !isClosed else { return false }
        waiting.append(job)
        wake?.resume(with: .success(()))
        return true
    }

    /// Runs jobs until the task is cancelled; then all of them are, and it returns when the last has ended.
    ///
    /// What was added by then, and what those who end add in turn, such as a note of how they ended, begins all the same: cancelled,
    /// as it would be had it begun a moment sooner.
    package func run() async {
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                for job in taken() { group.addTask { await job() } }
                await someJob()
            }
            for job in taken() { group.addTask { await job() } }
        }
        for _ in 0..<Self.lastRounds where !waiting.isEmpty { await finish(taken()) }
        isClosed = true
        waiting = []
    }

    /// Jobs that add one another for ever must not keep the run from its end.
    private static let lastRounds = 3

    private func finish(_ jobs: [Job]) async {
        await withDiscardingTaskGroup { group in
            for job in jobs { group.addTask { await job() } }
        }
    }

    private func taken() -> [Job] {
        defer { waiting = [] }
        return waiting
    }

    private func someJob() async {
        guard waiting.isEmpty else { return }
        let wake = Resumption<Void>()
        self.wake = wake
        // A cancelled wait ends the loop above.
        try? await wake.valueUnlessCancelled()
        self.wake = nil
    }
}
