import Foundation
import LinuxPlatform
import Session
import SessionRules
import Vocabulary

/// What stands behind a session: its peers, each a pair of the engine's own, and how they become a mesh.
///
/// Each two members share a session of two. That way a peer can be asked for its certificate before it is in, two groups that meet become one, and nobody's
/// leaving ends anything for others.
@Engine
final class SessionCore {
    nonisolated let station: Station
    nonisolated let profile: Profile
    nonisolated let courier: Courier
    nonisolated let roll = Roll()
    /// Whom events are told to.
    weak var session: MCSession?
    /// How many peers may be in it, this one among them; nil is as many as there are.
    var maximumNumberOfPeers: Int?
    /// How long those who are about to come in may take until others are asked about them: as long as a large group does that comes together on a busy machine.
    var comingPatience = Duration.seconds(20)

    private(set) var mates: [PeerID: Mate] = [:]
    /// Names this side of the session to others. A new one after each leaving, so that nobody comes by an old introduction.
    private(set) var token = UUID().uuidString
    /// Who may come with which token, by who has told of it: a member, as long as it is one, or this side itself.
    var introductions: [PeerID: Introductions] = [:]
    let meetings = Meetings()

    /// How long an app that needs no person for it may take to judge a certificate.
    private static let verdictPatience = Duration.seconds(1)

    nonisolated init(_ station: Station, _ profile: Profile) {
        self.station = station
        self.profile = profile
        courier = Courier(for: profile.displayName)
    }

    /// Whether a peer that is not in could come in.
    var isFull: Bool {
        maximumNumberOfPeers.map { limit in mates.values.count(where: \.takesPlace) + 1 >= limit } ?? false
    }

    func mate(_ peer: MCPeerID) -> Mate {
        if let mate = mates[peer.id] { return mate }
        let mate = Mate(peer)
        mates[peer.id] = mate
        return mate
    }

    /// Every change of a peer's state goes through here, and is told.
    func change(_ mate: Mate, to state: MCSessionState, because reason: PartingReason? = nil) {
        guard mate.state != state else { return }
        mate.state = state
        if state == .notConnected {
            mate.ending = reason
            mate.end()
            introductions[mate.peer.id] = nil
            if mates[mate.peer.id] === mate { mates[mate.peer.id] = nil }
            roll.remove(mate.peer)
        } else {
            roll.set(.init(peer: mate.peer, state: state, outbox: mate.isIn ? mate.outbox : nil))
        }
        tell(.state(mate.peer, state, reason))
        if state != .connecting { meetings.hasChanged(mate.peer.id) }
    }

    func tell(_ happening: Happening) {
        guard let session else { return }
        courier.deliver(cost: happening.cost) { [weak session] credit in session?.take(happening, credit) }
    }

    // MARK: Inviting

    /// Asks a peer in. Who is in already, or about to be, stays as it is.
    func invite(_ peer: MCPeerID, topic: String, context: Data?, patience: Duration) {
        guard peer.id != station.id, (mates[peer.id]?.state ?? .notConnected) == .notConnected else { return }
        if let (invitation, envelope) = station.takeAsked(peer.id) { return accept(invitation, envelope) }
        let mate = mate(peer)
        guard !isFull else {
            mates[peer.id] = nil
            return tell(.state(peer, .notConnected, .full))
        }
        change(mate, to: .connecting)
        let envelope = Envelope(.invitation, topic, profile, context: context)
        mate.isInvited = true
        mate.attempt = Engine.begin {
            await self.bringIn(mate, envelope, patience)
        }
    }

    func bringIn(_ mate: Mate, _ envelope: Envelope, _ patience: Duration) async {
        defer { mate.isInvited = false }
        do {
            let node = try await station.node()
            defer { withExtendedLifetime(node) {} }
            let name = try Label(UUID().uuidString)
            let pair = node.session(SessionConfiguration(name: name, topology: .pair, invitesAgain: false))
            do {
                try await node.invite(.peer(mate.peer.id), to: pair, context: envelope.bytes, patience: patience)
            } catch {
                pair.leave()
                throw error
            }
            guard mates[mate.peer.id] === mate, !Task.isCancelled else { return pair.leave() }
            adopt(pair, mate, at: node)
        } catch {
            guard mates[mate.peer.id] === mate, mate.pair == nil, !Task.isCancelled else { return }
            change(mate, to: .notConnected, because: PartingReason(of: error))
        }
    }

    /// Whether an invitation from here is on its way to a peer.
    func invites(_ peer: PeerID) -> Bool { mates[peer]?.isInvited == true }

    // MARK: Being invited

    /// The app, or an introduction, lets a peer in.
    func accept(_ invitation: ReceivedInvitation, _ envelope: Envelope) {
        let mate = mate(MCPeerID(invitation.peer, displayName: envelope.displayName))
        guard mate.takesPlace || !isFull, goesWith(envelope.preference ?? .required) else {
            if mate.state == .notConnected { mates[mate.peer.id] = nil }
            return station.decline(invitation.id)
        }
        mate.accepted = invitation.id
        mate.isSought = false
        // Crossed with one from here: the app has said yes to both.
        if mate.isInvited { return station.accept(invitation, for: self) }
        // Who is in stays so until there is something to take its place: the invitation may be an old one.
        if mate.state == .notConnected { change(mate, to: .connecting) }
        mate.attempt = Engine.begin {
            let isTrusted = await self.isTrusted(mate.peer, showsCertificate: envelope.showsCertificate)
            guard self.mates[mate.peer.id] === mate else { return self.station.decline(invitation.id) }
            guard isTrusted else {
                self.station.decline(invitation.id)
                self.meetings.stop(mate.peer.id)
                return self.acceptedInVain(invitation.id, because: .notPermitted)
            }
            mate.approval = envelope.showsCertificate
            self.station.accept(invitation, for: self)
        }
    }

    private func goesWith(_ other: MCEncryptionPreference) -> Bool { profile.preference.goesWith(other) }

    /// What was accepted has come to nothing. That matters where nothing else has come since.
    func acceptedInVain(_ invitation: InvitationID, because reason: PartingReason) {
        guard let mate = mates.values.first(where: { $0.accepted == invitation }) else { return }
        mate.accepted = nil
        guard mate.pair == nil, !mate.isInvited else { return }
        change(mate, to: .notConnected, because: reason)
    }

    /// Asks the app what it makes of a peer's certificate.
    private func isTrusted(_ peer: MCPeerID, showsCertificate: Bool) async -> Bool {
        guard let session else { return false }
        let verdict = Resumption<Bool>()
        let certificate = showsCertificate ? MCCertificate(of: peer) : nil
        courier.deliver { [weak session] _ in
            guard let session else { return _ = verdict.resume(with: .success(false)) }
            session.judge(certificate, of: peer) { verdict.resume(with: .success($0)) }
        }
        return (try? await verdict.valueUnlessCancelled()) ?? false
    }

    /// The same of a peer that is about to be in. It may go while the app thinks, and the app may think for ever: then it is out, and not connecting.
    private func isTrusted(_ mate: Mate, _ hello: Hello, in pair: Session) async -> Bool {
        if mate.approval == hello.showsCertificate { return true }
        let watching = Engine.begin {
            // Where the answer is about to come, so are the last words of one that left at once.
            guard let reason = try? await pair.departure(of: mate.peer.id),
                (try? await EventLoop.shared.sleep(for: Self.verdictPatience)) != nil, mate.pair === pair
            else { return }
            self.isOver(mate, because: reason)
        }
        defer { watching.cancel() }
        return await isTrusted(mate.peer, showsCertificate: hello.showsCertificate)
    }

    // MARK: Coming together

    /// A peer that was let in is there.
    func adopt(_ pair: Session, of peer: PeerID, at node: Node) {
        guard let mate = mates[peer] else { return pair.leave() }
        // What was on its way from here is not needed any more.
        if mate.isInvited { mate.attempt?.cancel() }
        adopt(pair, mate, at: node)
    }

    private func adopt(_ pair: Session, _ mate: Mate, at node: Node) {
        guard mate.takesPlace || !isFull else {
            pair.leave()
            return change(mate, to: .notConnected, because: .full)
        }
        mate.isSought = false
        station.settled(self, mate.peer.id)
        if mate.state == .connected { change(mate, to: .connecting, because: .replaced) }
        mate.begin(pair, at: node) { [weak self] in await self?.read(pair, mate) }
        // Of two the smaller speaks first, the other when it knows with whom it has to do.
        if station.id < mate.peer.id { sayHello(mate, pair) }
    }

    private func sayHello(_ mate: Mate, _ pair: Session) {
        guard !mate.hasSaidHello else { return }
        mate.hasSaidHello = true
        let (known, outbox, peer) = (knownPeers, mate.outbox, mate.peer.id)
        let hello = Parcel.bytes(of: Hello(token, profile, [], known: known))
        let patience = comingPatience
        mate.add { [weak self, weak mate] in
            guard (try? await EventLoop.shared.sleep(for: patience)) != nil, let self, let mate else { return }
            self.sayWhoIsMissing(known, to: mate)
        }
        mate.add {
            // Where sending fails the peer is out, and its reader says so.
            try? await pair.send(hello)
            guard !Task.isCancelled else { return }
            outbox.begin { @Sendable parcel in pair.sendAtOnce(parcel, to: peer) }
            while let parcel = await outbox.next() {
                try? await pair.send(parcel)
                outbox.sent(parcel.count)
            }
        }
    }

    private func read(_ pair: Session, _ mate: Mate) async {
        while let event = await pair.events.next() {
            guard mate.pair === pair else { return }
            switch event {
            case .joined: break
            case .away(_, let reason): if mate.isIn { change(mate, to: .connecting, because: reason) }
            case .returned: if mate.isIn { change(mate, to: .connected) }
            case .departed(_, let reason): return isOver(mate, because: reason)
            case .message(let message): await take(message, mate, pair)
            case .stream(let stream): await take(stream, mate, pair)
            case .resource(let resource): await take(resource, mate, pair)
            }
        }
        if mate.pair === pair { isOver(mate, because: .lost) }
    }

    /// What the two shared is over. Where the peer comes anew and was let in already, it is about to be there again: it may have ended and begun
    /// before anybody saw that.
    private func isOver(_ mate: Mate, because reason: PartingReason) {
        guard mate.accepted != nil else { return change(mate, to: .notConnected, because: reason) }
        mate.awaitNext()
        change(mate, to: .connecting, because: reason)
    }

    private func take(_ message: Message, _ mate: Mate, _ pair: Session) async {
        switch Parcel(message.bytes) {
        case .hello(let hello) where message.isReliable: await take(hello, mate, pair)
        case .data(let data) where mate.isIn:
            if message.isReliable {
                await courier.room()
                // What it is the end of may be over by now, and its beginning with it.
                guard mate.pair === pair else { return }
                tell(.data(mate.unfinished.isEmpty ? data : mate.unfinished + data, mate.peer))
                mate.unfinished = Data()
            } else if courier.hasRoom {
                tell(.data(data, mate.peer))
            }
        case .part(let data)
        where mate.isIn && message.isReliable
            && mate.unfinished.count + data.count <= Parcel.messageLimit:
            mate.unfinished += data
        // What comes before the hello is dropped if it may get lost; everything else breaks the rules.
        case .data where !message.isReliable: break
        default: change(mate, to: .notConnected, because: .brokeProtocol)
        }
    }

    private func take(_ hello: Hello, _ mate: Mate, _ pair: Session) async {
        if !mate.isIn {
            guard goesWith(hello.preference) else { return refuse(mate) }
            let isTrusted = await isTrusted(mate, hello, in: pair)
            guard mate.pair === pair else { return }
            guard isTrusted else { return refuse(mate) }
            sayHello(mate, pair)
            mate.isIn = true
            mate.approval = nil
            change(mate, to: .connected)
            introduce(mate, to: hello.knownPeers)
        } else if !mate.hasSaidWhoIsMissing, !hello.known.isEmpty {
            // Once, for each other member is told of it.
            mate.hasSaidWhoIsMissing = true
            introduce(mate, to: hello.knownPeers)
        }
        await learn(hello, mate, pair)
    }

    /// Says no, whoever else may tell of it.
    private func refuse(_ mate: Mate) {
        meetings.stop(mate.peer.id)
        change(mate, to: .notConnected, because: .notPermitted)
    }

    // MARK: Leaving

    /// Leaves everybody. The session can be used again.
    func disconnect() {
        token = UUID().uuidString
        introductions = [:]
        meetings.stopAll()
        station.forget(self)
        for mate in mates.values { change(mate, to: .notConnected, because: .left) }
    }

    /// Sends a message that may get lost, at once; over the way of all others where it is too large for a datagram or datagrams don't pass.
    func sendUnreliably(_ message: Data, to peers: [MCPeerID]) {
        for peer in peers {
            guard let mate = mates[peer.id], mate.isIn, let pair = mate.pair else { continue }
            let parcels = Parcel.bytes(of: message)
            let outcomes = parcels.count == 1 ? try? pair.sendUnreliably(parcels[0], to: [peer.id]) : nil
            switch outcomes?[peer.id] {
            case .sent, .dropped, .away: break
            case .noPath, .tooLarge, nil: if mate.outbox.isEmpty { _ = mate.outbox.put(parcels) }
            }
        }
    }
}
