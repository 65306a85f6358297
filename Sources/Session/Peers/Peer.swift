import Ledger
import LinuxPlatform
import SessionRules
import Transport
import Vocabulary
import Wire

/// One remote machine: its link, and everything that concerns it on this machine. The object exists as long as any of
/// that does.
@Engine
final class Peer {
    struct Membership {
        let member: Member
        let session: Session
    }

    let id: PeerID
    let context: NodeContext
    let events: EventQueue<NodeEvent>
    unowned let host: any PeerHost
    private(set) var link: Link?
    private var channels: DataChannels?
    private(set) var reconnector: Reconnector?
    /// The sessions with the peer, by their ids on the wire.
    private(set) var memberships: [SessionID: Membership] = [:]
    private(set) lazy var transfers = PeerTransfers(context, owner: self)
    private(set) lazy var invitations = PeerInvitations(self)

    init(_ id: PeerID, at host: any PeerHost) {
        (self.id, self.host, context, events) = (id, host, host.context, host.events)
    }

    var isMember: Bool { !memberships.isEmpty }
    var members: some Sequence<Member> { memberships.values.lazy.map(\.member) }

    private var isUnused: Bool {
        link == nil && reconnector == nil && !isMember && invitations.isEmpty && transfers.isEmpty
    }

    /// Releases the peer if nothing is left of it. This happens later, because a caller may still work with it.
    func releaseSoon() {
        context.tasks.add {
            if self.isUnused { self.host.release(self) }
        }
    }
}

/// The node of a peer.
@Engine
protocol PeerHost: AnyObject, Sendable {
    nonisolated var context: NodeContext { get }
    nonisolated var events: EventQueue<NodeEvent> { get }
    var listener: Listener { get }
    var mesh: MeshConnector { get }
    var intendedInvitations: [IntendedInvitation] { get }
    func session(_ id: SessionID) -> Session?
    func begin(_ id: SessionID, _ configuration: SessionConfiguration, host: PeerID) -> Session
    func hasReceivedInvitation(_ id: InvitationID) -> Bool
    func drop(_ intended: IntendedInvitation)
    func dial(_ peer: PeerID) async throws
    func keep(_ account: PeerAccount, of peer: PeerID)
    /// Reads again which machines are paired.
    func updatePairedMachines() async
    func rightsMayChange(of peer: PeerID)
    func block(_ peer: PeerID, named name: InstanceName?) async throws
    func invite(_ peer: PeerID, to session: Session) async throws
    func release(_ peer: Peer)
}

// MARK: - Links

extension Peer {
    /// Makes the result of a handshake the link; nil if another link stays.
    func establish(_ result: HandshakeResult) -> Link? {
        let made = Link(result, patience: context.configuration.patience.liveness, of: context.shares.ofStrangers)
        made.noticed = { [weak self, weak made] notice in
            if let made { self?.take(notice, from: made) }
        }
        if let existing = link {
            guard !existing.isOpen || survives(made, over: existing) else { return nil }
            link = nil
            existing.part(because: .replaced)
            handleLoss(of: existing, because: .replaced)
        }
        link = made
        made.channel.count(in: context.traffic.control)
        if made.isDialler { context.tally.linksDialled += 1 } else { context.tally.linksAccepted += 1 }
        channels = DataChannels(made, context, owner: self)
        context.datagrams?.add(made)
        return made
    }

    private func survives(_ new: Link, over existing: Link) -> Bool {
        func claim(_ link: Link) -> DuplicateLinks.Claim {
            .init(dialler: link.isDialler ? context.id : id, runToken: link.hello.runToken, since: link.since)
        }
        let other = existing.isDialler ? existing.peer : context.id
        return DuplicateLinks.survivor(existing: claim(existing), new: claim(new), other: other) == .new
    }

    /// Runs a link until it ends.
    func keep(_ link: Link) async {
        // Another one may have taken its place already.
        if self.link === link { start(link) }
        let reason = await link.run { frame in try self.take(frame, from: link) }
        guard self.link === link else { return releaseSoon() }
        self.link = nil
        handleLoss(of: link, because: reason)
        handleEnd(of: link, because: reason)
        releaseSoon()
    }

    private func start(_ link: Link) {
        events.reportLink(.linked(id, link.hello.name))
        reconnector?.handleNewLink()
        reconnector = nil
        if isMember {
            link.carrySession(holding: context.shares.memory(of: id))
            sendAccount(over: link)
        }
        for member in members { member.resume(over: link) }
        invitations.resend(over: link)
        let address = link.peerAddress.flatMap { try? HostAndPort($0.description) }
        context.writer.write {
            guard try await $0.saw(self.id, as: link.hello.name, at: address) else { return }
            await self.host.updatePairedMachines()
        }
        expectUse(of: link)
    }

    private func take(_ notice: Link.Notice, from link: Link) {
        for membership in memberships.values where membership.member.link === link {
            switch notice {
            case .suspected: membership.session.noteAway(membership.member, because: .lost)
            case .recovered: membership.session.noteReturn(of: membership.member)
            }
        }
    }

    /// Ends the parts that need this link; the others wait for the next one.
    private func handleLoss(of link: Link, because reason: PartingReason) {
        if link.isOfMember, let account = link.account { host.keep(account, of: id) }
        context.invitationGate.remove(link)
        channels?.end()
        channels = nil
        context.datagrams?.remove(link)
        for membership in memberships.values {
            membership.member.cut()
            if reason != .replaced { membership.session.noteAway(membership.member, because: reason) }
        }
        transfers.handleLostLink()
        invitations.handleLoss(of: link, because: reason)
    }

    private func handleEnd(of link: Link, because reason: PartingReason) {
        events.reportLink(.unlinked(id, reason))
        // No link has taken its place, even if the peer says so. So no invitation of this machine waits for one.
        invitations.endSent(because: reason)
        guard !context.isStopping else { return }
        // The machine counts as offline since its link ended, not since it began.
        context.writer.write { _ = try await $0.saw(self.id, as: nil, at: nil) }
        switch reason {
        // After `shuttingDown`, the peer's program may start again at once, as after an upgrade.
        case .lost, .unreachable, .timedOut, .replaced, .shuttingDown: reconnect(after: link)
        default: dropAll(because: reason)
        }
    }

    private func reconnect(after link: Link) {
        guard isMember else { return }
        let reconnector = Reconnector(after: link, context, owner: self)
        self.reconnector = reconnector
        reconnector.begin()
    }

    private func endReconnector() {
        reconnector?.end()
        reconnector = nil
    }

    /// Ends a link that stays unused for a while. The side that dialled it does so; if that side does not, the other
    /// one does.
    func expectUse(of link: Link) {
        let patience = context.configuration.patience.idleLink * (link.isDialler ? 1 : 2)
        // There is one timer at a time, or a peer could cause thousands of them.
        link.idle?.cancel()
        link.idle = Engine.schedule(at: .now + patience) { [weak self, weak link] in
            guard let self, let link, self.link === link, !self.isMember, !self.invitations.hasOpen else { return }
            link.part(because: .left)
        }
    }

    /// Ends everything with a peer that the user blocks or forgets. The peer learns nothing: its connection breaks.
    func cutOff(because reason: PartingReason) {
        invitations.endAll(because: reason)
        dropAll(because: reason)
        link?.cut(because: reason)
    }

    /// Ends all sessions with the peer that has held much memory for the longest time, because others need room.
    func releaseEverything() {
        dropAll(because: .full)
        link?.cut(because: .full)
    }
}

extension Peer: ReconnectorOwner {
    func redial() async throws { try await host.dial(id) }

    /// Drops a peer that did not return.
    func abandonReconnection() {
        endReconnector()
        dropAll(because: .lost)
        releaseSoon()
    }
}

// MARK: - Sessions

extension Peer: MemberOwner {
    func join(
        _ session: Session,
        as wireSession: SessionID,
        over link: Link,
        wasInvitedHere: Bool,
        _ permissions: Permissions
    ) -> Member {
        if let membership = memberships[wireSession] { return membership.member }
        if let other = session.members[id] { forget(other, because: .replaced) }
        let member = Member(
            link,
            as: wireSession,
            in: session,
            wasInvitedHere: wasInvitedHere,
            permissions: permissions,
            memory: context.shares.memory(of: id),
            owner: self
        )
        memberships[wireSession] = Membership(member: member, session: session)
        if !member.hasPlace { context.tasks.add { self.drop(member, because: .full) } }
        sendAccount(over: link)
        if let guest = link.guest { host.listener.admission.remove(guest) }
        session.add(member)
        context.tasks.add {
            guard let known = try? await self.context.store.peer(self.id) else { return }
            member.permissions = known.permissions
        }
        return member
    }

    /// Forgets a member, and removes it from its session.
    func drop(_ member: Member, because reason: PartingReason) {
        let membership = memberships[member.wireSession]
        forget(member, because: reason)
        if let membership, membership.member === member { membership.session.remove(member, because: reason) }
    }

    private func dropAll(because reason: PartingReason) {
        for member in Array(members) { drop(member, because: reason) }
    }

    func forget(_ member: Member, because reason: PartingReason) {
        if memberships[member.wireSession]?.member === member { memberships[member.wireSession] = nil }
        member.leave(because: reason)
        transfers.handleDeparture(of: member, reason)
        if let link { expectUse(of: link) }
        if !isMember { endReconnector() }
        releaseSoon()
    }

    func setPermissions(_ permissions: Permissions) {
        for member in members { member.permissions = permissions }
    }

    /// Invites a peer again whose program has restarted and has forgotten the session. The transfers to it continue.
    func inviteAgain(_ member: Member, into session: Session) {
        let waiting = transfers.keepForNewMember(member)
        forget(member, because: .lost)
        session.forget(member)
        context.tasks.add {
            do {
                try await self.host.invite(self.id, to: session)
                guard let again = session.members[self.id] else { throw SessionError(.lost) }
                for transfer in waiting { transfer.offerAgain(to: again) }
            } catch {
                session.remove(member, because: PartingReason(of: error))
                for transfer in waiting { transfer.handleMissingMember(.lost) }
            }
        }
    }
}

// MARK: - Accounts

/// The accounts. Members of sessions learn this machine's release and time. Other peers learn neither.
extension Peer {
    /// The time after an account in which no further one is sent. Otherwise two machines would answer each other for
    /// ever.
    private static let accountPause = Duration.seconds(1)
    /// The same time for an account that answers, which may take long to arrive.
    private static let answerPause = Duration.seconds(10)

    /// Sends the account of this machine to a member.
    ///
    /// - Returns: false if it was not sent, because the peer would not understand it or has just got one
    @discardableResult
    func sendAccount(over link: Link, after pause: Duration = Peer.accountPause) -> Bool {
        guard let program = context.configuration.program, isMember,
            link.accountGiven.map({ ContinuousClock.now - $0 >= pause }) ?? true
        else { return false }
        link.accountGiven = .now
        link.send(.about(.init(clock: WallTime.now.secondsSince1970, program: program)))
        return true
    }

    /// Takes the newest account, and answers with this machine's.
    func take(_ about: ControlFrame.About, from link: Link) {
        let clock = WallTime(secondsSince1970: Int64(about.clock))
        link.account = PeerAccount(program: about.program, clock: clock, heard: .now)
        sendAccount(over: link, after: Self.answerPause)
    }
}

// MARK: - Channels

extension Peer: DataChannelsOwner, PeerTransfersOwner {
    func openChannel() async throws -> DataChannel {
        guard let channels else { throw SessionError(.lost) }
        return try await channels.open()
    }

    func take(_ secure: SecureChannel, _ open: ChannelFrame.Open, _ decoder: FrameDecoder<ChannelFrame>)
        async throws
    {
        guard let channels else { return secure.abort() }
        try await channels.take(secure, open, decoder)
    }

    func take(_ request: ChannelID) { channels?.takeRequest(request) }

    func take(_ first: ChannelFrame, on channel: DataChannel, over link: Link) async {
        switch first {
        case .streamBegin(let begin):
            channel.secure.count(in: context.traffic.streams)
            await take(begin, on: channel)
        case .resourceBegin(let transfer):
            channel.secure.count(in: context.traffic.resources)
            guard let transfer = transfers.incoming[transfer] else { return channel.abort() }
            await transfer.begin(on: channel)
        default: channel.abort()
        }
    }

    private func take(_ begin: ChannelFrame.StreamBegin, on channel: DataChannel) async {
        do {
            guard let membership = memberships[begin.session] else { return channel.abort() }
            let (member, session) = (membership.member, membership.session)
            let refusal: PartingReason? =
                !member.permissions.contains(.streams)
                ? .notPermitted
                : context.isStopping ? .shuttingDown : session.hasRoomForMore ? nil : .full
            if let refusal {
                context.writer.note("stream-refused", about: id, [.init("reason", refusal.word)])
                try await channel.send(.abort(.init(reason: refusal, message: "")))
                return await channel.close()
            }
            member.add(channel)
            try await channel.send(.streamTaken)
            session.deliver(.stream(IncomingStream(from: id, named: begin.name, over: channel)))
        } catch {
            channel.abort()
        }
    }

    func transfersAreGone() { releaseSoon() }
}
