import Foundation
import LinuxPlatform
import Session
import SessionRules
import Vocabulary

/// The implementation of a session: its peers, each an engine session of two, and how they form a mesh.
///
/// Each two members share a session of two. That way a peer's certificate is checked before it joins, two groups can
/// merge, and a member that leaves ends no other connection.
@Engine
final class SessionCore {
    nonisolated let localNode: LocalPeerNode
    nonisolated let profile: Profile
    nonisolated let delegateQueue: DelegateQueue
    nonisolated let roster = PeerRoster()
    /// Receiver of events.
    weak var session: MCSession?
    /// Maximum number of peers, including this one; nil is no limit.
    var maximumNumberOfPeers: Int?
    /// Time for joining peers to arrive before this side asks others about them: as long as a large group needs to form
    /// on a busy machine.
    var comingPatience = Duration.seconds(20)

    private(set) var members: [PeerID: SessionPeer] = [:]
    /// Names this side of the session. It changes with each leaving, so that no peer comes by an old introduction.
    private(set) var token = UUID().uuidString
    /// Introduced peers and tokens, by introducing member: another member while it is one, or this side.
    var introductions: [PeerID: Introductions] = [:]
    let mesh = MeshConnector()

    /// Time for an app to judge a certificate without asking the user.
    private static let verdictPatience = Duration.seconds(1)

    nonisolated init(_ localNode: LocalPeerNode, _ profile: Profile) {
        self.localNode = localNode
        self.profile = profile
        delegateQueue = DelegateQueue(for: profile.displayName)
    }

    /// True if no further peer can join.
    var isFull: Bool {
        maximumNumberOfPeers.map { limit in members.values.count(where: \.takesPlace) + 1 >= limit } ?? false
    }

    func member(_ peer: MCPeerID) -> SessionPeer {
        if let member = members[peer.id] { return member }
        let member = SessionPeer(peer)
        members[peer.id] = member
        return member
    }

    /// Changes a peer's state and reports it. Every change uses this method.
    func change(_ member: SessionPeer, to state: MCSessionState, because reason: PartingReason? = nil) {
        guard member.state != state else { return }
        member.state = state
        if state == .notConnected {
            member.ending = reason
            member.end()
            introductions[member.peer.id] = nil
            if members[member.peer.id] === member { members[member.peer.id] = nil }
            roster.remove(member.peer)
        } else {
            roster.set(
                .init(peer: member.peer, state: state, sendQueue: member.progress.hasJoined ? member.sendQueue : nil)
            )
        }
        tell(.state(member.peer, state, reason))
        if state != .connecting { mesh.hasChanged(member.peer.id) }
    }

    func tell(_ event: CoreEvent) {
        guard let session else { return }
        delegateQueue.deliver(cost: event.cost) { [weak session] credit in session?.take(event, credit) }
    }

    // MARK: Inviting

    /// Invites a peer, unless it has joined or is joining.
    func invite(_ peer: MCPeerID, topic: String, context: Data?, patience: Duration) {
        guard peer.id != localNode.id, (members[peer.id]?.state ?? .notConnected) == .notConnected else { return }
        if let (invitation, envelope) = localNode.takeAsked(peer.id) { return accept(invitation, envelope) }
        let member = member(peer)
        guard !isFull else {
            members[peer.id] = nil
            return tell(.state(peer, .notConnected, .full))
        }
        change(member, to: .connecting)
        let envelope = Envelope(.invitation, topic, profile, context: context)
        member.isInvited = true
        member.attempt = Engine.begin {
            await self.addMember(member, envelope, patience)
        }
    }

    func addMember(_ member: SessionPeer, _ envelope: Envelope, _ patience: Duration) async {
        defer { member.isInvited = false }
        do {
            let node = try await localNode.node()
            defer { withExtendedLifetime(node) {} }
            let name = try Label(UUID().uuidString)
            let pair = node.session(SessionConfiguration(name: name, topology: .pair, invitesAgain: false))
            do {
                try await node.invite(.peer(member.peer.id), to: pair, context: envelope.bytes, patience: patience)
            } catch {
                pair.leave()
                throw error
            }
            guard members[member.peer.id] === member, !Task.isCancelled else { return pair.leave() }
            adopt(pair, member, at: node)
        } catch {
            guard members[member.peer.id] === member, member.pair == nil, !Task.isCancelled else { return }
            change(member, to: .notConnected, because: PartingReason(of: error))
        }
    }

    /// True if an invitation to the peer is in progress.
    func invites(_ peer: PeerID) -> Bool { members[peer]?.isInvited == true }

    // MARK: Received invitations

    /// Accepts a peer for the app or an introduction.
    func accept(_ invitation: ReceivedInvitation, _ envelope: Envelope) {
        let member = member(MCPeerID(invitation.peer, displayName: envelope.displayName))
        guard member.takesPlace || !isFull, goesWith(envelope.preference ?? .required) else {
            if member.state == .notConnected { members[member.peer.id] = nil }
            return localNode.decline(invitation.id)
        }
        member.accepted = invitation.id
        member.isSought = false
        // The invitations cross: the app has agreed to both.
        if member.isInvited { return localNode.accept(invitation, for: self) }
        // A joined peer stays so until a new session replaces the old one: the invitation may be an old one.
        if member.state == .notConnected { change(member, to: .connecting) }
        member.attempt = Engine.begin {
            let isTrusted = await self.isTrusted(member.peer, showsCertificate: envelope.showsCertificate)
            guard self.members[member.peer.id] === member else { return self.localNode.decline(invitation.id) }
            guard isTrusted else {
                self.localNode.decline(invitation.id)
                self.mesh.stop(member.peer.id)
                return self.acceptedInvitationFailed(invitation.id, because: .notPermitted)
            }
            member.approval = envelope.showsCertificate
            self.localNode.accept(invitation, for: self)
        }
    }

    private func goesWith(_ other: MCEncryptionPreference) -> Bool { profile.preference.goesWith(other) }

    /// Handles the failure of an accepted invitation, unless something has replaced it since.
    func acceptedInvitationFailed(_ invitation: InvitationID, because reason: PartingReason) {
        guard let member = members.values.first(where: { $0.accepted == invitation }) else { return }
        member.accepted = nil
        guard member.pair == nil, !member.isInvited else { return }
        change(member, to: .notConnected, because: reason)
    }

    /// Asks the app to judge a peer's certificate.
    private func isTrusted(_ peer: MCPeerID, showsCertificate: Bool) async -> Bool {
        guard let session else { return false }
        let verdict = Resumption<Bool>()
        let certificate = showsCertificate ? MCCertificate(of: peer) : nil
        delegateQueue.deliver { [weak session] _ in
            guard let session else { return _ = verdict.resume(with: .success(false)) }
            session.judge(certificate, of: peer) { verdict.resume(with: .success($0)) }
        }
        return (try? await verdict.valueUnlessCancelled()) ?? false
    }

    /// Judges a peer that is joining. It may leave while the app decides, and the app may never decide: then the peer
    /// has left, and is not connecting.
    private func isTrusted(_ member: SessionPeer, _ handshake: Handshake, in pair: Session) async -> Bool {
        if member.approval == handshake.showsCertificate { return true }
        let watching = Engine.begin {
            // The verdict may arrive shortly, and so may the last messages of a peer that left at once.
            guard let reason = try? await pair.departure(of: member.peer.id),
                (try? await EventLoop.shared.sleep(for: Self.verdictPatience)) != nil, member.pair === pair
            else { return }
            self.isOver(member, because: reason)
        }
        defer { watching.cancel() }
        return await isTrusted(member.peer, showsCertificate: handshake.showsCertificate)
    }

    // MARK: Joining

    /// The session of an accepted peer has started.
    func adopt(_ pair: Session, of peer: PeerID, at node: Node) {
        guard let member = members[peer] else { return pair.leave() }
        // The invitation from here is no longer needed.
        if member.isInvited { member.attempt?.cancel() }
        adopt(pair, member, at: node)
    }

    private func adopt(_ pair: Session, _ member: SessionPeer, at node: Node) {
        guard member.takesPlace || !isFull else {
            pair.leave()
            return change(member, to: .notConnected, because: .full)
        }
        member.isSought = false
        localNode.settled(self, member.peer.id)
        if member.state == .connected { change(member, to: .connecting, because: .replaced) }
        member.begin(pair, at: node) { [weak self] in await self?.read(pair, member) }
        // The peer with the smaller ID sends its handshake first; the other one after it knows its counterpart.
        if localNode.id < member.peer.id { sendHandshake(member, pair) }
    }

    private func sendHandshake(_ member: SessionPeer, _ pair: Session) {
        guard !member.progress.hasSentHandshake else { return }
        member.progress.hasSentHandshake = true
        let (known, sendQueue, peer) = (knownPeers, member.sendQueue, member.peer.id)
        let handshake = Packet.bytes(of: Handshake(token, profile, [], known: known))
        let patience = comingPatience
        member.add { [weak self, weak member] in
            guard (try? await EventLoop.shared.sleep(for: patience)) != nil, let self, let member else { return }
            self.sendMissingPeers(known, to: member)
        }
        member.add {
            // If sending fails, the peer has left, and its reader reports it.
            try? await pair.send(handshake)
            guard !Task.isCancelled else { return }
            sendQueue.begin { @Sendable packet in pair.sendAtOnce(packet, to: peer) }
            while let packet = await sendQueue.next() {
                try? await pair.send(packet)
                sendQueue.sent(packet.count)
            }
        }
    }

    private func read(_ pair: Session, _ member: SessionPeer) async {
        while let event = await pair.events.next() {
            guard member.pair === pair else { return }
            switch event {
            case .joined: break
            case .away(_, let reason): if member.progress.hasJoined { change(member, to: .connecting, because: reason) }
            case .returned: if member.progress.hasJoined { change(member, to: .connected) }
            case .departed(_, let reason): return isOver(member, because: reason)
            case .message(let message): await take(message, member, pair)
            case .stream(let stream): await take(stream, member, pair)
            case .resource(let resource): await take(resource, member, pair)
            }
        }
        if member.pair === pair { isOver(member, because: .lost) }
    }

    /// Handles the end of the session with a peer. If the peer comes again and was accepted already, it is joining
    /// again: it may have ended and started before this side noticed.
    private func isOver(_ member: SessionPeer, because reason: PartingReason) {
        guard member.accepted != nil else { return change(member, to: .notConnected, because: reason) }
        member.awaitNext()
        change(member, to: .connecting, because: reason)
    }

    private func take(_ message: Message, _ member: SessionPeer, _ pair: Session) async {
        switch Packet(message.bytes) {
        case .handshake(let handshake) where message.isReliable: await take(handshake, member, pair)
        case .data(let data) where member.progress.hasJoined:
            if message.isReliable {
                await delegateQueue.room()
                // The message may belong to a session that has ended, and its first parts with it.
                guard member.pair === pair else { return }
                tell(.data(member.progress.unfinished.isEmpty ? data : member.progress.unfinished + data, member.peer))
                member.progress.unfinished = Data()
            } else if delegateQueue.hasRoom {
                tell(.data(data, member.peer))
            }
        case .part(let data)
        where member.progress.hasJoined && message.isReliable
            && member.progress.unfinished.count + data.count <= Packet.messageLimit:
            member.progress.unfinished += data
        // An unreliable message before the handshake is dropped; anything else breaks the rules.
        case .data where !message.isReliable: break
        default: change(member, to: .notConnected, because: .brokeProtocol)
        }
    }

    private func take(_ handshake: Handshake, _ member: SessionPeer, _ pair: Session) async {
        if !member.progress.hasJoined {
            guard goesWith(handshake.preference) else { return refuse(member) }
            let isTrusted = await isTrusted(member, handshake, in: pair)
            guard member.pair === pair else { return }
            guard isTrusted else { return refuse(member) }
            sendHandshake(member, pair)
            member.progress.hasJoined = true
            member.approval = nil
            change(member, to: .connected)
            introduce(member, to: handshake.knownPeers)
        } else if !member.progress.hasSentMissingPeers, !handshake.known.isEmpty {
            // Only once, as each other member receives it.
            member.progress.hasSentMissingPeers = true
            introduce(member, to: handshake.knownPeers)
        }
        await learn(handshake, member, pair)
    }

    /// Refuses a peer, no matter which member introduces it.
    private func refuse(_ member: SessionPeer) {
        mesh.stop(member.peer.id)
        change(member, to: .notConnected, because: .notPermitted)
    }

    // MARK: Leaving

    /// Leaves all peers. The session can be used again.
    func disconnect() {
        token = UUID().uuidString
        introductions = [:]
        mesh.stopAll()
        localNode.forget(self)
        for member in members.values { change(member, to: .notConnected, because: .left) }
    }

    /// Sends an unreliable message at once, or reliably if it is too large for a datagram or datagrams don't arrive.
    func sendUnreliably(_ message: Data, to peers: [MCPeerID]) {
        for peer in peers {
            guard let member = members[peer.id], member.progress.hasJoined, let pair = member.pair else { continue }
            let packets = Packet.bytes(of: message)
            let outcomes = packets.count == 1 ? try? pair.sendUnreliably(packets[0], to: [peer.id]) : nil
            switch outcomes?[peer.id] {
            case .sent, .dropped, .away: break
            case .noPath, .tooLarge, nil: if member.sendQueue.isEmpty { _ = member.sendQueue.put(packets) }
            }
        }
    }
}
