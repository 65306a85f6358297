import Foundation
import LinuxPlatform
import Session
import SessionRules
import Transport
import Vocabulary

/// What runs in the name of one local peer: its node, those who look out for invitations, and its sessions.
@Engine
final class Station {
    nonisolated let id: PeerID
    nonisolated let displayName: String
    private let identity: Identity
    private let folder: PeerFolder

    private var opening: Task<Node, any Error>?
    private var life: Task<Void, Never>?
    private var isOver = false
    private var doors: [Door] = []
    private var cores: [WeakCore] = []
    /// What has come and may still lead to something.
    private var open: Set<InvitationID> = []
    /// What this peer has accepted and is not in yet.
    private var accepted: [InvitationID: Accepted] = [:]
    /// What the app has been asked and has not answered.
    private(set) var asked: [PeerID: (ReceivedInvitation, Envelope)] = [:]
    /// Who comes with an introduction that has not been heard of yet: the two travel different ways.
    private var early: [InvitationID: (invitation: ReceivedInvitation, envelope: Envelope)] = [:]

    /// How long an introduction may come after who was introduced.
    private static let introductionPatience = Duration.seconds(3)
    private static let earlyLimit = 64

    /// Where invitations for one kind of service are put before the app.
    final class Door: Sendable {
        let serviceType: String
        let ask: @Engine @Sendable (MCPeerID, Data?, Answer) -> Void
        let close: @Sendable () -> Void
        /// No machine sees the service now, and all that did have heard that it goes.
        let isClosed = Resumption<Void>()

        /// - Parameter close: hides the service from all machines from now on
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

    private struct Accepted {
        let core: SessionCore
        let peer: PeerID
        /// What the inviter called its session: that is how it is known again.
        let session: Label
    }

    nonisolated init(_ identity: Identity, _ displayName: String, _ folder: PeerFolder) {
        self.identity = identity
        self.displayName = displayName
        self.folder = folder
        id = identity.peerID
    }

    // MARK: Its node

    /// The node, which runs from now on.
    func node() async throws -> Node {
        if let opening { return try await opening.value }
        let opening = Engine.begin { try await self.open() }
        self.opening = opening
        do {
            return try await opening.value
        } catch {
            // A folder that can't be written to now may be later.
            self.opening = nil
            throw error
        }
    }

    /// Here everybody is a stranger until the app has let it in, which may take a person's time, and a whole party may play on one machine.
    private static let admission = Admission<Int, IPAddress>.Limits(
        overall: 512,
        perAddress: 256,
        perFamiliarAddress: 256
    )

    private func open() async throws -> Node {
        let name = try (try? InstanceName(displayName)) ?? InstanceName(id.short)
        var configuration = NodeConfiguration(folder: try folder.path(), name: name)
        // The app has said whom it wants; whether it is that one, the key says, and its certificate handler.
        configuration.meetsWithoutCodes = true
        configuration.advertises = false
        configuration.browses = false
        configuration.reconnection.patience = Self.reconnectionPatience
        configuration.admission = Self.admission
        configuration.shutdown = .init(drain: .seconds(1), parting: .seconds(1))
        let node = try await Node.open(configuration, as: identity)
        guard !isOver else { throw MCError(.unavailable, "the peer is gone") }
        Farewell.include(self)
        life = Engine.begin {
            async let running: Void = node.run()
            await self.follow(node)
            await running
        }
        return node
    }

    /// How long a peer that fell silent is waited for, before it is out.
    private static let reconnectionPatience = Duration.seconds(60)

    /// Nobody is this peer any more.
    nonisolated func end() {
        Engine.begin {
            self.isOver = true
            self.life?.cancel()
        }
    }

    /// Leaves everybody and ends. Returns when they have been told, or can't be.
    func part() async {
        isOver = true
        let doors = doors
        for door in doors { door.close() }
        for core in cores { core.core?.disconnect() }
        life?.cancel()
        await life?.value
        for door in doors { _ = try? await door.isClosed.value() }
    }

    private func follow(_ node: Node) async {
        while let event = await node.events.next() {
            switch event {
            case .invited(let invitation):
                open.insert(invitation.id)
                take(invitation)
            case .invitationOver(let invitation, let reason, _): isOver(invitation, because: reason)
            case .joined(let session, let peer): take(session, of: peer, at: node)
            // Whoever invited has the session from the invitation.
            case .letIntoOwn(let invitation, _, _): open.remove(invitation)
            case .code, .delivered, .linked, .unlinked, .keyChanged, .visibility, .trouble: break
            }
        }
    }

    private func take(_ session: Session, of peer: PeerID, at node: Node) {
        let name = session.configuration.name
        guard let (id, accepted) = accepted.first(where: { $0.value.peer == peer && $0.value.session == name }) else {
            return session.leave()
        }
        self.accepted[id] = nil
        open.remove(id)
        accepted.core.adopt(session, of: peer, at: node)
    }

    // MARK: Sessions and doors

    func add(_ core: SessionCore) {
        cores = cores.filter { $0.core != nil } + [WeakCore(core: core)]
    }

    func add(_ door: Door) {
        doors.append(door)
    }

    func remove(_ door: Door) {
        doors.removeAll { $0 === door }
        door.isClosed.resume(with: .success(()))
    }

    /// A core is together with a peer, by whatever way.
    func settled(_ core: SessionCore, _ peer: PeerID) {
        accepted = accepted.filter { $0.value.core !== core || $0.value.peer != peer }
    }

    /// A core has left everything: what it accepted comes to nothing.
    func forget(_ core: SessionCore) {
        accepted = accepted.filter { $0.value.core !== core }
    }

    // MARK: Being invited

    private func take(_ invitation: ReceivedInvitation) {
        guard let envelope = Envelope(invitation.context) else { return decline(invitation.id) }
        if let core = cores.lazy.compactMap(\.core).first(where: { $0.invites(invitation.peer) }) {
            // The two cross, and each side has said yes by inviting. Which one stays is the engine's matter: it asks here about the one that does.
            return core.accept(invitation, envelope)
        }
        switch envelope.purpose {
        case .invitation:
            guard let door = doors.last(where: { $0.serviceType == envelope.topic }) else {
                return decline(invitation.id)
            }
            asked[invitation.peer] = (invitation, envelope)
            let peer = MCPeerID(invitation.peer, displayName: envelope.displayName)
            door.ask(peer, envelope.context, Answer(self, invitation, envelope))
        case .introduction:
            if let core = expecting(invitation.peer, envelope) { return core.accept(invitation, envelope) }
            waitForIntroduction(invitation, envelope)
        }
    }

    private func expecting(_ peer: PeerID, _ envelope: Envelope) -> SessionCore? {
        cores.lazy.compactMap(\.core).first { $0.expects(peer, as: envelope.topic) }
    }

    private func waitForIntroduction(_ invitation: ReceivedInvitation, _ envelope: Envelope) {
        guard early.count < Self.earlyLimit else { return decline(invitation.id) }
        early[invitation.id] = (invitation, envelope)
        Engine.begin { [weak self] in
            try? await EventLoop.shared.sleep(for: Self.introductionPatience)
            guard let self, self.early.removeValue(forKey: invitation.id) != nil else { return }
            self.decline(invitation.id)
        }
    }

    /// Somebody has been introduced to a session: perhaps it waits already.
    func heardIntroductions() {
        for (id, waiting) in early {
            guard let core = expecting(waiting.invitation.peer, waiting.envelope) else { continue }
            early[id] = nil
            core.accept(waiting.invitation, waiting.envelope)
        }
    }

    /// The app invites somebody whose own invitation it has not answered yet: that is the answer.
    func takeAsked(_ peer: PeerID) -> (ReceivedInvitation, Envelope)? {
        if let asked = asked.removeValue(forKey: peer) { return asked }
        guard let waiting = early.first(where: { $0.value.invitation.peer == peer }) else { return nil }
        early[waiting.key] = nil
        return (waiting.value.invitation, waiting.value.envelope)
    }

    /// The app has answered. Only the first answer counts, and only as long as anybody waits for it.
    func answered(_ invitation: ReceivedInvitation, _ envelope: Envelope, _ core: SessionCore?) {
        guard isAwaited(invitation) else { return }
        asked[invitation.peer] = nil
        guard let core else { return decline(invitation.id) }
        core.accept(invitation, envelope)
    }

    /// Whether the inviter still waits for the app's answer.
    func isAwaited(_ invitation: ReceivedInvitation) -> Bool { asked[invitation.peer]?.0.id == invitation.id }

    func decline(_ invitation: InvitationID) {
        open.remove(invitation)
        answer(invitation, .decline)
    }

    /// Says yes. The session comes with the node's next word about it; that it is over may have been said already.
    func accept(_ invitation: ReceivedInvitation, for core: SessionCore) {
        guard open.contains(invitation.id) else {
            return core.acceptedInVain(invitation.id, because: .withdrawn)
        }
        accepted[invitation.id] = Accepted(core: core, peer: invitation.peer, session: invitation.sessionName)
        answer(invitation.id, .accept(typed: nil))
    }

    private func answer(_ invitation: InvitationID, _ answer: Node.Answer) {
        Engine.begin {
            try? await self.node().answer(invitation, answer)
        }
    }

    private func isOver(_ invitation: InvitationID, because reason: PartingReason) {
        open.remove(invitation)
        early[invitation] = nil
        asked = asked.filter { $0.value.0.id != invitation }
        accepted[invitation] = nil
        // A session may have accepted it that is still asking the app about the peer's certificate.
        for core in cores.compactMap(\.core) { core.acceptedInVain(invitation, because: reason) }
    }

    // MARK: Blocking

    /// From now on a peer gets no answer, and what there is with it ends.
    func block(_ peer: PeerID) async throws {
        asked[peer] = nil
        try await node().block(peer)
    }
}

/// What the app says to one invitation.
struct Answer: Sendable {
    private let station: Station
    private let invitation: ReceivedInvitation
    private let envelope: Envelope

    init(_ station: Station, _ invitation: ReceivedInvitation, _ envelope: Envelope) {
        self.station = station
        self.invitation = invitation
        self.envelope = envelope
    }

    /// Whether it still leads to anything.
    @Engine var isAwaited: Bool { station.isAwaited(invitation) }

    /// - Parameter session: where the inviter is to come in; nil declines
    func callAsFunction(_ session: MCSession?) {
        Engine.begin {
            station.answered(invitation, envelope, session?.core)
        }
    }
}
