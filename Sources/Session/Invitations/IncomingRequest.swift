import Ledger
import LinuxPlatform
import SessionRules
import Transport
import Vocabulary
import Wire

/// An invitation from a peer, until it has a result.
@Engine
final class IncomingRequest {
    /// The steps that the invitation has taken. They can come in any order.
    private struct Steps: OptionSet {
        let rawValue: Int
        /// The question is on its way to the user.
        static let asked = Steps(rawValue: 1)
        /// The user has accepted.
        static let accepted = Steps(rawValue: 2)
        /// The program that asks the user has the question. From then on the answer depends on that program.
        static let reported = Steps(rawValue: 4)
        /// Another link has replaced the one over which it arrived.
        static let moved = Steps(rawValue: 8)
    }

    /// The receipt, which may be held back. A decision takes longer if a question follows than if silence follows. So a
    /// receipt that is sent as soon as the decision is made would show a block.
    private struct Receipt {
        /// The moment at which it is sent, set before the decision; nil to send it at once.
        let due: ContinuousClock.Instant?
        var held: ControlFrame?
        var timer = MachineTimer()
    }

    let invite: ControlFrame.Invite
    private(set) var link: Link
    let arrival = ContinuousClock.now
    private unowned let owner: any InvitationOwner
    private var machine: IncomingInvitation
    private var timer = MachineTimer()
    private var receipt: Receipt
    /// The moment of the question to the user.
    private var asking = MachineTimer()
    /// The check of the inviter's proof, after the user has typed a code.
    private var exchange: PairingExchange?
    private let standing: InviterStanding
    /// The session of this machine that the peer joins if the two invited each other.
    private var ownSession: Session?
    /// The peer's permissions from its first moment on.
    private let permissions: Permissions
    private var steps: Steps = []
    /// The callers that wait for the result, each for a session of this machine.
    private var waiting: [(session: Session, outcome: Promise<Void>)] = []

    private var context: NodeContext { owner.context }
    private var events: EventQueue<NodeEvent> { owner.events }
    var peer: PeerID { link.peer }
    var wireSession: SessionID { invite.session }
    var purpose: InvitationPurpose { InvitationPurpose(of: invite.context) }
    var isSilent: Bool { machine.isSilent }
    var isOfPaired: Bool { standing != .stranger }
    /// True if the inviter may count this machine as a member already: its welcome is due, or was lost with a link.
    var awaitsWelcome: Bool { machine.state == .answered }
    var hasMoved: Bool { steps.contains(.moved) }
    private var isReported: Bool { steps.contains(.reported) }

    init(
        _ invite: ControlFrame.Invite,
        over link: Link,
        verdict: Decision.Verdict,
        permissions: Permissions,
        standing: InviterStanding,
        receiptDue: ContinuousClock.Instant?,
        isCodeNeeded: Bool,
        becoming ownSession: Session?,
        owner: any InvitationOwner
    ) {
        self.invite = invite
        self.standing = standing
        receipt = Receipt(due: receiptDue)
        self.link = link
        self.ownSession = ownSession
        self.permissions = permissions
        self.owner = owner
        machine = IncomingInvitation(
            .init(codeNeededThere: invite.isCodeNeeded, codeNeededHere: isCodeNeeded, verdict: verdict),
            patience: InvitationPatience(answer: invite.patience)
        )
    }

    func begin() { perform(machine.begin(at: .now)) }

    /// True if the peer is going to join a session of this machine, and still may.
    func leads(to session: Session) -> Bool { ownSession === session && !isSilent }

    /// Accepts the invitation because the user invites the peer into a session, before the user knows of the invitation
    /// or after accepting it. The peer joins that session. A code must still be confirmed. Returns false if the request
    /// leads elsewhere.
    func accept(byInvitingInto session: Session) -> Bool {
        guard ownSession?.isOpen != true, machine.isAnsweredByInviting(isReported: isReported) else {
            return leads(to: session)
        }
        ownSession = session
        switch machine.state {
        case .asking: perform(machine.accept(at: .now))
        // The user who invites is at a screen, and can type the code there.
        case .codeWanted where isReported: events.report(.invited(question))
        default: break
        }
        return true
    }

    /// Waits until this invitation has made the peer a member of a session of this machine.
    func awaitJoin(of session: Session) async throws {
        let outcome = Promise<Void>()
        add(outcome, for: session)
        try await outcome.value()
    }

    /// Adds the outcome of an invitation of this machine that has given way to this one.
    func add(_ outcome: Promise<Void>, for session: Session) { waiting.append((session, outcome)) }

    // MARK: Frames of the peer

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

    func takeWelcome() throws { perform(try machine.receivedWelcome()) }

    /// Waits for the welcome over a link that has replaced the first one.
    func move(to link: Link) {
        guard link !== self.link else { return }
        self.link = link
        steps.insert(.moved)
    }

    /// Ends in favour of the next invitation of the same peer.
    func giveWay(to request: IncomingRequest) {
        for (session, outcome) in waiting { request.add(outcome, for: session) }
        waiting = []
        end(because: .replaced)
    }

    /// Ends the invitation: the inviter has withdrawn it, or the link is lost.
    func end(because reason: PartingReason) { perform(machine.linkLost(reason)) }

    // MARK: Answers of the user

    func noteReported() { steps.insert(.reported) }

    /// - Parameter typed: the code that the inviter shows; nil if none is needed, or if the user trusts the key without
    ///   a code
    /// - Throws: if the inviter needs a code and got none
    func accept(_ typed: PairingCode?) throws {
        steps.insert(.accepted)
        if let typed { return perform(machine.typed(typed, at: .now)) }
        guard machine.codeNeed != .there else { throw SessionError.codeWanted }
        perform(machine.accept(at: .now))
    }

    func decline(_ reason: PartingReason = .declined) { perform(machine.decline(reason)) }

    // MARK: Actions

    /// - Parameters:
    ///   - missing: the missing word, if this may be the end of the time
    ///   - confirmation: this side's proof
    private func perform(
        _ actions: [IncomingInvitation.Action],
        _ missing: MissingWord? = nil,
        confirming confirmation: PairingConfirmation? = nil
    ) {
        for action in actions {
            switch action {
            case .sendReceipt(let isCodeNeeded):
                hold(.inviteReceived(.init(invitation: invite.invitation, isCodeNeeded: isCodeNeeded)))
            case .ask: askSoon()
            case .sendShare(let code): sendShare(code)
            case .sendConfirm:
                guard let confirmation else { continue }
                send(.pairConfirm(.init(invitation: invite.invitation, confirmation: confirmation)))
            case .countWrongCode: owner.countWrongCode()
            case .sendAnswer(let refusal):
                if refusal == nil, steps.contains(.accepted) {
                    context.writer.note("accepted-by-user", about: peer)
                }
                let verdict: Wire.Verdict = refusal.map { .refused($0) } ?? .accepted
                send(.inviteAnswer(.init(invitation: invite.invitation, verdict: verdict)))
            case .join(let pins): join(pins: pins)
            case .sendLeave(let reason): send(.leave(.init(session: wireSession, reason: reason)))
            case .end(let reason): end(reason, missing)
            }
        }
        setTimer()
    }

    private func hold(_ frame: ControlFrame) {
        guard let due = receipt.due else { return link.send(frame) }
        receipt.held = frame
        receipt.timer.set(for: self, at: due) { $0.sendReceipt() }
    }

    private func sendReceipt() {
        receipt.timer.cancel()
        if let frame = receipt.held.take() { link.send(frame) }
    }

    /// Sends a frame, and the receipt before it.
    private func send(_ frame: ControlFrame) {
        sendReceipt()
        link.send(frame)
    }

    private func sendShare(_ code: PairingCode) {
        guard let setting = try? link.pairing(of: invite.invitation, invitedBy: peer, context.id) else {
            return perform(machine.linkLost(.lost))
        }
        let exchange = PairingExchange(.invited, in: setting, digits: code.digits)
        send(.pairShare(.init(invitation: invite.invitation, share: exchange.share)))
        self.exchange = consume exchange
    }

    /// Asks the user at a moment that no frame of the peer chooses. A question is work: an entry in the store, a
    /// notice, a program that is called. Right after the receipt it would delay the next pong, and so show a peer if
    /// this machine asks or blocks it.
    private func askSoon() {
        let isHidden = !context.configuration.meetsWithoutCodes
        let delay = isHidden ? Duration.milliseconds(.random(in: Self.askingDelay)) : .zero
        asking.set(for: self, at: .now + delay) { $0.ask() }
    }

    private static let askingDelay = 50.0...250.0

    private func ask() {
        steps.insert(.asked)
        context.invitationGate.noteShown(invite.invitation)
        owner.ask(question, wireSession)
    }

    /// The question to the user.
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
        if ownSession == nil { becomeOwn() }
        // The user has left that session, so no member may join it.
        guard ownSession?.isOpen ?? true else {
            send(.leave(.init(session: wireSession, reason: .left)))
            return end(.withdrawn)
        }
        if pins { owner.pin(link.hello.name, .accepted) }
        let session = ownSession ?? owner.session(of: invite)
        let member = owner.join(session, as: wireSession, over: link, wasInvitedHere: false, permissions)
        session.open(member)
        if ownSession == nil {
            events.report(.joined(session, by: peer))
        } else if isReported {
            events.report(.letIntoOwn(invite.invitation, session, by: peer))
        }
        for (wanted, outcome) in waiting {
            outcome.settle(wanted === session ? .success(()) : .failure(SessionError(.replaced)))
        }
        finish()
    }

    /// Takes the place of this machine's own invitation, which was sent, or is about to be, while the user was asked.
    /// The peer has dropped a sent one, because it has welcomed this machine. One that is not sent must not go out now.
    private func becomeOwn() {
        ownSession = owner.ownSession(for: purpose)
        takeOwnOutcome()
    }

    /// Takes over the callers that wait for this machine's own invitation.
    func takeOwnOutcome() {
        guard let own = owner.replaceOwnInvitation(for: purpose) else { return }
        add(own.outcome, for: own.session)
    }

    private func end(_ reason: PartingReason, _ missing: MissingWord? = nil) {
        let details = [AuditEntry.Detail("reason", reason.word)]
        if standing == .stranger, steps.contains(.asked), !steps.contains(.accepted) {
            // A user who answers too late looks for the reason. Questions are few, so each gets an entry.
            context.writer.note("invitation-over", about: peer, details, of: .stranger)
        } else {
            let isKnown = standing == .welcome || steps.contains(.accepted)
            owner.note("invitation-over", about: link, isKnown: isKnown, details)
        }
        for (_, outcome) in waiting { outcome.settle(.failure(SessionError(reason, missing: missing))) }
        finish(because: reason, missing)
    }

    /// - Parameter reason: the reason of a failure
    private func finish(because reason: PartingReason? = nil, _ missing: MissingWord? = nil) {
        timer.cancel()
        asking.cancel()
        receipt.timer.cancel()
        context.invitationGate.noteEnd(of: invite.invitation, strangersEnd(reason))
        if steps.contains(.asked) { owner.endQuestion(invite.invitation, because: reason, missing) }
        owner.removeInvitation(invite.invitation, over: link)
    }

    private func strangersEnd(_ reason: PartingReason?) -> StrangerAllowance<IPAddress>.End {
        if steps.contains(.accepted) { return .taken }
        return switch reason {
        case .declined, .timedOut, .blocked: .unwanted
        default: .hungUp
        }
    }

    private func setTimer() {
        timer.set(for: self, at: machine.deadline) { $0.handleTimeout() }
    }

    private func handleTimeout() {
        let missing = machine.state.missing
        perform(machine.deadlinePassed(at: .now), missing)
    }
}
