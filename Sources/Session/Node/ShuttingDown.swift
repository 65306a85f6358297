import LinuxPlatform
import SessionRules
import Vocabulary

/// Ends a node in order, each step within its time.
@Engine
final class ShuttingDown {
    private let node: Node
    private var machine: Shutdown
    private var timer = MachineTimer()
    private let isClosed = Promise<Void>()

    init(_ node: Node) {
        self.node = node
        machine = Shutdown(patience: node.configuration.shutdown)
    }

    /// Returns when there is nothing left to end.
    func run() async {
        perform(machine.begin(isIdle: node.isIdle, at: .now))
        node.whenIdle = { [weak self] in
            guard let self else { return }
            self.perform(self.machine.drained(at: .now))
        }
        // The task is cancelled already, so that it must not ask for an ending that heeds that.
        await isClosed.settled()
        timer.cancel()
    }

    private func perform(_ actions: [Shutdown.Action]) {
        for action in actions {
            switch action {
            case .refuseNew: node.refuseNew()
            case .sayBye: sayBye()
            case .close: isClosed.settle(.success(()))
            }
        }
        setTimer()
    }

    private func sayBye() {
        for link in node.links.values { link.part(because: .shuttingDown) }
        node.crew.add {
            for link in self.node.links.values { await link.isOver.settled() }
            self.perform(self.machine.byesSent())
        }
    }

    private func setTimer() {
        timer.set(for: self, at: machine.deadline) { $0.perform($0.machine.deadlinePassed(at: .now)) }
    }
}

extension Node {
    /// Whether nothing is under way that would be a pity to break off.
    public var isIdle: Bool {
        closingLanes == 0 && outgoing.values.allSatisfy(\.isOver) && !incoming.values.contains { $0.isUnderWay }
    }

    /// Takes nothing new.
    func refuseNew() {
        isStopping = true
        for invitation in sentInvitations.values { invitation.withdraw(because: .shuttingDown) }
    }
}
