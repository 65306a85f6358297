import LinuxPlatform
import SessionRules
import Transport
import Vocabulary
import Wire

/// An invitation of this machine, until it has a result.
@Engine
final class SentInvitation {
    let id = InvitationID.random()
    let peer: PeerID
    let session: Session
    private let outcome = Promise<Void>()

    var purpose: InvitationPurpose { InvitationPurpose(of: context) }

    private unowned let owner: any InvitationOwner
    private let context: [UInt8]
    private let patience: Duration
    /// The peer's permissions from its first moment on.
    private let permissions: Permissions
    /// True if the user trusts the peer's key without a code.
    private let takesKey: Bool
    private var machine: OutgoingInvitation
    /// The check of the peer's proof, after this side's reply.
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
        owner: any InvitationOwner
    ) {
        self.takesKey = takesKey
        peer = link.peer
        self.link = link
        self.session = session
        self.context = context
        self.patience = patience
        self.permissions = permissions
        self.owner = owner
        var random = RandomNumbers()
        machine = OutgoingInvitation(
            code: .random(using: &random),
            codeNeeded: isCodeNeeded,
            patience: InvitationPatience(answer: patience),
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

    /// Sends the invitation again over a link that has replaced the first one.
    func resend(over link: Link) {
        guard link !== self.link else { return }
        self.link = link
        begin()
    }

    // MARK: Frames of the peer

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

    func handleLostLink(_ reason: PartingReason) { perform(machine.linkLost(reason)) }

    func withdraw(because reason: PartingReason = .withdrawn) { perform(machine.withdraw(reason)) }

    /// Ends in favour of the peer's own invitation. Returns the outcome, which depends on that one from now on; nil if
    /// this invitation has failed.
    func giveWay() -> Promise<Void>? {
        // A peer that has the reply to its share can't avoid the result with an invitation of its own: the code counts
        // as wrong.
        if machine.giveWay().contains(.countWrongCode) {
            owner.countWrongCode()
            end(.failure(SessionError(.wrongCode)))
            return nil
        }
        timer.cancel()
        owner.removeInvitation(id, over: nil)
        return outcome
    }

    // MARK: Actions

    /// - Parameters:
    ///   - missing: the missing word, if this may be the end of the time
    ///   - share: the share to which a reply belongs
    private func perform(
        _ actions: [OutgoingInvitation.Action],
        _ missing: MissingWord? = nil,
        answering share: PairingShare? = nil
    ) {
        for action in actions {
            switch action {
            case .sendInvite: sendInvite()
            case .delivered: owner.events.report(.delivered(id, peer))
            case .showCode(let code):
                hasShownCode = true
                owner.events.report(.code(id, peer, link.hello.name, code))
            case .sendReply(let code): reply(code, to: share)
            case .countWrongCode: owner.countWrongCode()
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

    /// Replies to a share. Bytes that are no point of the curve get no reply, so they test no code; but the code is
    /// spent.
    private func reply(_ code: PairingCode, to share: PairingShare?) {
        guard let share, let setting = try? link.pairing(of: id, invitedBy: owner.context.id, link.peer) else {
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
        // The user may have left the session meanwhile.
        guard session.isOpen else {
            link.send(.leave(.init(session: session.id, reason: .left)))
            return end(.failure(SessionError(.withdrawn)))
        }
        if pins || takesKey { owner.pin(link.hello.name, .invited) }
        owner.dropReceived(for: purpose)
        let member = owner.join(session, as: session.id, over: link, wasInvitedHere: true, permissions)
        session.welcome(member)
        session.open(member)
        end(.success(()))
    }

    private func end(_ result: Result<Void, any Error>) {
        timer.cancel()
        outcome.settle(result)
        owner.removeInvitation(id, over: link)
    }

    private func setTimer() {
        timer.set(for: self, at: machine.deadline) { $0.handleTimeout() }
    }

    private func handleTimeout() {
        let missing = machine.state.missing
        perform(machine.deadlinePassed(at: .now), missing)
    }
}

extension Link {
    /// The setting that binds a proof to the two machines, this connection and one invitation.
    func pairing(of invitation: InvitationID, invitedBy inviter: PeerID, _ invited: PeerID) throws
        -> PairingExchange.Setting
    {
        let exporter = try channel.exportKey(label: "EXPORTER-huddle-pairing", count: 32)
        return PairingExchange.Setting(invited: invited, inviter: inviter, exporter: exporter, invitation: invitation)
    }
}

extension Duration {
    fileprivate var wholeMilliseconds: UInt32 {
        UInt32(clamping: components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000)
    }
}
