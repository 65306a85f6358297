import Digests
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
    /// The session of this machine that it becomes part of, where the two invited each other.
    private var ownSession: Session?
    /// What the peer may do from its first moment on.
    private let permissions: Permissions
    private var isAsked = false
    /// Whether the person has been told of it: from then on the answer is up to whoever asks the person.
    var isTold = false
    /// Whether the person wants no questions about the peer once it is in.
    var isWelcomeAlways = false
    /// Who waits for it, and for which session of this machine.
    private var waiting: [(session: Session, outcome: Promise<Void>)] = []

    var peer: PeerID { link.peer }
    var wireSession: SessionID { invite.session }
    var purpose: InvitationPurpose { InvitationPurpose(of: invite.context) }
    var code: PairingCode? { machine.code }
    var isSilent: Bool { machine.isSilent }

    init?(
        _ invite: ControlFrame.Invite,
        over link: Link,
        verdict: Decision.Verdict,
        permissions: Permissions,
        isCodeNeeded: Bool,
        becoming ownSession: Session?,
        at node: Node
    ) {
        guard let binding = try? link.pairingBinding() else { return nil }
        self.invite = invite
        self.link = link
        self.ownSession = ownSession
        self.permissions = permissions
        self.node = node
        var random = Chance()
        machine = IncomingInvitation(
            .init(
                commitment: invite.commitment,
                codeNeededThere: invite.isCodeNeeded,
                codeNeededHere: isCodeNeeded,
                verdict: verdict
            ),
            PairingRecipe(inviter: link.peer, invited: node.id, hash: Digest.sha256),
            binding: binding,
            nonce: .random(using: &random),
            patience: InvitationPatience(person: invite.patience),
            at: .now
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
        if machine.state == .asking { perform(machine.confirm(at: .now)) }
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

    func take(_ reveal: ControlFrame.PairReveal, from link: Link) throws {
        guard link === self.link else { return }
        perform(try machine.receivedReveal(reveal.nonce))
    }

    func takeConfirm(from link: Link) throws {
        if link === self.link { perform(try machine.receivedConfirm(at: .now)) }
    }

    func take(_ cancel: ControlFrame.InviteCancel, from link: Link) throws {
        guard link === self.link else { return }
        if cancel.reason == .wrongCode, code != nil, !isSilent { node.countWrongCode(of: peer, isClaimed: true) }
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

    /// Whether what a person typed is not the code. Nil is right, as they have compared.
    func isWrong(_ typed: PairingCode?) -> Bool { typed != nil && code != nil && typed != code }

    func accept(_ typed: PairingCode?) {
        guard let typed, code != nil else { return perform(machine.confirm(at: .now)) }
        let isWrong = isWrong(typed)
        perform(machine.typed(typed, at: .now))
        if isWrong { node.countWrongCode(of: peer) }
    }

    func decline(_ reason: PartingReason = .declined) { perform(machine.decline(reason)) }

    // MARK: What follows

    /// - Parameter missing: whose word was missing, where this may be the end of the time
    private func perform(_ actions: [IncomingInvitation.Action], _ missing: MissingWord? = nil) {
        for action in actions {
            switch action {
            case .sendNonce(let nonce, let isCodeNeeded):
                link.send(.pairNonce(.init(invitation: invite.invitation, nonce: nonce, isCodeNeeded: isCodeNeeded)))
            case .ask(let code): ask(code)
            case .sendConfirm: link.send(.pairConfirm(invite.invitation))
            case .sendAnswer(let refusal):
                let verdict: Wire.Verdict = refusal.map { .refused($0) } ?? .accepted
                link.send(.inviteAnswer(.init(invitation: invite.invitation, verdict: verdict)))
            case .join(let pins): join(pins: pins)
            case .sendLeave(let reason): link.send(.leave(.init(session: wireSession, reason: reason)))
            case .end(let reason): end(reason, missing)
            }
        }
        setTimer()
    }

    private func ask(_ code: PairingCode?) {
        isAsked = true
        let deadline = machine.deadline ?? .now
        let received = ReceivedInvitation(
            id: invite.invitation,
            peer: peer,
            name: link.hello.name,
            sessionName: invite.sessionName,
            context: Array(invite.context),
            code: code,
            deadline: deadline
        )
        node.ask(received, wireSession)
    }

    private func join(pins: Bool) {
        if ownSession == nil { becomeWhatWasMeant() }
        // Whoever left its own session meanwhile wants nobody in it any more.
        guard ownSession?.isOpen ?? true else {
            link.send(.leave(.init(session: wireSession, reason: .left)))
            return end(.withdrawn)
        }
        if pins { node.pin(peer, link.hello.name, .letIn) }
        if isWelcomeAlways { node.welcomeAlways(peer) }
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
        node.note("invitation-over", about: peer, [.init("reason", reason.word)])
        for (_, outcome) in waiting { outcome.settle(.failure(SessionError(reason, missing: missing))) }
        finish(because: reason, missing)
    }

    /// - Parameter reason: why it came to nothing, where it did
    private func finish(because reason: PartingReason? = nil, _ missing: MissingWord? = nil) {
        timer.cancel()
        node.receivedInvitations[invite.invitation] = nil
        if isAsked {
            node.wasAnswered(invite.invitation, because: reason, missing)
        }
        node.expectUse(of: link)
    }

    private func setTimer() {
        timer.set(for: self, at: machine.deadline) { $0.timeIsUp() }
    }

    private func timeIsUp() {
        let missing = machine.state.missing
        perform(machine.deadlinePassed(at: .now), missing)
    }
}
