import LinuxPlatform
import SessionRules
import Vocabulary

/// Ends a node in order, each step within its time limit.
@Engine
final class ShutdownSequence {
    private let owner: any ShutdownOwner
    private let tasks: TaskScope
    private var machine: Shutdown
    private var timer = MachineTimer()
    private let isClosed = Promise<Void>()

    init(_ owner: any ShutdownOwner, _ context: NodeContext) {
        (self.owner, tasks) = (owner, context.tasks)
        machine = Shutdown(patience: context.configuration.patience.shutdown)
    }

    /// Returns when the node can close.
    func run() async {
        perform(machine.begin(isIdle: owner.isIdle, at: .now))
        owner.whenIdle = { [weak self] in
            guard let self else { return }
            self.perform(self.machine.drained(at: .now))
        }
        // The task is cancelled already, so this wait must not end with that.
        await isClosed.settled()
        timer.cancel()
    }

    private func perform(_ actions: [Shutdown.Action]) {
        for action in actions {
            switch action {
            case .refuseNew: owner.refuseNew()
            case .sayBye: sayBye()
            case .close: isClosed.settle(.success(()))
            }
        }
        setTimer()
    }

    private func sayBye() {
        for link in owner.links { link.part(because: .shuttingDown) }
        tasks.add {
            for link in self.owner.links { await link.isOver.settled() }
            self.perform(self.machine.byesSent())
        }
    }

    private func setTimer() {
        timer.set(for: self, at: machine.deadline) { $0.perform($0.machine.deadlinePassed(at: .now)) }
    }
}

/// The node that ends.
@Engine
protocol ShutdownOwner: AnyObject, Sendable {
    /// True if no transfer is running that the end would break.
    var isIdle: Bool { get }
    var whenIdle: @Engine () -> Void { get set }
    var links: [Link] { get }
    func refuseNew()
}
