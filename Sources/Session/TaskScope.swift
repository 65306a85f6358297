package import LinuxPlatform

/// A scope for tasks of a node. Its run cancels them when it is cancelled, and waits for their end.
@Engine
package final class TaskScope {
    package typealias Job = @Engine @Sendable () async -> Void

    private var waiting: [Job] = []
    private var wake: Resumption<Void>?
    private var isClosed = false
    private var isEnding = false
    private var running = 0

    /// Creates an empty scope.
    package init() {}

    /// Begins a job as soon as the loop comes to it. After the end of the run no job begins; then this returns false.
    @discardableResult
    package func add(_ job: @escaping Job) -> Bool {
        guard !isClosed else { return false }
        waiting.append(job)
        wake?.resume(with: .success(()))
        return true
    }

    /// Runs jobs until the task is cancelled. Then all jobs are cancelled, and the run returns when the last has ended.
    ///
    /// Jobs that are in the queue by then still begin, cancelled. So do jobs that ending ones add, such as an audit
    /// entry. Otherwise a caller that waits for an added job would wait for ever.
    package func run() async {
        await withDiscardingTaskGroup { group in
            var late = 0
            while true {
                let count = begin(in: &group)
                isEnding = Task.isCancelled
                if isEnding { late += count }
                // Jobs that add each other for ever must not keep the run from its end.
                if late > Self.lateLimit { isClosed = true }
                if isEnding, running == 0, waiting.isEmpty { break }
                await somethingNew()
            }
        }
        isClosed = true
    }

    private static let lateLimit = 10_000

    private func perform(_ job: Job) async {
        await job()
        running -= 1
        if isEnding { wake?.resume(with: .success(())) }
    }

    /// Begins the waiting jobs, and returns their number. It keeps none of them. The run may wait for hours for the
    /// next job, and a job of a finished transfer holds all of its memory.
    private func begin(in group: inout DiscardingTaskGroup) -> Int {
        let jobs = waiting
        waiting = []
        for job in jobs {
            running += 1
            group.addTask { await self.perform(job) }
        }
        return jobs.count
    }

    /// Waits for a job, or, once the task is cancelled, for the end of one.
    private func somethingNew() async {
        guard waiting.isEmpty else { return }
        let wake = Resumption<Void>()
        self.wake = wake
        // The end begins with a cancelled wait.
        if isEnding { try? await wake.value() } else { try? await wake.valueUnlessCancelled() }
        self.wake = nil
    }
}
