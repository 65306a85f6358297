import LinuxPlatform
package import Session
import SessionRules

/// A node at work, from its beginning to its end, for the program that it works for.
package struct NodeRun: Sendable {
    private let node: Node
    private let running: Task<Void, Never>

    /// How long what hangs may take beyond the time that a node takes for its end, such as a call into Avahi's library.
    private static let slack: Duration = .seconds(1)

    /// Begins.
    package init(_ node: Node) {
        self.node = node
        running = Task(executorPreference: EventLoop.shared.taskExecutor) { await node.run() }
    }

    /// Lets the node take its leave. It has its times for that; whatever hangs beyond them is left behind.
    package func end() async {
        running.cancel()
        let ended = Resumption<Void>()
        let loop = EventLoop.shared
        let waiting = Task(executorPreference: loop.taskExecutor) {
            await running.value
            ended.resume(with: .success(()))
        }
        let timer = loop.schedule(after: node.configuration.patience.shutdown.overall + Self.slack) { @Sendable in
            ended.resume(with: .success(()))
        }
        // The program may be cancelled itself, and must still wait for this.
        try? await ended.value()
        timer.cancel()
        waiting.cancel()
    }
}
