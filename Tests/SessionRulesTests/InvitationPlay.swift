import SessionRules
import Testing
import TestSupport
import Vocabulary

/// Both machines of one invitation, and a connection that delivers each direction in order, with any delay, and may
/// break.
///
/// The proof of a code is modelled by its outcome: it is right if both sides have the same code and the same
/// connection.
struct InvitationPlay {
    enum Word: Hashable {
        case invite
        case receipt(codeNeeded: Bool)
        /// Made with the code that was typed.
        case share(PairingCode)
        /// Made with the shown code, for the share that arrived.
        case reply(PairingCode, for: PairingCode)
        case confirm(PairingCode)
        case answer(PartingReason?)
        case cancel(PartingReason)
        case members
        case leave
    }

    struct Setting {
        var inviterHasPinned = false
        var invitedHasPinned = false
        var verdict = Decision.Verdict.ask
        /// A machine in between: the two sides have different connections.
        var isIntercepted = false
    }

    private(set) var outgoing: OutgoingInvitation
    private(set) var incoming: IncomingInvitation?
    private(set) var there: [Word] = []
    private(set) var back: [Word] = []
    private(set) var outgoingEnds: [OutgoingInvitation.Action] = []
    private(set) var incomingEnds: [IncomingInvitation.Action] = []
    private(set) var shownCode: PairingCode?
    private(set) var wrongCodes = (inviter: 0, invited: 0)
    private(set) var isAsked = false
    private(set) var hasLeft = false
    private(set) var isCut = false
    private var typedCode: PairingCode?
    private var lastShare: PairingCode?
    var now = 0.0
    private let setting: Setting

    init(_ setting: Setting) {
        self.setting = setting
        outgoing = OutgoingInvitation(
            code: Sample.code(482_913),
            codeNeeded: !setting.inviterHasPinned,
            at: .at(0)
        )
    }

    mutating func linkUp() { perform(outgoing.linkCameUp(at: .at(now))) }

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
        switch word {
        case .invite: receiveInvite()
        case .reply(let shown, _):
            let isRight = shown == typedCode && !setting.isIntercepted
            if let actions = try incoming?.receivedReply(isRight: isRight, at: .at(now)) { perform(actions) }
        case .cancel(let reason): if let actions = try incoming?.receivedCancel(reason) { perform(actions) }
        case .members: if let actions = try incoming?.receivedWelcome() { perform(actions) }
        case .receipt, .share, .confirm, .answer, .leave: Issue.record("not a frame of an inviter")
        }
    }

    mutating func deliverBack() throws {
        guard !back.isEmpty else { return }
        switch back.removeFirst() {
        case .receipt(let codeNeeded): perform(try outgoing.receivedReceipt(codeNeeded: codeNeeded, at: .at(now)))
        case .share(let typed):
            lastShare = typed
            perform(try outgoing.receivedShare(at: .at(now)))
        case .confirm(let typed):
            let isRight = typed == shownCode && !setting.isIntercepted
            perform(try outgoing.receivedConfirm(isRight: isRight, at: .at(now)))
        case .answer(let reason): perform(try outgoing.receivedAnswer(reason))
        case .leave: hasLeft = true
        case .invite, .reply, .cancel, .members: Issue.record("not a frame of an invited machine")
        }
    }

    /// The user of the invited machine types the code that the inviter shows, or says yes if it shows none.
    mutating func answers(mistyping: Bool = false) {
        guard isAsked else { return }
        let code = mistyping ? Sample.code(0) : shownCode
        let actions = code.map { incoming?.typed($0, at: .at(now)) } ?? incoming?.accept(at: .at(now))
        if let actions { perform(actions) }
    }

    mutating func withdraw() { perform(outgoing.withdraw()) }
    mutating func decline() { if let actions = incoming?.decline() { perform(actions) } }

    mutating func deadlines() {
        perform(outgoing.deadlinePassed(at: .at(now)))
        if let actions = incoming?.deadlinePassed(at: .at(now)) { perform(actions) }
    }

    private mutating func receiveInvite() {
        let opening = IncomingInvitation.Opening(
            codeNeededThere: !setting.inviterHasPinned,
            codeNeededHere: !setting.invitedHasPinned,
            verdict: setting.verdict
        )
        var machine = IncomingInvitation(opening, patience: InvitationPatience())
        let actions = machine.begin(at: .at(now))
        incoming = machine
        perform(actions)
    }

    private mutating func perform(_ actions: [OutgoingInvitation.Action]) {
        for action in actions {
            #expect(outgoingEnds.isEmpty, "an action after the end: \(action)")
            switch action {
            case .sendInvite: say(.invite)
            case .showCode(let code): shownCode = code
            case .sendReply(let code): say(.reply(code, for: lastShare ?? code))
            case .countWrongCode: wrongCodes.inviter += 1
            case .sendCancel(let reason): say(.cancel(reason))
            case .join:
                say(.members)
                outgoingEnds.append(action)
            case .end: outgoingEnds.append(action)
            case .delivered: break
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
            case .sendReceipt(let codeNeeded): back.append(.receipt(codeNeeded: codeNeeded))
            case .sendShare(let code):
                typedCode = code
                back.append(.share(code))
            case .sendConfirm: if let typedCode { back.append(.confirm(typedCode)) }
            case .countWrongCode: wrongCodes.invited += 1
            case .sendAnswer(let reason): back.append(.answer(reason))
            case .sendLeave: back.append(.leave)
            case .ask: isAsked = true
            case .join, .end: incomingEnds.append(action)
            }
        }
    }
}
