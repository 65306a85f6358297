import LinuxPlatform
import Ledger
import Vocabulary

/// Dials the paired machines that are offline each time this machine gets an address, such as that of a VPN that the
/// user turns on. A VPN carries no multicast, so no announcement shows that they can be reached now.
@Engine
struct OfflineDialling {
    let node: Node

    /// The least time between two rounds of dials. A new address works only after the kernel has its route.
    private static let settling: Duration = .seconds(1)

    /// Follows the networks of this machine until the task is cancelled.
    func run() async {
        guard let changes = try? InterfaceChanges(on: Engine.loop), let first = try? NetworkInterface.all() else {
            return
        }
        var known = Self.addresses(of: first)
        // The sequence ends with a cancellation, or in a kernel without interface messages.
        while let interfaces = try? await changes.next() {
            let addresses = Self.addresses(of: interfaces)
            let isNew = !addresses.isSubset(of: known)
            known = addresses
            guard isNew else { continue }
            guard (try? await Engine.loop.sleep(for: Self.settling)) != nil else { return }
            await dialOfflineMachines()
        }
    }

    private static func addresses(of interfaces: [NetworkInterface]) -> Set<IPAddress> {
        Set(interfaces.filter { $0.isRunning && !$0.isLoopback }.flatMap(\.addresses).filter { !$0.isLinkLocal })
    }

    private func dialOfflineMachines() async {
        guard !node.context.isStopping, let known = try? await node.context.store.peers().values else { return }
        for machine in known where machine.isPinned && machine.policy != .block && !node.isLinked(to: machine.id) {
            node.peers[machine.id]?.reconnector?.hint()
            node.whenFound(machine.id)
        }
    }
}
