import SessionRules
import Testing
import TestSupport
import Vocabulary

/// Both machines of one invitation, with a line between them that delivers each way in order, at its own pace, and may be cut.
struct InvitationPlay {
    enum Word {
        case invite(PairingCommitment)
        case nonce(PairingNonce, codeNeeded: Bool)
        case reveal(PairingNonce)
        case confirm
        case answer(PartingReason?)
        case cancel(PartingReason)
        case members
        case leave
    }

    struct Setting {
        var inviterHasPinned = false
        var invitedHasPinned = false
        var verdict = Decision.Verdict.ask
        /// Somebody in the middle: the two ends of the connection are not the same connection.
        var isIntercepted = false
    }

    private(set) var outgoing: OutgoingInvitation
    private(set) var incoming: IncomingInvitation?
    private(set) var there: [Word] = []
    private(set) var back: [Word] = []
    private(set) var outgoingEnds: [OutgoingInvitation.Action] = []
    private(set) var incomingEnds: [IncomingInvitation.Action] = []
    private(set) var isAsked = false
    private(set) var hasLeft = false
    private(set) var isCut = false
    var now = 0.0
    private let setting: Setting

    init(_ setting: Setting) {
        self.setting = setting
        outgoing = OutgoingInvitation(Sample.recipe, codeNeeded: !setting.inviterHasPinned, at: .at(0))
    }

    mutating func linkUp() {
        perform(outgoing.linkCameUp(binding: Sample.binding, nonce: Sample.nonce(1), at: .at(now)))
    }

    mutating func cut() {
        isCut = true
        there = []
        back = []
        perform(outgoing.linkLost(.lost))
        if let actions = incoming?.linkLost(.lost) { perform(actions) }
    }

    mutating func deliverThere() throws {
        guard !there.isEmpty else { return }
        let word = there.removeFirst()
        if case .invite(let commitment) = word { return receive(commitment) }
        switch word {
        case .reveal(let nonce): if let actions = try incoming?.receivedReveal(nonce) { perform(actions) }
        case .confirm: if let actions = try incoming?.receivedConfirm(at: .at(now)) { perform(actions) }
        case .cancel(let reason): if let actions = try incoming?.receivedCancel(reason) { perform(actions) }
        case .members: if let actions = try incoming?.receivedWelcome() { perform(actions) }
        case .invite, .nonce, .answer, .leave: Issue.record("not a word of an inviter")
        }
    }

    mutating func deliverBack() throws {
        guard !back.isEmpty else { return }
        switch back.removeFirst() {
        case .nonce(let nonce, let codeNeeded):
            perform(try outgoing.receivedNonce(nonce, codeNeeded: codeNeeded, at: .at(now)))
        case .confirm: perform(try outgoing.receivedConfirm())
        case .answer(let reason): perform(try outgoing.receivedAnswer(reason))
        case .leave: hasLeft = true
        case .invite, .reveal, .cancel, .members: Issue.record("not a word of an invited")
        }
    }

    mutating func inviterConfirms(typing: Bool) {
        let other = incoming?.code ?? Sample.code(0)
        perform(typing ? outgoing.typed(other) : outgoing.confirm())
    }

    mutating func invitedConfirms(typing: Bool) {
        guard isAsked, let other = outgoing.code ?? incoming?.code ?? Optional(Sample.code(0)) else { return }
        let needsCode = incoming?.needsCode ?? false
        if let actions = typing && needsCode
            ? incoming?.typed(other, at: .at(now)) : incoming?.confirm(at: .at(now))
        {
            perform(actions)
        }
    }

    mutating func withdraw() { perform(outgoing.withdraw()) }
    mutating func decline() { if let actions = incoming?.decline() { perform(actions) } }

    mutating func deadlines() {
        perform(outgoing.deadlinePassed(at: .at(now)))
        if let actions = incoming?.deadlinePassed(at: .at(now)) { perform(actions) }
    }

    private mutating func receive(_ commitment: PairingCommitment) {
        let opening = IncomingInvitation.Opening(
            commitment: commitment,
            codeNeededThere: !setting.inviterHasPinned,
            codeNeededHere: !setting.invitedHasPinned,
            verdict: setting.verdict
        )
        var machine = IncomingInvitation(
            opening,
            Sample.recipe,
            binding: setting.isIntercepted ? [UInt8](repeating: 8, count: 32) : Sample.binding,
            nonce: Sample.nonce(2),
            patience: InvitationPatience(),
            at: .at(now)
        )
        let actions = machine.begin(at: .at(now))
        incoming = machine
        perform(actions)
    }

    private mutating func perform(_ actions: [OutgoingInvitation.Action]) {
        for action in actions {
            #expect(outgoingEnds.isEmpty, "an action after the end: \(action)")
            switch action {
            case .sendInvite(let commitment): say(.invite(commitment))
            case .sendReveal(let nonce): say(.reveal(nonce))
            case .sendConfirm: say(.confirm)
            case .sendCancel(let reason): say(.cancel(reason))
            case .join: say(.members); outgoingEnds.append(action)
            case .end: outgoingEnds.append(action)
            case .delivered, .showCode, .hideCode: break
            }
        }
    }

    private mutating func say(_ word: Word) {
        if !isCut { there.append(word) }
    }

    private mutating func perform(_ actions: [IncomingInvitation.Action]) {
        for action in actions {
            #expect(incomingEnds.isEmpty, "an action after the end: \(action)")
            switch action {
            case .sendNonce(let nonce, let codeNeeded): back.append(.nonce(nonce, codeNeeded: codeNeeded))
            case .sendConfirm: back.append(.confirm)
            case .sendAnswer(let reason): back.append(.answer(reason))
            case .sendLeave: back.append(.leave)
            case .ask: isAsked = true
            case .join, .end: incomingEnds.append(action)
            }
        }
    }
}
