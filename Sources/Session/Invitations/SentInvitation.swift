import Digests
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
    let outcome = Promise<Void>()
    private(set) var code: PairingCode?

    var purpose: InvitationPurpose { InvitationPurpose(of: context) }

    private unowned let node: Node
    private let context: [UInt8]
    private let patience: Duration
    /// What the peer may do from its first moment on.
    private let permissions: Permissions
    private var machine: OutgoingInvitation
    private var link: Link
    private var timer = MachineTimer()

    init(
        to link: Link,
        into session: Session,
        context: [UInt8],
        patience: Duration,
        permissions: Permissions,
        isCodeNeeded: Bool,
        at node: Node
    ) {
        peer = link.peer
        self.link = link
        self.session = session
        self.context = context
        self.patience = patience
        self.permissions = permissions
        self.node = node
        machine = OutgoingInvitation(
            PairingRecipe(inviter: node.id, invited: link.peer, hash: Digest.sha256),
            codeNeeded: isCodeNeeded,
            patience: InvitationPatience(person: patience),
            at: .now
        )
    }

    func begin() {
        guard let binding = try? link.pairingBinding() else { return perform(machine.linkLost(.lost)) }
        var random = Chance()
        perform(machine.linkCameUp(binding: binding, nonce: .random(using: &random), at: .now))
    }

    /// Another link has taken the place of the one that it was sent over: it is sent anew, for a code holds for one
    /// connection only.
    func goOn(over link: Link) {
        guard link !== self.link else { return }
        self.link = link
        begin()
    }

    // MARK: What the peer says

    func take(_ nonce: ControlFrame.PairNonce, from link: Link) throws {
        guard link === self.link else { return }
        perform(try machine.receivedNonce(nonce.nonce, codeNeeded: nonce.isCodeNeeded, at: .now))
    }

    func takeConfirm(from link: Link) throws {
        if link === self.link { perform(try machine.receivedConfirm()) }
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

    func confirm(_ typed: PairingCode?) {
        guard let typed else { return perform(machine.confirm()) }
        let isWrong = code != nil && typed != code
        perform(machine.typed(typed))
        if isWrong { node.countWrongCode(of: peer) }
    }

    func withdraw(because reason: PartingReason = .withdrawn) { perform(machine.withdraw(reason)) }

    /// The peer's own invitation takes this one's place, and what becomes of it is what becomes of this.
    func giveWay(to request: IncomingRequest) {
        _ = machine.giveWay()
        timer.cancel()
        node.sentInvitations[id] = nil
        request.settles(outcome, for: session)
    }

    // MARK: What follows

    /// - Parameter missing: whose word was missing, where this may be the end of the time
    private func perform(_ actions: [OutgoingInvitation.Action], _ missing: MissingWord? = nil) {
        for action in actions {
            switch action {
            case .sendInvite(let commitment): send(commitment)
            case .sendReveal(let nonce): link.send(.pairReveal(.init(invitation: id, nonce: nonce)))
            case .delivered: node.tell(.delivered(id, peer))
            case .showCode(let code):
                self.code = code
                node.tell(.code(id, peer, link.hello.name, code))
            case .hideCode: code = nil
            case .sendConfirm: link.send(.pairConfirm(id))
            case .sendCancel(let reason): link.send(.inviteCancel(.init(invitation: id, reason: reason)))
            case .join(let pins): join(pins: pins)
            case .end(let reason): end(.failure(SessionError(reason, missing: missing)))
            }
        }
        setTimer()
    }

    private func send(_ commitment: PairingCommitment) {
        link.send(
            .invite(
                .init(
                    invitation: id,
                    session: session.id,
                    sessionName: session.configuration.name,
                    topology: session.configuration.topology,
                    isCodeNeeded: machine.codeNeeded,
                    patienceMilliseconds: patience.wholeMilliseconds,
                    commitment: commitment,
                    context: context[...]
                )
            )
        )
    }

    private func join(pins: Bool) {
        // Whoever left the session meanwhile wants nobody in it any more.
        guard session.isOpen else {
            link.send(.leave(.init(session: session.id, reason: .left)))
            return end(.failure(SessionError(.withdrawn)))
        }
        if pins { node.pin(peer, link.hello.name, .invited) }
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
    /// What ties a code to this connection: both ends have it, and nobody between them.
    func pairingBinding() throws -> [UInt8] {
        try lane.exportKey(label: "EXPORTER-huddle-pairing", count: 32)
    }
}

extension Duration {
    fileprivate var wholeMilliseconds: UInt32 {
        UInt32(clamping: components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000)
    }
}
