import SessionRules
import Testing
import Vocabulary

@Suite("Mutual invitations", .timeLimit(.minutes(5)))
struct CrossedInvitationsTests {
    @Test("The invitation of the smaller ID survives, by the rule of both sides")
    func rule() {
        let small = CrossedParty.side(of: Sample.small)
        let large = CrossedParty.side(of: Sample.large)
        #expect(CrossedInvitations(own: small, theirs: large).survivor == small)
        #expect(CrossedInvitations(own: large, theirs: small).survivor == small)
        #expect(!CrossedInvitations(own: small, theirs: large).ownGivesWay)
        #expect(CrossedInvitations(own: large, theirs: small).ownGivesWay)
    }

    @Test(
        "Crossed invitations become one session on both sides, in every order of events",
        arguments: [true, false],
        CrossedPair.Asking.allCases
    )
    func interleavings(isPinned: Bool, asking: CrossedPair.Asking) throws {
        var count = 0
        for order in Self.orders(of: [.smallWishes, .largeWishes, .toSmall, .toSmall, .toLarge, .toLarge]) {
            var pair = CrossedPair(isPinned: isPinned, asking)
            for event in order { try pair.perform(event) }
            try pair.settle()
            let sessions = [pair.small.joined, pair.large.joined]
            #expect(sessions[0] != nil && sessions[0] == sessions[1], "\(order): \(sessions)")
            #expect(pair.small.joins == 1 && pair.large.joins == 1, "\(order)")
            #expect(!pair.small.isWaiting && !pair.large.isWaiting, "\(order)")
            count += 1
        }
        #expect(count == 180)
    }

    /// Every order of the events, each once.
    private static func orders(of events: [CrossedPair.Event]) -> [[CrossedPair.Event]] {
        guard !events.isEmpty else { return [[]] }
        return Set(events).flatMap { first -> [[CrossedPair.Event]] in
            var rest = events
            if let place = rest.firstIndex(of: first) { rest.remove(at: place) }
            return orders(of: rest).map { [first] + $0 }
        }
    }
}

/// Two parties that may invite each other, and the frames between them.
struct CrossedPair {
    enum Event: Hashable { case smallWishes, largeWishes, toSmall, toLarge }

    /// The parties that ask their user about an invitation, and the moment of the user's yes: with the next event, or
    /// after all deliveries.
    enum Asking: CaseIterable { case noUser, answeredSoon, answeredLate }

    var small: CrossedParty
    var large: CrossedParty
    private let asking: Asking
    private var toSmall: [CrossedParty.Frame] = []
    private var toLarge: [CrossedParty.Frame] = []

    init(isPinned: Bool, _ asking: Asking) {
        self.asking = asking
        small = CrossedParty(Sample.small, Sample.large, isPinned: isPinned, asks: asking != .noUser)
        large = CrossedParty(Sample.large, Sample.small, isPinned: isPinned, asks: asking != .noUser)
    }

    mutating func perform(_ event: Event) throws {
        if asking == .answeredSoon { answer() }
        switch event {
        case .smallWishes: toLarge += small.wish()
        case .largeWishes: toSmall += large.wish()
        case .toSmall: if !toSmall.isEmpty { toLarge += try small.receive(toSmall.removeFirst()) }
        case .toLarge: if !toLarge.isEmpty { toSmall += try large.receive(toLarge.removeFirst()) }
        }
    }

    /// Delivers everything. Then the users confirm what they see, and everything is delivered again.
    mutating func settle() throws {
        for _ in 0..<3 {
            while !toSmall.isEmpty || !toLarge.isEmpty {
                try perform(.toSmall)
                try perform(.toLarge)
            }
            answer()
        }
    }

    /// Each user types the code that the other machine shows.
    private mutating func answer() {
        toLarge += small.answer(large.shownCode)
        toSmall += large.answer(small.shownCode)
    }
}

/// The smallest engine that can cross invitations.
struct CrossedParty {
    struct Frame {
        let invitation: InvitationID
        let session: SessionID
        let word: InvitationPlay.Word
    }

    let own: PeerID
    let peer: PeerID
    let isPinned: Bool
    /// True if the party asks its user about an invitation that arrives before the party invites the other one.
    let asks: Bool
    private var outgoing: OutgoingInvitation?
    private var incoming: (machine: IncomingInvitation, side: CrossedInvitations.Side)?
    private(set) var joined: SessionID?
    private(set) var joins = 0
    private(set) var shownCode: PairingCode?
    private var typedCode: PairingCode?
    private var hasWished = false

    init(_ own: PeerID, _ peer: PeerID, isPinned: Bool, asks: Bool) {
        (self.own, self.peer, self.isPinned, self.asks) = (own, peer, isPinned, asks)
    }

    static func side(of peer: PeerID) -> CrossedInvitations.Side {
        let number = UInt64(peer.bytes[0])
        return CrossedInvitations.Side(
            inviter: peer,
            invitation: InvitationID(high: 1, low: number),
            session: SessionID(high: 2, low: number)
        )
    }

    /// Invites the other party. If its invitation is open already, this is a yes to it.
    mutating func wish() -> [Frame] {
        hasWished = true
        if joined != nil { return [] }
        if let machine = incoming?.machine, !machine.state.isOver, machine.isAnsweredByInviting(isReported: asks) {
            return answer(nil)
        }
        let code = Sample.code(UInt32(own.bytes[0]))
        var machine = OutgoingInvitation(code: code, codeNeeded: !isPinned, at: .at(0))
        let actions = machine.linkCameUp(at: .at(0))
        outgoing = machine
        return perform(actions)
    }

    /// Says yes to the open question, with the code that the other machine shows, if it shows one.
    mutating func answer(_ code: PairingCode?) -> [Frame] {
        let actions =
            if let code { incoming?.machine.typed(code, at: .at(0)) } else { incoming?.machine.accept(at: .at(0)) }
        return actions.map { perform($0) } ?? []
    }

    mutating func receive(_ frame: Frame) throws -> [Frame] {
        switch frame.word {
        case .invite: return invited(frame)
        case .receipt(let codeNeeded) where isOwn(frame):
            return perform(try outgoing?.receivedReceipt(codeNeeded: codeNeeded, at: .at(0)) ?? [])
        case .share where isOwn(frame): return perform(try outgoing?.receivedShare(at: .at(0)) ?? [])
        case .confirm(let typed) where isOwn(frame):
            return perform(try outgoing?.receivedConfirm(isRight: typed == shownCode, at: .at(0)) ?? [])
        case .answer(let reason) where isOwn(frame): return perform(try outgoing?.receivedAnswer(reason) ?? [])
        case _ where frame.invitation != incoming?.side.invitation: return []
        case .reply(let shown, _):
            return perform(try incoming?.machine.receivedReply(isRight: shown == typedCode, at: .at(0)) ?? [])
        case .cancel(let reason): return perform(try incoming?.machine.receivedCancel(reason) ?? [])
        case .members: return perform(try incoming?.machine.receivedWelcome() ?? [])
        case .receipt, .share, .confirm, .answer, .leave: return []
        }
    }

    private mutating func invited(_ frame: Frame) -> [Frame] {
        let theirs = CrossedInvitations.Side(
            inviter: peer,
            invitation: frame.invitation,
            session: frame.session
        )
        var frames: [Frame] = []
        var hasSaidYes = false
        if outgoing?.state.isOver == false {
            guard CrossedInvitations(own: Self.side(of: own), theirs: theirs).ownGivesWay else { return [] }
            if let actions = outgoing?.giveWay() { frames += perform(actions) }
            hasSaidYes = true
        }
        let opening = IncomingInvitation.Opening(
            codeNeededThere: !isPinned,
            codeNeededHere: !isPinned,
            verdict: hasSaidYes ? .accept : .ask
        )
        var machine = IncomingInvitation(opening, patience: InvitationPatience())
        let actions = machine.begin(at: .at(0))
        incoming = (machine, theirs)
        return frames + perform(actions)
    }

    private mutating func perform(_ actions: [OutgoingInvitation.Action]) -> [Frame] {
        actions.flatMap { action -> [Frame] in
            switch action {
            case .sendInvite: return [ownFrame(.invite)]
            case .sendReply(let code): return [ownFrame(.reply(code, for: code))]
            case .sendCancel(let reason): return [ownFrame(.cancel(reason))]
            case .join:
                join(Self.side(of: own).session)
                _ = incoming?.machine.linkLost(.replaced)
                return [ownFrame(.members)]
            case .showCode(let code):
                shownCode = code
                return []
            case .end:
                shownCode = nil
                return []
            case .delivered, .countWrongCode: return []
            }
        }
    }

    private mutating func perform(_ actions: [IncomingInvitation.Action]) -> [Frame] {
        guard let side = incoming?.side else { return [] }
        return actions.flatMap { action -> [Frame] in
            switch action {
            case .sendReceipt(let codeNeeded): return [frame(side, .receipt(codeNeeded: codeNeeded))]
            case .sendShare(let code):
                typedCode = code
                return [frame(side, .share(code))]
            case .sendConfirm: return typedCode.map { [frame(side, .confirm($0))] } ?? []
            case .sendAnswer(let reason): return [frame(side, .answer(reason))]
            case .sendLeave: return [frame(side, .leave)]
            case .join:
                join(side.session)
                _ = outgoing?.giveWay()
                return []
            case .ask, .countWrongCode, .end: return []
            }
        }
    }

    /// True if a question or an invitation still waits.
    var isWaiting: Bool { outgoing?.state.isOver == false || incoming?.machine.state.isOver == false }

    private mutating func join(_ session: SessionID) {
        joined = session
        joins += 1
    }

    private func isOwn(_ frame: Frame) -> Bool { frame.invitation == Self.side(of: own).invitation }
    private func ownFrame(_ word: InvitationPlay.Word) -> Frame { frame(Self.side(of: own), word) }
    private func frame(_ side: CrossedInvitations.Side, _ word: InvitationPlay.Word) -> Frame {
        Frame(invitation: side.invitation, session: side.session, word: word)
    }
}
