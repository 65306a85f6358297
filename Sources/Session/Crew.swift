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

    /// Begins a job as soon as the loop comes to it. After the end of the run nothing begins any more.
    package func add(_ job: @escaping Job) {
        guard !isClosed else { return }
        waiting.append(job)
        wake?.resume(with: .success(()))
    }

    /// Runs jobs until the task is cancelled; then all of them are, and it returns when the last has ended.
    package func run() async {
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                for job in taken() { group.addTask { await job() } }
                await someJob()
            }
            isClosed = true
            waiting = []
            group.cancelAll()
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
