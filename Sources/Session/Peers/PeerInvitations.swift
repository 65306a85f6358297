import Ledger
import LinuxPlatform
import SessionRules
import Vocabulary
import Wire

/// The invitations between this machine and one peer.
@Engine
final class PeerInvitations {
    /// An invitation of the peer that waits to be considered.
    struct Arrived {
        let invite: ControlFrame.Invite
        let link: Link

        /// True for this invitation over this link. The peer sends it again over a link that has replaced another.
        func isSame(as invitation: InvitationID, over link: Link) -> Bool {
            invite.invitation == invitation && self.link === link
        }
    }

    /// An invitation that the user requests.
    struct Wish {
        let intended: IntendedInvitation
        let context: [UInt8]
        let patience: Duration?
        let takesKey: Bool
    }

    private(set) var sent: [InvitationID: SentInvitation] = [:]
    private(set) var received: [InvitationID: IncomingRequest] = [:]
    /// The invitations that wait to be considered, after the one that is being considered; nil if there is none.
    private(set) var arrived: [Arrived]?
    /// The number of calls that are about to send an invitation. They keep the peer.
    private var preparing = 0
    private unowned let peer: Peer
    let context: NodeContext
    let events: EventQueue<NodeEvent>

    /// The number of invitations of a member that may wait.
    private static let arrivedLimit = 8
    /// The same number for a machine that is in no session: the invitation that is considered, and the latest.
    private static let strangersArrivedLimit = 2
    /// The number of open invitations of one peer, each for another purpose. A machine that is not paired may have one.
    private static let openLimit = 8
    /// The number of sessions that one peer can open here. A member takes memory.
    private static let sessionLimit = 64
    /// The time for a user to accept or decline.
    private static let answerPatience = Duration.seconds(30)
    /// The time for a user to walk to another machine and type a code.
    private static let codePatience = Duration.seconds(120)

    init(_ peer: Peer) {
        (self.peer, context, events) = (peer, peer.context, peer.events)
    }

    var isEmpty: Bool { !hasOpen && arrived == nil && preparing == 0 }
    var hasOpen: Bool { !sent.isEmpty || !received.isEmpty }

    /// The open invitation to a session with this id on the wire.
    func request(for wireSession: SessionID, over link: Link) -> IncomingRequest? {
        received.values.first { $0.link === link && $0.wireSession == wireSession }
    }
}

// MARK: - Links that go and come

extension PeerInvitations {
    func resend(over link: Link) {
        for invitation in sent.values { invitation.resend(over: link) }
        for request in received.values where request.awaitsWelcome { request.move(to: link) }
    }

    func handleLoss(of link: Link, because reason: PartingReason) {
        arrived?.removeAll { $0.link === link }
        // A replaced link does not end invitations of this machine: they are sent over the next link, as soon as it
        // exists. It does not end an accepted one either: the inviter counts this machine as a member if only its
        // welcome was lost.
        if reason != .replaced { endSent(because: reason) }
        for request in received.values where reason != .replaced || !request.awaitsWelcome {
            request.end(because: reason)
        }
    }

    func endSent(because reason: PartingReason) {
        for invitation in sent.values { invitation.handleLostLink(reason) }
    }

    func endAll(because reason: PartingReason) {
        endSent(because: reason)
        for request in received.values { request.end(because: reason) }
    }

    /// Withdraws the invitations of this machine, or those to one session.
    func withdrawSent(for session: Session? = nil, because reason: PartingReason = .withdrawn) {
        for invitation in sent.values where session == nil || invitation.session === session {
            invitation.withdraw(because: reason)
        }
    }
}

// MARK: - Invitations from here

extension PeerInvitations {
    /// Invites the peer, and returns when it is in the session.
    func invite(_ wish: Wish) async throws {
        preparing += 1
        defer {
            preparing -= 1
            peer.releaseSoon()
        }
        let session = wish.intended.session
        let known = try await context.store.peer(peer.id)
        if known?.policy == .block { throw SessionError(.blocked) }
        if session.members[peer.id] != nil { return }
        if let running = sent.values.first(where: { $0.session === session }) { return try await running.ended() }
        guard !session.isFull else { throw SessionError(.full) }
        let isPaired = known?.isPinned == true
        if !isPaired {
            if try await context.store.isLockedOut(peer.id, isPaired: false) { throw SessionError(.lockedOut) }
            if let link = peer.link { report(otherKey: try await otherKey(of: link), than: link, of: .household) }
        }
        // While the store was asked, another link may have replaced the first one.
        guard let link = peer.link, link.isOpen else { throw SessionError(.lost) }
        // Or the peer's own invitation may have arrived. Inviting the peer accepts it.
        if session.members[peer.id] != nil { return }
        let open = received.values.filter { $0.link === link && $0.purpose == wish.intended.purpose }
        if let theirs = open.first(where: { $0.accept(byInvitingInto: session) }) {
            return try await theirs.awaitJoin(of: session)
        }
        let isCodeNeeded =
            !isPaired && !session.isIntroduced(peer.id) && !wish.takesKey && !context.configuration.meetsWithoutCodes
        let invitation = SentInvitation(
            to: link,
            into: session,
            context: wish.context,
            patience: wish.patience ?? (isCodeNeeded ? Self.codePatience : Self.answerPatience),
            permissions: known?.permissions ?? .all,
            isCodeNeeded: isCodeNeeded,
            takesKey: wish.takesKey,
            owner: self
        )
        sent[invitation.id] = invitation
        peer.host.drop(wish.intended)
        context.writer.note("invited", about: peer.id, [.init("session", session.configuration.name.text)])
        invitation.begin()
        try await withTaskCancellationHandler {
            try await invitation.ended()
        } onCancel: {
            Engine.loop.perform { @Sendable in Engine.assumeIsolated { invitation.withdraw() } }
        }
    }

    private func otherKey(of link: Link) async throws -> PeerID? {
        try await context.store.keysFor(name: link.hello.name).values.first { $0.isPinned && $0.id != link.peer }?.id
    }

    /// Reports a name of a paired machine that comes with another key. It may be another machine of the same name, one
    /// that was reinstalled, or one that pretends.
    private func report(otherKey other: PeerID?, than link: Link, of origin: Ledger.AuditOrigin) {
        guard let other else { return }
        events.report(.keyChanged(link.hello.name, known: other, now: link.peer))
        context.writer.note("key-changed", about: link.peer, [.init("known", other.short)], of: origin)
    }
}

// MARK: - Invitations of the peer

extension PeerInvitations {
    /// Considers the invitations of a peer one after the other, so that they can't pile up requests to the store.
    func take(_ invite: ControlFrame.Invite, from link: Link) {
        // The answer was lost with the link before this one.
        if let earlier = received[invite.invitation], earlier.hasMoved { earlier.end(because: .replaced) }
        guard !peer.host.hasReceivedInvitation(invite.invitation), !context.isStopping else { return }
        let next = Arrived(invite: invite, link: link)
        guard let arrived else {
            self.arrived = [next]
            context.tasks.add { await self.considerArrived() }
            return
        }
        // A peer that invites so often no longer needs answers to the first ones.
        let limit = link.isOfMember ? Self.arrivedLimit : Self.strangersArrivedLimit
        self.arrived = arrived.suffix(limit - 1) + [next]
    }

    /// Withdraws an invitation of the peer. An invitation that waits to be considered is dropped.
    func take(_ cancel: ControlFrame.InviteCancel, from link: Link) throws {
        arrived?.removeAll { $0.isSame(as: cancel.invitation, over: link) }
        try received[cancel.invitation]?.take(cancel, from: link)
    }

    private func considerArrived() async {
        while let next = arrived?.first {
            await context.writer.attempt { _ in try await self.consider(next) }
            arrived?.removeAll { $0.isSame(as: next.invite.invitation, over: next.link) }
        }
        arrived = nil
        peer.releaseSoon()
    }

    /// Considers an invitation. The lookups are the same and take the same time for each inviter, accepted or not.
    private func consider(_ next: Arrived) async throws {
        let (invite, link) = (next.invite, next.link)
        // The machine that is being dialled may be this one.
        for intended in peer.host.intendedInvitations { await intended.isKnown.settled() }
        let purpose = InvitationPurpose(of: invite.context)
        let isIntroduced = await peer.host.session(invite.session)?.awaitIntroduction(of: peer.id) == true
        let known = try await context.store.peer(peer.id)
        let defaultPolicy = try await context.store.defaultPolicy()
        let standing = standing(of: known, defaultPolicy)
        let receiptDue = standing == .welcome ? nil : try await context.invitationGate.awaitTurn(of: link)
        let facts = Decision.Facts(
            policyOfKey: known?.policy,
            defaultPolicy: defaultPolicy,
            isPinned: known?.isPinned == true,
            isLockedOut: try await context.store.isLockedOut(peer.id, isPaired: known?.isPinned == true),
            permissions: known?.permissions ?? .all,
            isFull: isFull(ownSession(for: purpose) ?? peer.host.session(invite.session))
        )
        guard peer.link === link, !peer.host.hasReceivedInvitation(invite.invitation),
            arrived?.contains(where: { $0.isSame(as: invite.invitation, over: link) }) == true
        else { return }
        // This machine may have sent an invitation meanwhile.
        if let own = ownInvitation(for: purpose), !givesWay(own, to: invite) { return }
        let ownSession = ownSession(for: purpose)
        var decision = Decision(facts)
        let isWelcome = ownSession != nil || isIntroduced
        if isWelcome, decision.verdict == .ask { decision = .welcome }
        if !isWelcome, !canInvite(into: invite.session) { decision = decision.refusingIntrusion }
        // One question at a time: a peer that asks twice no longer wants the first question.
        let replaced = received.values.filter {
            $0.link === link && ($0.purpose == purpose || standing == .stranger)
        }
        for earlier in replaced { context.invitationGate.noteEnd(of: earlier.invite.invitation, .hungUp) }
        if standing == .stranger, !isWelcome { decision = context.invitationGate.judge(decision, link) }
        note(
            decision.auditWord,
            about: link,
            isKnown: standing == .welcome,
            [.init("session", invite.sessionName.text)]
        )
        let needsNoCode = facts.isPinned || isIntroduced || context.configuration.meetsWithoutCodes
        let request = IncomingRequest(
            invite,
            over: link,
            verdict: decision.verdict,
            permissions: facts.permissions,
            standing: standing,
            receiptDue: receiptDue,
            isCodeNeeded: !needsNoCode,
            becoming: ownSession ?? peer.host.session(invite.session),
            owner: self
        )
        for earlier in replaced { earlier.giveWay(to: request) }
        makeRoom(over: link)
        if standing == .stranger, decision.verdict == .ask {
            context.invitationGate.noteQuestion(invite.invitation, link)
        }
        received[invite.invitation] = request
        request.takeOwnOutcome()
        request.begin()
    }

    private func standing(of known: KnownPeer?, _ defaultPolicy: Policy) -> InviterStanding {
        if context.configuration.meetsWithoutCodes { return .welcome }
        guard let known, known.isPinned else { return .stranger }
        return (known.policy ?? defaultPolicy) == .accept ? .welcome : .paired
    }

    /// Limits the open invitations. The inviter chooses the purpose, so it can make up any number of them.
    private func makeRoom(over link: Link) {
        let open = received.values.filter { $0.link === link }.sorted { $0.arrival < $1.arrival }
        for oldest in open.dropLast(Self.openLimit - 1) { oldest.end(because: .replaced) }
    }

    /// True if there is no room: in the session that the peer would join, or for one more session of this peer.
    private func isFull(_ session: Session?) -> Bool {
        if let session, session.members[peer.id] != nil { return false }
        return session?.isFull == true || peer.memberships.count >= Self.sessionLimit
    }

    /// True if the peer may invite into a session. If the session exists here, only its host or a member that was cut
    /// off may do so. Any other machine that knows its ID would join users who did not invite it.
    private func canInvite(into session: SessionID) -> Bool {
        guard let session = peer.host.session(session) else { return true }
        return session.host == peer.id || session.members[peer.id] != nil
    }

    /// Decides which of two invitations stays, if both machines invite each other at the same moment.
    private func givesWay(_ own: SentInvitation, to invite: ControlFrame.Invite) -> Bool {
        CrossedInvitations(
            own: .init(inviter: context.id, invitation: own.id, session: own.session.id),
            theirs: .init(inviter: peer.id, invitation: invite.invitation, session: invite.session)
        ).ownGivesWay
    }

    private func ownInvitation(for purpose: InvitationPurpose) -> SentInvitation? {
        sent.values.first { $0.purpose == purpose }
    }
}

// MARK: - Results

extension PeerInvitations: InvitationOwner {
    func removeInvitation(_ id: InvitationID, over link: Link?) {
        sent[id] = nil
        received[id] = nil
        if let link { peer.expectUse(of: link) }
        peer.releaseSoon()
    }

    /// Pairs the peer: the code was right, or the user trusts the key without a code.
    func pin(_ name: InstanceName, _ way: PairingWay) {
        // At the start of the link the peer was unknown, and nothing of it was stored.
        let address = peer.link?.peerAddress.flatMap { try? HostAndPort($0.description) }
        context.invitationGate.notePairing()
        let (id, host) = (peer.id, peer.host)
        context.writer.write { store in
            try await store.pin(id, name: name, note: way.label)
            try await store.saw(id, as: name, at: address)
            await host.updatePairedMachines()
            try await store.set(Counter(), for: .wrongCodes(of: id))
            try await store.note("pinned", about: id)
            host.rightsMayChange(of: id)
        }
    }

    /// Counts a guess, for the key and for all unpaired machines together. A user allowed the guess, by showing a code
    /// or typing one, so no such machine can lock out others by itself.
    func countWrongCode() {
        let id = peer.id
        context.writer.note("wrong-code", about: id)
        context.writer.write { try await $0.countWrongCode(of: id) }
    }

    func join(
        _ session: Session,
        as wireSession: SessionID,
        over link: Link,
        wasInvitedHere: Bool,
        _ permissions: Permissions
    ) -> Member {
        peer.join(session, as: wireSession, over: link, wasInvitedHere: wasInvitedHere, permissions)
    }

    /// Drops the peer's own invitations for a purpose, without an answer.
    func dropReceived(for purpose: InvitationPurpose) {
        arrived?.removeAll { InvitationPurpose(of: $0.invite.context) == purpose }
        for earlier in received.values where earlier.purpose == purpose { earlier.end(because: .replaced) }
    }

    func ask(_ invitation: ReceivedInvitation, _ session: SessionID) {
        let left = max(.zero, invitation.deadline - .now)
        let waiting = WaitingInvitation(
            id: invitation.id,
            peer: invitation.peer,
            name: invitation.name,
            session: session,
            sessionName: invitation.sessionName,
            context: invitation.context,
            codeNeed: invitation.codeNeed,
            patienceUntil: .now + left.components.seconds + 1
        )
        context.tasks.add {
            // The reader of the event may answer at once through another program, so the invitation is stored by then.
            var otherKey: PeerID?
            await self.context.writer.attempt {
                try await $0.putBefore(waiting)
                guard let request = self.received[invitation.id], !request.isOfPaired else { return }
                otherKey = try await self.otherKey(of: request.link)
            }
            // The invitation may be over by now.
            guard let request = self.received[invitation.id] else { return }
            // Only with a question that the user sees. A stranger could use a known name in thousands of invitations,
            // and each warning is an entry of the log and a message to all commands.
            self.report(otherKey: otherKey, than: request.link, of: .stranger)
            request.noteReported()
            self.events.report(.invited(request.question))
        }
    }

    /// Removes a question to the user. The event follows that of the question, no matter how slow the disk is.
    func endQuestion(_ id: InvitationID, because reason: PartingReason?, _ missing: MissingWord? = nil) {
        context.tasks.add {
            await self.context.writer.attempt { try await $0.removeInvitation(id) }
            if let reason { self.events.report(.invitationOver(id, reason, missing)) }
        }
    }

    /// Adds an audit entry about the peer.
    func note(_ word: String, about link: Link, isKnown: Bool, _ details: [AuditEntry.Detail]) {
        if isKnown {
            context.writer.note(word, about: peer.id, details)
        } else {
            context.invitationGate.note(word, about: link, details)
        }
    }

    func ownSession(for purpose: InvitationPurpose) -> Session? {
        ownInvitation(for: purpose)?.session
            ?? peer.host.intendedInvitations.first { $0.peer == peer.id && $0.purpose == purpose }?.session
    }

    func replaceOwnInvitation(for purpose: InvitationPurpose) -> (session: Session, outcome: Promise<Void>)? {
        guard let own = ownInvitation(for: purpose), let outcome = own.giveWay() else { return nil }
        return (own.session, outcome)
    }

    func session(of invite: ControlFrame.Invite) -> Session {
        if let session = peer.host.session(invite.session) { return session }
        let configuration = SessionConfiguration(name: invite.sessionName, topology: invite.topology)
        let session = peer.host.begin(invite.session, configuration, host: peer.id)
        session.invitationContext = Array(invite.context)
        return session
    }
}
