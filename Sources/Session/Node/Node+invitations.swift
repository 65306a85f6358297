import Ledger
import LinuxPlatform
public import SessionRules
public import Vocabulary
import Wire

// MARK: - Inviting

extension Node {
    /// Whom to invite.
    public enum Target: Hashable, Sendable {
        /// A peer, wherever it is.
        case peer(PeerID)
        /// Whoever is at an address.
        case address(HostAndPort)
    }

    /// Asks a peer into a session, and returns when it is in.
    ///
    /// The first time two machines meet, ``NodeEvent/code(_:_:_:_:)`` comes here, and a person types that code there.
    ///
    /// - Parameters:
    ///   - context: up to 32 KiB for the program over there
    ///   - patience: how long the person there may take; bringing the link up does not count. Nil leaves time to type a code where one is needed
    ///   - takesKey: whether the person takes the peer's key as it is, without a code; only for a target that names the key
    /// - Returns: who it is
    /// - Throws: ``SessionError`` with the reason
    @discardableResult
    public func invite(
        _ target: Target,
        to session: Session,
        context: [UInt8] = [],
        patience: Duration? = nil,
        takesKey: Bool = false
    ) async throws -> PeerID {
        guard context.count <= WireLimits.context else {
            throw SessionError(
                "session.context-too-large",
                "the context has more than 32 KiB",
                nextStep: "send it as a message"
            )
        }
        let intended = IntendedInvitation(target, to: session, for: InvitationPurpose(of: context))
        intendedInvitations.append(intended)
        defer { drop(intended) }
        let link = try await link(to: DialTarget(target))
        intended.leadsTo(link.peer)
        let known = try await ledger.peer(link.peer)
        if known?.policy == .block { throw SessionError(.blocked) }
        if session.members[link.peer] != nil { return link.peer }
        if let underWay = sentInvitations.values.first(where: { $0.peer == link.peer && $0.session === session }) {
            try await underWay.ended()
            return link.peer
        }
        guard !session.isFull else { throw SessionError(.full) }
        if known?.isPinned != true, try await isLockedOut(link.peer, isPinned: false) { throw SessionError(.lockedOut) }
        try await checkName(of: link, known)
        // While the ledger was asked, another link may have taken its place.
        guard let link = links[link.peer], link.isOpen else { throw SessionError(.lost) }
        // So may the peer's own invitation have come. Inviting says yes to it.
        if session.members[link.peer] != nil { return link.peer }
        let open = receivedInvitations.values.filter { $0.link === link && $0.purpose == intended.purpose }
        if let theirs = open.first(where: { $0.isAnswered(byInvitingInto: session) }) {
            try await theirs.joined(session)
            return link.peer
        }
        let isIntroduced = session.isIntroduced(link.peer)
        let takesKey = takesKey && target == .peer(link.peer)
        let isCodeNeeded = known?.isPinned != true && !isIntroduced && !takesKey && !configuration.meetsWithoutCodes
        let invitation = SentInvitation(
            to: link,
            into: session,
            context: context,
            patience: patience ?? (isCodeNeeded ? Self.codePatience : Self.answerPatience),
            permissions: known?.permissions ?? .all,
            isCodeNeeded: isCodeNeeded,
            takesKey: takesKey,
            at: self
        )
        sentInvitations[invitation.id] = invitation
        drop(intended)
        note("invited", about: link.peer, [.init("session", session.configuration.name.text)])
        invitation.begin()
        try await withTaskCancellationHandler {
            try await invitation.ended()
        } onCancel: {
            Engine.loop.perform { @Sendable in Engine.assumeIsolated { invitation.withdraw() } }
        }
        return link.peer
    }

    /// How long a person may take to say yes or no.
    private static let answerPatience = Duration.seconds(30)
    /// How long a person may take to walk to another machine and type a code.
    private static let codePatience = Duration.seconds(120)

    private func drop(_ intended: IntendedInvitation) {
        intended.close()
        intendedInvitations.removeAll { $0 === intended }
    }

    /// A name that was pinned with one key and comes with another is told: it may be another machine of the same name, one
    /// that was installed anew, or one that pretends.
    private func checkName(of link: Link, _ known: KnownPeer?) async throws {
        if known?.isPinned != true { tell(ofOther: try await otherKey(of: link), than: link) }
    }

    private func otherKey(of link: Link) async throws -> PeerID? {
        try await ledger.keysFor(name: link.hello.name).values.first { $0.isPinned && $0.id != link.peer }?.id
    }

    private func tell(ofOther other: PeerID?, than link: Link) {
        guard let other else { return }
        tell(.keyChanged(link.hello.name, known: other, now: link.peer))
        note("key-changed", about: link.peer, [.init("known", other.short)])
    }

    /// To which session a sent invitation asks; nil once it is over.
    public func session(of invitation: InvitationID) -> Session? { sentInvitations[invitation]?.session }

    /// Takes an invitation back.
    public func withdraw(_ invitation: InvitationID) {
        sentInvitations[invitation]?.withdraw()
    }

    /// Takes all invitations into a session back that have led to nothing yet.
    public func withdrawAll(for session: Session) {
        for invitation in sentInvitations.values where invitation.session === session { invitation.withdraw() }
    }
}

extension DialTarget {
    init(_ target: Node.Target) {
        switch target {
        case .peer(let peer): self = .peer(peer)
        case .address(let address): self = .address(address)
        }
    }
}

// MARK: - Being invited

extension Node {
    /// An invitation that waits to be considered.
    struct ArrivedInvite {
        let invite: ControlFrame.Invite
        let link: Link

        /// Whether it is this invitation, come this way. Over a link that has taken another's place it is sent anew.
        func isSame(as invitation: InvitationID, over link: Link) -> Bool {
            invite.invitation == invitation && self.link === link
        }
    }

    /// How many invitations of a member wait to be looked at.
    private static let arrivedLimit = 8
    /// The same of a machine that is in no session: one that is looked at, and the latest.
    private static let strangersArrivedLimit = 2
    /// How many invitations of one peer, each for another purpose, are open at the same time. Of a stranger it is one.
    private static let openLimit = 8
    /// How many sessions one peer can open here. A member costs memory.
    private static let sessionLimit = 64

    /// What a person makes of an invitation.
    public enum Answer: Hashable, Sendable {
        /// Let it in; at a first meeting with the code that the inviter shows, or nil where the person takes its key as it is.
        case accept(typed: PairingCode?)
        /// Not now.
        case decline
        /// Not now and never.
        case block
    }

    /// Answers an invitation that waits for a person. Nothing comes of it where it is over already.
    public func answer(_ invitation: InvitationID, _ answer: Answer) async throws {
        guard let request = receivedInvitations[invitation], !request.isSilent else { return }
        switch answer {
        case .accept(let typed):
            try request.accept(typed)
        case .decline:
            note("declined-by-person", about: request.peer)
            request.decline()
        case .block: try await block(request.peer, named: request.link.hello.name)
        }
    }

    /// Ends an invitation that no person is asked about. A paired machine hears that it is not permitted, so that its person can be shown
    /// why nothing syncs. A stranger hears nothing: it cannot tell that from a block, nor from a person who does not look.
    public func declineUnasked(_ invitation: InvitationID) {
        wasAnswered(invitation, because: nil)
        if let request = receivedInvitations[invitation], request.isOfPaired { request.decline(.notPermitted) }
    }

    /// One after the other for each peer, so that nobody can make questions to the ledger pile up.
    func take(_ invite: ControlFrame.Invite, from link: Link) {
        guard receivedInvitations[invite.invitation] == nil, !isStopping else { return }
        let arrived = ArrivedInvite(invite: invite, link: link)
        guard arrivedInvites[link.peer] == nil else {
            // Whoever asks so often has thought better of the first ones.
            let limit = link.isOfMember ? Self.arrivedLimit : Self.strangersArrivedLimit
            let latest = (arrivedInvites[link.peer] ?? []).suffix(limit - 1)
            return arrivedInvites[link.peer] = latest + [arrived]
        }
        arrivedInvites[link.peer] = [arrived]
        crew.add { await self.considerArrived(of: link.peer) }
    }

    /// One that is taken back before it was considered never came.
    func take(_ cancel: ControlFrame.InviteCancel, from link: Link) throws {
        arrivedInvites[link.peer]?.removeAll { $0.isSame(as: cancel.invitation, over: link) }
        try receivedInvitations[cancel.invitation]?.take(cancel, from: link)
    }

    private func considerArrived(of peer: PeerID) async {
        defer { arrivedInvites[peer] = nil }
        while let next = arrivedInvites[peer]?.first {
            defer { arrivedInvites[peer]?.removeAll { $0.isSame(as: next.invite.invitation, over: next.link) } }
            do {
                try await consider(next.invite, from: next.link)
            } catch let error as any ExplainedError {
                tell(.trouble(error))
            } catch {}
        }
    }

    /// Whatever is known of the inviter is looked up in the same way and takes the same time, let in or not.
    private func consider(
        _ invite: ControlFrame.Invite,
        from link: Link
    ) async throws {
        // Whoever is dialled right now may be the one that invites.
        for intended in intendedInvitations { await intended.isKnown.settled() }
        let purpose = InvitationPurpose(of: invite.context)
        let isIntroduced = await isIntroduced(link.peer, into: invite.session)
        let known = try await ledger.peer(link.peer)
        let defaultPolicy = try await ledger.defaultPolicy()
        let standing = standing(of: known, defaultPolicy)
        if standing != .welcome { try await strangers.turn(of: link) }
        let facts = Decision.Facts(
            policyOfKey: known?.policy,
            defaultPolicy: defaultPolicy,
            isPinned: known?.isPinned == true,
            isLockedOut: try await isLockedOut(link.peer, isPinned: known?.isPinned == true),
            permissions: known?.permissions ?? .all,
            isFull: isFull(for: link.peer, ownSession(for: link.peer, purpose) ?? sessions[invite.session])
        )
        // It is looked up for everybody, or a blocked peer could tell by how soon an answer comes.
        let other = try await otherKey(of: link)
        guard links[link.peer] === link, receivedInvitations[invite.invitation] == nil,
            arrivedInvites[link.peer]?.contains(where: { $0.isSame(as: invite.invitation, over: link) }) == true
        else { return }
        // One of this machine's own may have gone out meanwhile.
        let own = ownInvitation(to: link.peer, purpose)
        if let own, !crossed(own, invite, link) { return }
        let ownSession = ownSession(for: link.peer, purpose)
        var decision = Decision(facts)
        let isWelcome = ownSession != nil || isIntroduced
        if isWelcome, decision.verdict == .ask { decision = .welcome }
        if !isWelcome, !mayInvite(link.peer, into: invite.session) { decision = decision.refusingIntrusion }
        // One question at a time: a peer that asks twice has thought better of the first.
        let replaced = receivedInvitations.values.filter {
            $0.link === link && ($0.purpose == purpose || standing == .stranger)
        }
        for earlier in replaced { strangers.isOver(earlier.invite.invitation, .hungUp) }
        if standing == .stranger, !isWelcome { decision = strangers.judge(decision, link) }
        note(
            decision.auditWord,
            about: link,
            isKnown: standing == .welcome,
            [.init("session", invite.sessionName.text)]
        )
        if decision.verdict == .ask, !facts.isPinned { tell(ofOther: other, than: link) }
        let request = IncomingRequest(
            invite,
            over: link,
            verdict: decision.verdict,
            permissions: facts.permissions,
            standing: standing,
            isCodeNeeded: !facts.isPinned && !isIntroduced && !configuration.meetsWithoutCodes,
            becoming: ownSession ?? sessions[invite.session],
            at: self
        )
        for earlier in replaced { earlier.isReplaced(by: request) }
        makeRoomForOne(over: link)
        if standing == .stranger, decision.verdict == .ask { strangers.asks(invite.invitation, link) }
        receivedInvitations[invite.invitation] = request
        own?.giveWay(to: request)
        request.begin()
    }

    private func standing(of known: KnownPeer?, _ defaultPolicy: Policy) -> InviterStanding {
        if configuration.meetsWithoutCodes { return .welcome }
        guard let known, known.isPinned else { return .stranger }
        return (known.policy ?? defaultPolicy) == .accept ? .welcome : .paired
    }

    /// A purpose is the inviter's word, and there are as many as it makes up.
    private func makeRoomForOne(over link: Link) {
        let open = receivedInvitations.values.filter { $0.link === link }.sorted { $0.arrival < $1.arrival }
        for oldest in open.dropLast(Self.openLimit - 1) { oldest.wasTakenBack(.replaced) }
    }

    /// A peer has said yes to an invitation from here: what it asked before that has given way, without a word.
    func saidYes(_ peer: PeerID, _ purpose: InvitationPurpose) {
        arrivedInvites[peer]?.removeAll { InvitationPurpose(of: $0.invite.context) == purpose }
        for earlier in receivedInvitations.values where earlier.peer == peer && earlier.purpose == purpose {
            earlier.wasTakenBack(.replaced)
        }
    }

    func ownInvitation(to peer: PeerID, _ purpose: InvitationPurpose) -> SentInvitation? {
        sentInvitations.values.first { $0.peer == peer && $0.purpose == purpose }
    }

    /// The session that this machine invites a peer to, or is about to.
    func ownSession(for peer: PeerID, _ purpose: InvitationPurpose) -> Session? {
        ownInvitation(to: peer, purpose)?.session
            ?? intendedInvitations.first { $0.peer == peer && $0.purpose == purpose }?.session
    }

    /// Writes something down about the machine at the other end of a link.
    func note(_ word: String, about link: Link, isKnown: Bool, _ details: [AuditEntry.Detail]) {
        if isKnown {
            note(word, about: link.peer, details)
        } else {
            strangers.note(word, about: link, details)
        }
    }

    /// Whether there is room: in the session it would become, and for one more of this peer's.
    private func isFull(for peer: PeerID, _ session: Session?) -> Bool {
        if let session, session.members[peer] != nil { return false }
        return session?.isFull == true || members.values.count { $0.peer == peer } >= Self.sessionLimit
    }

    /// Into a session that exists here invites who began it, or a member that was cut off. Everybody else who knows its id
    /// would let itself in among people who did not ask for it.
    private func mayInvite(_ peer: PeerID, into session: SessionID) -> Bool {
        guard let session = sessions[session] else { return true }
        return session.host == peer || session.members[peer] != nil
    }

    /// Both invite each other at the same moment: whether theirs is the one that stays.
    private func crossed(_ own: SentInvitation, _ invite: ControlFrame.Invite, _ link: Link) -> Bool {
        CrossedInvitations(
            own: .init(inviter: id, invitation: own.id, session: own.session.id),
            theirs: .init(inviter: link.peer, invitation: invite.invitation, session: invite.session)
        ).ownGivesWay
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
        crew.add {
            do {
                try await self.ledger.putBefore(waiting)
            } catch let error as any ExplainedError {
                self.tell(.trouble(error))
            } catch {}
            // Whoever reads of it may answer at once from another program, so it is in the ledger by then; and it may be over.
            guard let request = self.receivedInvitations[invitation.id] else { return }
            request.isTold = true
            self.tell(.invited(request.question))
        }
    }

    /// The person need not be asked any more. It is told behind the question, whatever the disk takes.
    func wasAnswered(_ invitation: InvitationID, because reason: PartingReason?, _ missing: MissingWord? = nil) {
        crew.add {
            do {
                try await self.ledger.removeInvitation(invitation)
            } catch let error as any ExplainedError {
                self.tell(.trouble(error))
            } catch {}
            if let reason { self.tell(.invitationOver(invitation, reason, missing)) }
        }
    }

    func joined(_ invite: ControlFrame.Invite, hostedBy host: PeerID) -> Session {
        if let session = sessions[invite.session] { return session }
        let configuration = SessionConfiguration(name: invite.sessionName, topology: invite.topology)
        let session = begin(invite.session, configuration, host: host)
        session.invitationContext = Array(invite.context)
        return session
    }

    func enter(
        _ session: Session,
        _ wireSession: SessionID,
        _ link: Link,
        wasInvitedHere: Bool,
        _ permissions: Permissions
    ) -> Member {
        let key = MemberKey(peer: link.peer, session: wireSession)
        if let member = members[key] { return member }
        if let other = session.members[link.peer] { forget(other, because: .replaced) }
        let member = Member(
            link.peer,
            as: wireSession,
            in: session,
            wasInvitedHere: wasInvitedHere,
            permissions: permissions,
            over: link
        )
        members[key] = member
        giveAccount(over: link)
        if let guest = link.guest { door.left(guest) }
        session.add(member)
        refreshPermissions(of: member)
        return member
    }
}
