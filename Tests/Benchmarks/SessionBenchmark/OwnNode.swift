import LinuxPlatform
import Session
import SessionRules
import Transport
import Vocabulary

/// A running node of this process.
@Engine
final class OwnNode {
    let node: Node
    private let running: Task<Void, Never>

    static let port: UInt16 = 4800

    private init(_ node: Node) {
        self.node = node
        running = Task(executorPreference: EventLoop.shared.taskExecutor) { await node.run() }
    }

    static func open(_ folder: String, port: UInt16?, loopback: Bool = false) async throws -> OwnNode {
        let name = folder.split(separator: "/").last.map(String.init) ?? "node"
        var configuration = NodeConfiguration(folder: folder, name: try InstanceName(name))
        configuration.port = port
        configuration.address = loopback ? .v4(127, 0, 0, 1) : nil
        configuration.advertises = false
        configuration.browses = false
        // Dozens of nodes come from one address here.
        configuration.limits.admission.perAddress = 128
        configuration.limits.admission.overall = 256
        return OwnNode(try await Node.open(configuration))
    }

    func befriend(_ peer: PeerID) async throws {
        try await node.trust(peer)
        try await node.setPolicy(.accept, for: peer)
    }

    func session(_ name: String, _ topology: Topology = .star) throws -> Session {
        node.session(SessionConfiguration(name: try Label(name), topology: topology))
    }

    func nextJoined() async throws -> Session {
        while let event = await node.events.next() {
            if case .joined(let session, _) = event { return session }
        }
        throw BadWord(words: ["the node has stopped"])
    }

    func stop() async {
        running.cancel()
        await running.value
    }
}
