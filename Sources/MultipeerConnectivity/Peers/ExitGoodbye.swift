import Dispatch
import Glibc
import LinuxPlatform

/// Sends a goodbye for all peers of the program at its normal end, so that no peer waits for the reconnection of an
/// ended program.
@Engine
enum ExitGoodbye {
    private static var localNodes: [WeakNode] = []

    private struct WeakNode {
        weak let localNode: LocalPeerNode?
    }

    /// Time limit of the goodbyes at the program's end.
    private nonisolated static let patience = DispatchTimeInterval.seconds(2)

    /// A program that ends by a signal sends no goodbye.
    private nonisolated static let promise: Void = { atexit { @Sendable in say() } }()

    /// Adds a peer to those that send a goodbye.
    static func include(_ localNode: LocalPeerNode) {
        promise
        localNodes = localNodes.filter { $0.localNode != nil } + [WeakNode(localNode: localNode)]
    }

    private nonisolated static func say() {
        // The goodbye is sent on the engine's thread, which can't wait for itself.
        guard !EventLoop.shared.isCurrent else { return }
        let isSaid = DispatchSemaphore(value: 0)
        Engine.begin {
            let parting = localNodes.compactMap(\.localNode).map { localNode in Engine.begin { await localNode.part() }
            }
            for goodbye in parting { await goodbye.value }
            isSaid.signal()
        }
        _ = isSaid.wait(timeout: .now() + patience)
    }
}
