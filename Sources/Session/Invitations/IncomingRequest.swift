import Ledger
import LinuxPlatform
import SessionRules
import Transport
import Vocabulary
import Wire

/// An invitation from a peer, until it has led to something.
@Engine
final class IncomingRequest {
    let invite: ControlFrame.Invite
    let link: Link
    /// When it came.
    let arrival = ContinuousClock.now
    private unowned let node: Node
    private var machine: IncomingInvitation
    private var timer = MachineTimer()
    /// The moment in which the person is asked.
    private var asking = MachineTimer()
    /// What the inviter's proof is checked with, once the person has typed a code.
    private var exchange: PairingExchange?
    private let standing: InviterStanding
    /// The session of this machine that it becomes part of, where the two invited each other.
    private var ownSession: Session?
    /// What the peer may do from its first moment on.
    private let permissions: Permissions
    private var isAsked = false
    /// Whether the person has said yes.
    private var isAnswered = false
    /// Whether the person has been told of it: from then on the answer is up to whoever asks the person.
    var isTold = false
    /// Who waits for it, and for which session of this machine.
    private var waiting: [(session: Session, outcome: Promise<Void>)] = []

    var peer: PeerID { link.peer }
    var wireSession: SessionID { invite.session }
    var purpose: InvitationPurpose { InvitationPurpose(of: invite.context) }
    var isSilent: Bool { machine.isSilent }
    var isOfPaired: Bool { standing != .stranger }
    init(
        _ invite: ControlFrame.Invite,
        over link: Link,
        verdict: Decision.Verdict,
        permissions: Permissions,
        standing: InviterStanding,
        isCodeNeeded: Bool,
        becoming ownSession: Session?,
        at node: Node
    ) {
        self.invite = invite
        self.standing = standing
        self.link = link
        self.ownSession = ownSession
        self.permissions = permissions
        self.node = node
        machine = IncomingInvitation(
            .init(codeNeededThere: invite.isCodeNeeded, codeNeededHere: isCodeNeeded, verdict: verdict),
            patience: InvitationPatience(person: invite.patience)
        )
    }

    func begin() { perform(machine.begin(at: .now)) }

    /// Whether it is to become part of a session of this machine, and may still lead to that.
    func becomes(_ session: Session) -> Bool { ownSession === session && !isSilent }

    /// The person here invites the peer before having heard of this, or after having said yes to it: it becomes part of that session. A code is still
    /// to be confirmed.
    func isAnswered(byInvitingInto session: Session) -> Bool {
        guard ownSession?.isOpen != true, machine.isAnsweredByInviting(isTold: isTold) else { return becomes(session) }
        ownSession = session
        switch machine.state {
        case .asking: perform(machine.accept(at: .now))
        // The person who invites is at a screen, and can type the code there.
        case .codeWanted where isTold: node.tell(.invited(question))
        default: break
        }
        return true
    }

    /// Waits until the peer is in a session of this machine by it.
    func joined(_ session: Session) async throws {
        let outcome = Promise<Void>()
        settles(outcome, for: session)
        try await outcome.value()
    }

    /// An invitation from here has given way to this one; whoever waits for it waits for this.
    func settles(_ outcome: Promise<Void>, for session: Session) { waiting.append((session, outcome)) }

    // MARK: What the peer says

    func take(_ reply: ControlFrame.PairReply, from link: Link) throws {
        guard link === self.link else { return }
        let confirmations = exchange.take()?.confirmations(for: reply.share)
        let isRight = confirmations?.isRight(reply.confirmation) ?? false
        perform(try machine.receivedReply(isRight: isRight, at: .now), confirming: confirmations?.own)
    }

    func take(_ cancel: ControlFrame.InviteCancel, from link: Link) throws {
        guard link === self.link else { return }
        let missing = machine.state.missing
        perform(try machine.receivedCancel(cancel.reason), missing)
    }

    func wasWelcomed() throws { perform(try machine.receivedWelcome()) }

    /// The inviter has asked once more; whoever waits for this waits for that.
    func isReplaced(by request: IncomingRequest) {
        for (session, outcome) in waiting { request.settles(outcome, for: session) }
        waiting = []
        wasTakenBack(.replaced)
    }

    /// The inviter has changed its mind after the answer.
    func wasTakenBack(_ reason: PartingReason) { perform(machine.linkLost(reason)) }

    func linkLost(_ reason: PartingReason) { perform(machine.linkLost(reason)) }

    // MARK: What the person says

    /// - Parameter typed: the code that the inviter shows; nil where none is needed, or the person takes the key as it is
    /// - Throws: where the inviter wants a code and got none
    func accept(_ typed: PairingCode?) throws {
        isAnswered = true
        if let typed { return perform(machine.typed(typed, at: .now)) }
        guard machine.codeNeed != .there else { throw SessionError.codeWanted }
        perform(machine.accept(at: .now))
    }

    func decline(_ reason: PartingReason = .declined) { perform(machine.decline(reason)) }

    // MARK: What follows

    /// - Parameters:
    ///   - missing: whose word was missing, where this may be the end of the time
    ///   - confirmation: this side's proof
    private func perform(
        _ actions: [IncomingInvitation.Action],
        _ missing: MissingWord? = nil,
        confirming confirmation: PairingConfirmation? = nil
    ) {
        for action in actions {
            switch action {
            case .sendReceipt(let isCodeNeeded):
                link.send(.inviteReceived(.init(invitation: invite.invitation, isCodeNeeded: isCodeNeeded)))
            case .ask: askSoon()
            case .sendShare(let code): sendShare(code)
            case .sendConfirm:
                guard let confirmation else { continue }
                link.send(.pairConfirm(.init(invitation: invite.invitation, confirmation: confirmation)))
            case .countWrongCode: node.countWrongCode(of: peer)
            case .sendAnswer(let refusal):
                if refusal == nil, isAnswered { node.note("accepted-by-person", about: peer) }
                let verdict: Wire.Verdict = refusal.map { .refused($0) } ?? .accepted
                link.send(.inviteAnswer(.init(invitation: invite.invitation, verdict: verdict)))
            case .join(let pins): join(pins: pins)
            case .sendLeave(let reason): link.send(.leave(.init(session: wireSession, reason: reason)))
            case .end(let reason): end(reason, missing)
            }
        }
        setTimer()
    }

    private func sendShare(_ code: PairingCode) {
        guard let setting = try? link.pairing(of: invite.invitation, invitedBy: peer, node.id) else {
            return perform(machine.linkLost(.lost))
        }
        let exchange = PairingExchange(.invited, in: setting, digits: code.digits)
        link.send(.pairShare(.init(invitation: invite.invitation, share: exchange.share)))
        self.exchange = consume exchange
    }

    /// Asking is work: a row in the ledger, a notice, a program that is called. Right behind the receipt it would hold up the next Pong, by which
    /// a peer could tell a machine that asks from one that blocks it. So it waits for a moment that no frame of the peer's chooses.
    private func askSoon() {
        let isHidden = !node.configuration.meetsWithoutCodes
        let delay = isHidden ? Duration.milliseconds(.random(in: Self.askingDelay)) : .zero
        asking.set(for: self, at: .now + delay) { $0.ask() }
    }

    private static let askingDelay = 50.0...250.0

    private func ask() {
        isAsked = true
        node.strangers.isShown(invite.invitation)
        node.ask(question, wireSession)
    }

    /// What the person is asked.
    var question: ReceivedInvitation {
        ReceivedInvitation(
            id: invite.invitation,
            peer: peer,
            name: link.hello.name,
            sessionName: invite.sessionName,
            context: Array(invite.context),
            codeNeed: machine.codeNeed,
            ownSession: ownSession?.id,
            deadline: machine.deadline ?? .now
        )
    }

    private func join(pins: Bool) {
        if ownSession == nil { becomeWhatWasMeant() }
        // Whoever left its own session meanwhile wants nobody in it any more.
        guard ownSession?.isOpen ?? true else {
            link.send(.leave(.init(session: wireSession, reason: .left)))
            return end(.withdrawn)
        }
        if pins { node.pin(peer, link.hello.name, .letIn) }
        let session = ownSession ?? node.joined(invite, hostedBy: peer)
        let member = node.enter(session, wireSession, link, wasInvitedHere: false, permissions)
        session.open(member)
        if ownSession == nil {
            node.tell(.joined(session, by: peer))
        } else if isTold {
            node.tell(.letIntoOwn(invite.invitation, session, by: peer))
        }
        for (wanted, outcome) in waiting {
            outcome.settle(wanted === session ? .success(()) : .failure(SessionError(.replaced)))
        }
        finish()
    }

    /// This machine has invited the peer while a person was asked, or is about to. What has gone out was dropped over there, or there would be no welcome for
    /// this one; what has not must not go out any more.
    private func becomeWhatWasMeant() {
        ownSession = node.ownSession(for: peer, purpose)
        node.ownInvitation(to: peer, purpose)?.giveWay(to: self)
    }

    private func end(_ reason: PartingReason, _ missing: MissingWord? = nil) {
        let details = [AuditEntry.Detail("reason", reason.word)]
        if standing == .stranger, isAsked, !isAnswered {
            // A person who comes to answer looks for the reason. Questions are few, so each of these is written.
            node.note("invitation-over", about: peer, details, of: .stranger)
        } else {
            node.note("invitation-over", about: link, isKnown: standing == .welcome || isAnswered, details)
        }
        for (_, outcome) in waiting { outcome.settle(.failure(SessionError(reason, missing: missing))) }
        finish(because: reason, missing)
    }

    /// - Parameter reason: why it came to nothing, where it did
    private func finish(because reason: PartingReason? = nil, _ missing: MissingWord? = nil) {
        timer.cancel()
        asking.cancel()
        node.receivedInvitations[invite.invitation] = nil
        node.strangers.isOver(invite.invitation, strangersEnd(reason))
        if isAsked {
            node.wasAnswered(invite.invitation, because: reason, missing)
        }
        node.expectUse(of: link)
    }

    private func strangersEnd(_ reason: PartingReason?) -> StrangerAllowance<IPAddress>.End {
        if isAnswered { return .taken }
        return switch reason {
        case .declined, .timedOut, .blocked: .unwanted
        default: .hungUp
        }
    }

    private func setTimer() {
        timer.set(for: self, at: machine.deadline) { $0.timeIsUp() }
    }

    private func timeIsUp() {
        let missing = machine.state.missing
        perform(machine.deadlinePassed(at: .now), missing)
    }
}
