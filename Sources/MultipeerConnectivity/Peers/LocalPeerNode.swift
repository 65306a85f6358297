import Foundation
import LinuxPlatform
import Session
import SessionRules
import Transport
import Vocabulary

/// The running parts of one local peer: its engine node, its advertisers that receive invitations, and its sessions.
@Engine
final class LocalPeerNode {
    nonisolated let id: PeerID
    nonisolated let displayName: String
    private let identity: Identity
    private let folder: PeerFolder

    private var opening: Task<Node, any Error>?
    private var life: Task<Void, Never>?
    private var isOver = false
    private var services: [AdvertisedService] = []
    private var cores: [WeakCore] = []
    private(set) var received = ReceivedInvitations()

    /// Time for an introduction to arrive after the introduced peer.
    private static let introductionPatience = Duration.seconds(3)

    /// A service that delivers its invitations to the app.
    final class AdvertisedService: Sendable {
        let serviceType: String
        let ask: @Engine @Sendable (MCPeerID, Data?, Answer) -> Void
        let close: @Sendable () -> Void
        /// Resumed when no machine sees the service: all have received its goodbye.
        let isClosed = Resumption<Void>()

        /// - Parameter close: hides the service from all machines
        init(
            _ serviceType: String,
            ask: @escaping @Engine @Sendable (MCPeerID, Data?, Answer) -> Void,
            close: @escaping @Sendable () -> Void
        ) {
            self.serviceType = serviceType
            self.ask = ask
            self.close = close
        }
    }

    private struct WeakCore {
        weak let core: SessionCore?
    }

    nonisolated init(_ identity: Identity, _ displayName: String, _ folder: PeerFolder) {
        self.identity = identity
        self.displayName = displayName
        self.folder = folder
        id = identity.peerID
    }

    // MARK: Its node

    /// The running node, started if necessary.
    func node() async throws -> Node {
        if let opening { return try await opening.value }
        let opening = Engine.begin { try await self.open() }
        self.opening = opening
        do {
            return try await opening.value
        } catch {
            // A folder that is not writable now may be writable later.
            self.opening = nil
            throw error
        }
    }

    /// Limits for peers that the app has not accepted yet. Accepting may take the user's time, and a large group may
    /// play on one machine.
    private static let admission = Admission<Int, IPAddress>.Limits(
        overall: 512,
        perAddress: 256,
        perFamiliarAddress: 256
    )

    private func open() async throws -> Node {
        let name = try (try? InstanceName(displayName)) ?? InstanceName(id.short)
        var configuration = NodeConfiguration(folder: try folder.path(), name: name)
        // The app has named the peers that it wants; the key and the certificate handler identify them.
        configuration.meetsWithoutCodes = true
        configuration.advertises = false
        configuration.browses = false
        configuration.patience.reconnection.patience = Self.reconnectionPatience
        configuration.limits.admission = Self.admission
        configuration.patience.shutdown = .init(drain: .seconds(1), parting: .seconds(1))
        let node = try await Node.open(configuration, as: identity)
        guard !isOver else { throw MCError(.unavailable, "the peer is gone") }
        ExitGoodbye.include(self)
        life = Engine.begin {
            async let running: Void = node.run()
            await self.follow(node)
            await running
        }
        return node
    }

    /// Time to wait for a peer that stopped answering before it leaves.
    private static let reconnectionPatience = Duration.seconds(60)

    /// Ends the node when its peer is released.
    nonisolated func end() {
        Engine.begin {
            self.isOver = true
            self.life?.cancel()
        }
    }

    /// Leaves all peers and ends. Returns when they have received the goodbye, or can't receive it.
    func part() async {
        isOver = true
        let services = services
        for service in services { service.close() }
        for core in cores { core.core?.disconnect() }
        life?.cancel()
        await life?.value
        for service in services { _ = try? await service.isClosed.value() }
    }

    private func follow(_ node: Node) async {
        while let event = await node.events.next() {
            switch event {
            case .invited(let invitation):
                received.open.insert(invitation.id)
                take(invitation)
            case .invitationOver(let invitation, let reason, _): isOver(invitation, because: reason)
            case .joined(let session, let peer): take(session, of: peer, at: node)
            // The inviter has the session from its invitation.
            case .letIntoOwn(let invitation, _, _): received.open.remove(invitation)
            case .code, .delivered, .linked, .unlinked, .machinesChanged, .keyChanged, .visibility, .trouble: break
            }
        }
    }

    private func take(_ session: Session, of peer: PeerID, at node: Node) {
        let name = session.configuration.name
        guard let core = received.takeAccepted(of: peer, for: name) else { return session.leave() }
        core.adopt(session, of: peer, at: node)
    }

    // MARK: Sessions and services

    func add(_ core: SessionCore) {
        cores = cores.filter { $0.core != nil } + [WeakCore(core: core)]
    }

    func add(_ service: AdvertisedService) {
        services.append(service)
    }

    func remove(_ service: AdvertisedService) {
        services.removeAll { $0 === service }
        service.isClosed.resume(with: .success(()))
    }

    /// Removes the accepted invitations of a peer with which a core has connected in some way.
    func settled(_ core: SessionCore, _ peer: PeerID) {
        received.accepted = received.accepted.filter { $0.value.core !== core || $0.value.peer != peer }
    }

    /// Ends the accepted invitations of a core that has left all peers.
    func forget(_ core: SessionCore) {
        received.accepted = received.accepted.filter { $0.value.core !== core }
    }

    // MARK: Received invitations

    private func take(_ invitation: ReceivedInvitation) {
        guard let envelope = Envelope(invitation.context) else { return decline(invitation.id) }
        if let core = cores.lazy.compactMap(\.core).first(where: { $0.invites(invitation.peer) }) {
            // The two invitations cross, and both sides have agreed by inviting. The engine decides which one stays,
            // and asks about that one here.
            return core.accept(invitation, envelope)
        }
        switch envelope.purpose {
        case .invitation:
            guard let service = services.last(where: { $0.serviceType == envelope.topic }) else {
                return decline(invitation.id)
            }
            received.asked[invitation.peer] = (invitation, envelope)
            let peer = MCPeerID(invitation.peer, displayName: envelope.displayName)
            service.ask(peer, envelope.context, Answer(self, invitation, envelope))
        case .introduction:
            if let core = expecting(invitation.peer, envelope) { return core.accept(invitation, envelope) }
            waitForIntroduction(invitation, envelope)
        }
    }

    private func expecting(_ peer: PeerID, _ envelope: Envelope) -> SessionCore? {
        cores.lazy.compactMap(\.core).first { $0.expects(peer, as: envelope.topic) }
    }

    private func waitForIntroduction(_ invitation: ReceivedInvitation, _ envelope: Envelope) {
        guard received.addEarly(invitation, envelope) else { return decline(invitation.id) }
        Engine.begin { [weak self] in
            try? await EventLoop.shared.sleep(for: Self.introductionPatience)
            guard let self, self.received.early.removeValue(forKey: invitation.id) != nil else { return }
            self.decline(invitation.id)
        }
    }

    /// Called when a peer was introduced to a session: accepts the peer if it waits already.
    func heardIntroductions() {
        for (id, waiting) in received.early {
            guard let core = expecting(waiting.invitation.peer, waiting.envelope) else { continue }
            received.early[id] = nil
            core.accept(waiting.invitation, waiting.envelope)
        }
    }

    /// Takes the unanswered invitation of a peer that the app invites: inviting it is the answer.
    func takeAsked(_ peer: PeerID) -> (ReceivedInvitation, Envelope)? {
        received.takeAsked(peer)
    }

    /// Handles the app's answer. Only the first answer counts, and only while the inviter waits.
    func answered(_ invitation: ReceivedInvitation, _ envelope: Envelope, _ core: SessionCore?) {
        guard isAwaited(invitation) else { return }
        received.asked[invitation.peer] = nil
        guard let core else { return decline(invitation.id) }
        core.accept(invitation, envelope)
    }

    /// True if the inviter still waits for the app's answer.
    func isAwaited(_ invitation: ReceivedInvitation) -> Bool {
        received.asked[invitation.peer]?.invitation.id == invitation.id
    }

    func decline(_ invitation: InvitationID) {
        received.open.remove(invitation)
        answer(invitation, .decline)
    }

    /// Accepts an invitation. The session arrives with the node's next event about it; the event of its end may have
    /// come first.
    func accept(_ invitation: ReceivedInvitation, for core: SessionCore) {
        guard received.open.contains(invitation.id) else {
            return core.acceptedInvitationFailed(invitation.id, because: .withdrawn)
        }
        received.accepted[invitation.id] = .init(core: core, peer: invitation.peer, session: invitation.sessionName)
        answer(invitation.id, .accept(typed: nil))
    }

    private func answer(_ invitation: InvitationID, _ answer: Node.Answer) {
        Engine.begin {
            try? await self.node().answer(invitation, answer)
        }
    }

    private func isOver(_ invitation: InvitationID, because reason: PartingReason) {
        received.remove(invitation)
        // A session may have accepted it and still be asking the app about the peer's certificate.
        for core in cores.compactMap(\.core) { core.acceptedInvitationFailed(invitation, because: reason) }
    }

    // MARK: Blocking

    /// Blocks a peer: it gets no answers, and its memberships end.
    func block(_ peer: PeerID) async throws {
        received.asked[peer] = nil
        try await node().block(peer)
    }
}

/// The app's answer to one invitation.
struct Answer: Sendable {
    private let localNode: LocalPeerNode
    private let invitation: ReceivedInvitation
    private let envelope: Envelope

    init(_ localNode: LocalPeerNode, _ invitation: ReceivedInvitation, _ envelope: Envelope) {
        self.localNode = localNode
        self.invitation = invitation
        self.envelope = envelope
    }

    /// True if the inviter still waits.
    @Engine var isAwaited: Bool { localNode.isAwaited(invitation) }

    /// - Parameter session: the session for the inviter; nil declines
    func callAsFunction(_ session: MCSession?) {
        Engine.begin {
            localNode.answered(invitation, envelope, session?.core)
        }
    }
}
