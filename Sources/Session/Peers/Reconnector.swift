import LinuxPlatform
import SessionRules
import Vocabulary

/// Dials a lost peer again, for as long as a session waits for it.
@Engine
final class Reconnector {
    /// The address of the last link.
    let address: SocketAddress?
    private weak var owner: (any ReconnectorOwner)?
    private let tasks: TaskScope
    private var machine: Reconnection
    private var random = RandomNumbers()
    private var timer = MachineTimer()

    init(after link: Link, _ context: NodeContext, owner: any ReconnectorOwner) {
        address = link.peerAddress
        tasks = context.tasks
        self.owner = owner
        // The side that can dial does. If both can, the side that dialled before dials at once; crossed dials are
        // resolved later.
        machine = Reconnection(
            dials: link.isDialler,
            pace: context.configuration.patience.reconnection,
            at: .now,
            using: &random
        )
    }

    func begin() { setTimer() }

    /// Dials soon, because a new address of the peer is known.
    func hint() { perform(machine.hinted(at: .now)) }

    func handleNewLink() {
        perform(machine.linkCameUp())
        end()
    }

    func end() {
        timer.cancel()
    }

    private func perform(_ actions: [Reconnection.Action]) {
        for action in actions {
            switch action {
            case .dial: dial()
            case .giveUp: owner?.abandonReconnection()
            }
        }
        setTimer()
    }

    private func dial() {
        tasks.add { [weak self] in
            guard let self, let owner = self.owner else { return }
            do {
                try await owner.redial()
            } catch {
                self.perform(self.machine.attemptFailed(at: .now, using: &self.random))
            }
        }
    }

    private func setTimer() {
        timer.set(for: self, at: machine.deadline) { $0.perform($0.machine.deadlinePassed(at: .now)) }
    }
}

/// The owner of a reconnector: the peer.
@Engine
protocol ReconnectorOwner: AnyObject, Sendable {
    func redial() async throws
    func abandonReconnection()
}
