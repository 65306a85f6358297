import Ledger
import LinuxPlatform
import SessionRules
import TestSupport
import Testing
import Vocabulary

@testable import Session

/// A running node on the loopback with a folder of its own.
@Engine
final class TestNode {
    let node: Node
    let folder: TemporaryFolder
    private let running: Task<Void, Never>

    private init(_ node: Node, _ folder: TemporaryFolder) {
        self.node = node
        self.folder = folder
        running = Task(executorPreference: EventLoop.shared.taskExecutor) { await node.run() }
    }

    static func open(
        _ name: String,
        in folder: TemporaryFolder? = nil,
        _ change: (inout NodeConfiguration) -> Void = { _ in }
    ) async throws -> TestNode {
        let folder = folder ?? TemporaryFolder()
        var configuration = NodeConfiguration(folder: folder.path + "/huddle", name: try InstanceName(name))
        configuration.address = .v4(127, 0, 0, 1)
        configuration.advertises = false
        configuration.browses = false
        configuration.patience.shutdown = .init(drain: .milliseconds(50), parting: .seconds(1))
        change(&configuration)
        return TestNode(try await Node.open(configuration), folder)
    }

    var id: PeerID { node.id }
    var address: HostAndPort { get throws { try HostAndPort("127.0.0.1:\(node.port)") } }

    func session(_ name: String = "chat", _ topology: Topology = .mesh) throws -> Session {
        node.session(SessionConfiguration(name: try Label(name), topology: topology))
    }

    /// - Parameter atOnce: true to cut the links as if the process had been killed
    func stop(atOnce: Bool = false) async {
        if atOnce {
            node.isStopping = true
            for link in node.links { link.cut(because: .shuttingDown) }
        }
        running.cancel()
        await running.value
    }

    /// The next value that the choice makes of an event.
    func next<Value>(_ choice: (NodeEvent) -> Value?) async throws -> Value {
        while let event = await node.events.next() {
            if let value = choice(event) { return value }
        }
        throw SessionError(.shuttingDown)
    }

    func nextInvitation() async throws -> ReceivedInvitation {
        try await next { if case .invited(let invitation) = $0 { invitation } else { nil } }
    }

    func nextJoined() async throws -> Session {
        try await next { if case .joined(let session, _) = $0 { session } else { nil } }
    }

    func nextCode() async throws -> (InvitationID, PairingCode) {
        try await next { if case .code(let id, _, _, let code) = $0 { (id, code) } else { nil } }
    }

    /// The outcome of an invitation.
    func outcome(
        of other: TestNode,
        into session: Session,
        patience: Duration = .seconds(30)
    ) async -> Result<PeerID, any Error> {
        do {
            return .success(try await node.invite(.address(try other.address), to: session, patience: patience))
        } catch {
            return .failure(error)
        }
    }

    /// Makes each trust the other's key, as after pairing.
    func befriend(_ other: TestNode) async throws {
        for (one, two) in [(self, other), (other, self)] {
            try await one.node.trust(two.id, named: two.node.configuration.name)
            try await one.node.setPolicy(.accept, for: two.id)
        }
    }

    /// Connects two paired machines in one session.
    func connect(to other: TestNode, _ topology: Topology = .mesh) async throws -> (here: Session, there: Session) {
        try await befriend(other)
        let here = try session(topology: topology)
        try await node.invite(.address(try other.address), to: here)
        return (here, try await other.nextJoined())
    }

    private func session(topology: Topology) throws -> Session { try session("chat", topology) }
}

extension Node {
    var members: [Member] { peers.values.flatMap { Array($0.members) } }
    var sentInvitations: [InvitationID: SentInvitation] { merged(\.invitations.sent) }
    var receivedInvitations: [InvitationID: IncomingRequest] { merged(\.invitations.received) }
    var arrivedInvites: [PeerID: [PeerInvitations.Arrived]] { peers.compactMapValues(\.invitations.arrived) }
    var outgoing: [TransferID: OutgoingResource] { merged(\.transfers.outgoing) }
    var incoming: [TransferID: IncomingResource] { merged(\.transfers.incoming) }

    var isStopping: Bool {
        get { context.isStopping }
        set { context.phase = newValue ? .stopping : .running }
    }

    private func merged<Key, Value>(_ part: (Peer) -> [Key: Value]) -> [Key: Value] {
        peers.values.map(part).reduce(into: [:]) { $0.merge($1) { first, _ in first } }
    }
}

extension Session {
    /// The next value that the choice makes of an event.
    func next<Value>(_ choice: (SessionEvent) -> Value?) async throws -> Value {
        while let event = await events.next() {
            if let value = choice(event) { return value }
        }
        throw SessionError(.shuttingDown)
    }

    func nextMessage() async throws -> Message {
        try await next { if case .message(let message) = $0 { message } else { nil } }
    }

    func nextResource() async throws -> IncomingResource {
        try await next { if case .resource(let resource) = $0 { resource } else { nil } }
    }

    func nextStream() async throws -> IncomingStream {
        try await next { if case .stream(let stream) = $0 { stream } else { nil } }
    }

    func nextDeparture() async throws -> PartingReason {
        try await next { if case .departed(_, let reason) = $0 { reason } else { nil } }
    }
}
