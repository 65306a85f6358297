import LinuxPlatform
import SessionRules
import Vocabulary

/// Brings a lost link back, for as long as somebody waits for it.
@Engine
final class Return {
    private let peer: PeerID
    /// Where it was last.
    let address: SocketAddress?
    private unowned let node: Node
    private var machine: Reconnection
    private var random = RandomNumbers()
    private var timer = MachineTimer()

    init(to link: Link, at node: Node) {
        peer = link.peer
        address = link.peerAddress
        self.node = node
        // Whoever can dial does. Where both can, the one that dialled before does at once, and crossed dials are settled.
        machine = Reconnection(
            dials: link.isDialler,
            pace: node.configuration.reconnection,
            at: .now,
            using: &random
        )
    }

    func begin() { setTimer() }

    func hint() { perform(machine.hinted(at: .now)) }

    func linkCameUp() {
        perform(machine.linkCameUp())
        end()
    }

    func end() {
        timer.cancel()
    }

    private func deadlinePassed() { perform(machine.deadlinePassed(at: .now)) }

    private func perform(_ actions: [Reconnection.Action]) {
        for action in actions {
            switch action {
            case .dial: dial()
            case .giveUp: node.giveUp(peer)
            }
        }
        setTimer()
    }

    private func dial() {
        node.crew.add { [weak self] in
            guard let self else { return }
            do {
                _ = try await self.node.link(to: .peer(self.peer))
            } catch {
                self.perform(self.machine.attemptFailed(at: .now, using: &self.random))
            }
        }
    }

    private func setTimer() {
        timer.set(for: self, at: machine.deadline) { $0.deadlinePassed() }
    }
}

extension Node {
    /// A lost peer did not come back.
    func giveUp(_ peer: PeerID) {
        returns.removeValue(forKey: peer)?.end()
        for member in members.values where member.peer == peer { drop(member, because: .lost) }
    }
}
