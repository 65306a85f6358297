import LinuxPlatform
import SessionRules
import Transport
import Vocabulary
import Wire

/// An invitation from here on its way, until it has led to something.
@Engine
final class SentInvitation {
    let id = InvitationID.random()
    let peer: PeerID
    let session: Session
    private let outcome = Promise<Void>()

    var purpose: InvitationPurpose { InvitationPurpose(of: context) }

    private unowned let node: Node
    private let context: [UInt8]
    private let patience: Duration
    /// What the peer may do from its first moment on.
    private let permissions: Permissions
    /// Whether the person takes the peer's key as it is.
    private let takesKey: Bool
    private var machine: OutgoingInvitation
    /// What the peer's proof is checked with, once it has its answer.
    private var confirmations: PairingExchange.Confirmations?
    private var link: Link
    private var hasShownCode = false
    private var timer = MachineTimer()

    init(
        to link: Link,
        into session: Session,
        context: [UInt8],
        patience: Duration,
        permissions: Permissions,
        isCodeNeeded: Bool,
        takesKey: Bool,
        at node: Node
    ) {
        self.takesKey = takesKey
        peer = link.peer
        self.link = link
        self.session = session
        self.context = context
        self.patience = patience
        self.permissions = permissions
        self.node = node
        var random = RandomNumbers()
        machine = OutgoingInvitation(
            code: .random(using: &random),
            codeNeeded: isCodeNeeded,
            patience: InvitationPatience(person: patience),
            at: .now
        )
    }

    func begin() { perform(machine.linkCameUp(at: .now)) }

    /// Waits until the peer is in the session.
    func ended() async throws {
        do {
            try await outcome.value()
        } catch let error as SessionError where hasShownCode {
            throw error.afterCode
        }
    }

    /// Another link has taken the place of the one that it was sent over.
    func goOn(over link: Link) {
        guard link !== self.link else { return }
        self.link = link
        begin()
    }

    // MARK: What the peer says

    func take(_ receipt: ControlFrame.InviteReceived, from link: Link) throws {
        guard link === self.link else { return }
        perform(try machine.receivedReceipt(codeNeeded: receipt.isCodeNeeded, at: .now))
    }

    func take(_ share: ControlFrame.PairShare, from link: Link) throws {
        guard link === self.link else { return }
        perform(try machine.receivedShare(at: .now), answering: share.share)
    }

    func take(_ confirm: ControlFrame.PairConfirm, from link: Link) throws {
        guard link === self.link else { return }
        let isRight = confirmations?.isRight(confirm.confirmation) ?? false
        perform(try machine.receivedConfirm(isRight: isRight, at: .now))
    }

    func take(_ answer: ControlFrame.InviteAnswer, from link: Link) throws {
        guard link === self.link else { return }
        let missing = machine.state.missing
        switch answer.verdict {
        case .accepted: perform(try machine.receivedAnswer(nil))
        case .refused(let reason): perform(try machine.receivedAnswer(reason), missing)
        }
    }

    func linkLost(_ reason: PartingReason) { perform(machine.linkLost(reason)) }

    // MARK: What the person says

    func withdraw(because reason: PartingReason = .withdrawn) { perform(machine.withdraw(reason)) }

    /// The peer's own invitation takes this one's place, and what becomes of it is what becomes of this.
    func giveWay(to request: IncomingRequest) {
        // A peer that has its answer for the code can't get out of it by an invitation of its own: the person sees a wrong code.
        if machine.giveWay().contains(.countWrongCode) {
            node.countWrongCode(of: peer)
            return end(.failure(SessionError(.wrongCode)))
        }
        timer.cancel()
        node.sentInvitations[id] = nil
        request.settles(outcome, for: session)
    }

    // MARK: What follows

    /// - Parameters:
    ///   - missing: whose word was missing, where this may be the end of the time
    ///   - share: what a reply answers
    private func perform(
        _ actions: [OutgoingInvitation.Action],
        _ missing: MissingWord? = nil,
        answering share: PairingShare? = nil
    ) {
        for action in actions {
            switch action {
            case .sendInvite: sendInvite()
            case .delivered: node.tell(.delivered(id, peer))
            case .showCode(let code):
                hasShownCode = true
                node.tell(.code(id, peer, link.hello.name, code))
            case .sendReply(let code): reply(code, to: share)
            case .countWrongCode: node.countWrongCode(of: peer)
            case .sendCancel(let reason): link.send(.inviteCancel(.init(invitation: id, reason: reason)))
            case .join(let pins): join(pins: pins)
            case .end(let reason): end(.failure(SessionError(reason, missing: missing)))
            }
        }
        setTimer()
    }

    private func sendInvite() {
        link.send(
            .invite(
                .init(
                    invitation: id,
                    session: session.id,
                    sessionName: session.configuration.name,
                    topology: session.configuration.topology,
                    isCodeNeeded: machine.codeNeeded,
                    patienceMilliseconds: patience.wholeMilliseconds,
                    context: context[...]
                )
            )
        )
    }

    /// What is no point of the curve gets no answer, so it tests nothing; but the code is spent all the same, by the rule that has no exceptions.
    private func reply(_ code: PairingCode, to share: PairingShare?) {
        guard let share, let setting = try? link.pairing(of: id, invitedBy: node.id, link.peer) else {
            return perform(machine.linkLost(.lost))
        }
        let exchange = PairingExchange(.inviter, in: setting, digits: code.digits)
        let own = exchange.share
        guard let confirmations = exchange.confirmations(for: share) else {
            return perform(machine.withdraw(.wrongCode))
        }
        self.confirmations = confirmations
        link.send(.pairReply(.init(invitation: id, share: own, confirmation: confirmations.own)))
    }

    private func join(pins: Bool) {
        // A session that was left meanwhile takes no one.
        guard session.isOpen else {
            link.send(.leave(.init(session: session.id, reason: .left)))
            return end(.failure(SessionError(.withdrawn)))
        }
        if pins || takesKey { node.pin(peer, link.hello.name, .invited) }
        node.saidYes(peer, purpose)
        let member = node.enter(session, session.id, link, wasInvitedHere: true, permissions)
        node.welcome(member)
        session.open(member)
        end(.success(()))
    }

    private func end(_ result: Result<Void, any Error>) {
        timer.cancel()
        node.sentInvitations[id] = nil
        outcome.settle(result)
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

extension Link {
    /// What ties a proof to the two machines, this connection and one invitation.
    func pairing(of invitation: InvitationID, invitedBy inviter: PeerID, _ invited: PeerID) throws
        -> PairingExchange.Setting
    {
        let exporter = try lane.exportKey(label: "EXPORTER-huddle-pairing", count: 32)
        return PairingExchange.Setting(invited: invited, inviter: inviter, exporter: exporter, invitation: invitation)
    }
}

extension Duration {
    fileprivate var wholeMilliseconds: UInt32 {
        UInt32(clamping: components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000)
    }
}
