import LinuxPlatform
package import Session
import SessionRules

/// A running node, from its beginning to its end, for its program.
package struct NodeRun: Sendable {
    private let node: Node
    private let running: Task<Void, Never>

    /// Extra time for calls that hang, such as one into Avahi's library, beyond the time that a node takes for its end.
    private static let slack: Duration = .seconds(1)

    /// Starts the node.
    package init(_ node: Node) {
        self.node = node
        running = Task(executorPreference: EventLoop.shared.taskExecutor) { await node.run() }
    }

    /// Ends the node. The node has its own time limits; calls that hang beyond them are abandoned.
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
        // The task may be cancelled itself, and must still wait for this.
        try? await ended.value()
        timer.cancel()
        waiting.cancel()
    }
}
