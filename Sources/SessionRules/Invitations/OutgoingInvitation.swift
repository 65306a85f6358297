public import Vocabulary

/// An invitation that this machine sends, from the wish to the end. `docs/machines/outgoing-invitation.md` has its table.
///
/// The first frame that comes back, the nonce, proves that the invitation was delivered: from then on the person's time
/// counts. The inviter has the last word: it says that both are in the session (``Action/join(pins:)``), so an answer that
/// crosses a withdrawal can't leave one side in and the other out.
public struct OutgoingInvitation: Sendable {
    /// How far it has come.
    public enum State: String, CaseIterable, Hashable, Sendable {
        /// There is no link yet.
        case connecting
        /// The invitation is on its way; the peer has not shown yet that it has it.
        case sent
        /// Delivered; both screens show the code.
        case codeShown
        /// The person here has confirmed the code.
        case confirmedHere
        /// The person there has confirmed the code.
        case confirmedThere
        /// Both have; the answer is due.
        case confirmedByBoth
        /// Delivered, no code needed; the answer is due.
        case waiting
        /// Over: the peer is in.
        case accepted
        /// Over: the peer said no.
        case refused
        /// Over: taken back here, or given up after waiting.
        case withdrawn
        /// Over: the link failed.
        case lost

        /// Whether nothing follows any more.
        public var isOver: Bool {
            switch self {
            case .connecting, .sent, .codeShown, .confirmedHere, .confirmedThere, .confirmedByBoth, .waiting: false
            case .accepted, .refused, .withdrawn, .lost: true
            }
        }
    }

    /// What the caller does, in order.
    public enum Action: Hashable, Sendable {
        /// Send Invite with this commitment.
        case sendInvite(PairingCommitment)
        /// Send PairReveal.
        case sendReveal(PairingNonce)
        /// Tell the person that it has arrived.
        case delivered
        /// Show the code and ask whether the other screen shows the same.
        case showCode(PairingCode)
        /// The code that is shown is void.
        case hideCode
        /// Send PairConfirm.
        case sendConfirm
        /// Send InviteCancel.
        case sendCancel(PartingReason)
        /// The peer is in the session: send it the members, and pin its key where `pins` is set.
        case join(pins: Bool)
        /// It has come to nothing.
        case end(PartingReason)
    }

    /// How far it has come.
    public internal(set) var state = State.connecting
    /// What both screens show, once both nonces are known.
    public internal(set) var code: PairingCode?
    /// When ``deadlinePassed(at:)`` is due; nil once it is over.
    public internal(set) var deadline: ContinuousClock.Instant?
    /// Whether this side needs the code, as Invite says.
    public let codeNeeded: Bool

    let recipe: PairingRecipe
    let patience: InvitationPatience
    var exchange: (nonce: PairingNonce, binding: [UInt8])?

    /// - Parameters:
    ///   - recipe: with this machine as the inviter
    ///   - codeNeeded: whether the peer's key is not pinned here
    ///   - patience: how long to wait
    ///   - now: the time
    public init(
        _ recipe: PairingRecipe,
        codeNeeded: Bool,
        patience: InvitationPatience = InvitationPatience(),
        at now: ContinuousClock.Instant
    ) {
        self.recipe = recipe
        self.codeNeeded = codeNeeded
        self.patience = patience
        deadline = now + patience.link
    }
}

// What the link says.
extension OutgoingInvitation {
    /// There is a link, or another one has taken its place: the invitation is sent, again if need be, since a code holds for
    /// one connection only.
    /// - Parameters:
    ///   - binding: what TLS exports of the control lane for "EXPORTER-huddle-pairing"
    ///   - nonce: a fresh one each time
    ///   - now: the time
    public mutating func linkCameUp(
        binding: [UInt8],
        nonce: PairingNonce,
        at now: ContinuousClock.Instant
    ) -> [Action] {
        guard !state.isOver else { return [] }
        precondition(exchange?.nonce != nonce, "a nonce is used once")
        let stale: [Action] = code == nil ? [] : [.hideCode]
        exchange = (nonce, binding)
        code = nil
        state = .sent
        deadline = now + patience.link
        return stale + [.sendInvite(recipe.commitment(to: nonce))]
    }

    /// The link could not be made, or it is gone.
    public mutating func linkLost(_ reason: PartingReason) -> [Action] {
        state.isOver ? [] : end(.lost, reason)
    }

    /// Time is up.
    public mutating func deadlinePassed(at now: ContinuousClock.Instant) -> [Action] {
        guard let deadline, deadline <= now else { return [] }
        return state == .connecting ? end(.lost, .unreachable) : withdraw(.timedOut)
    }

    mutating func end(_ state: State, _ reason: PartingReason) -> [Action] {
        close(state)
        return [.end(reason)]
    }

    mutating func close(_ state: State) {
        self.state = state
        deadline = nil
        exchange = nil
    }
}
