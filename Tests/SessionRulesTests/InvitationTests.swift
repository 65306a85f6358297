import SessionRules
import Testing
import TestSupport
import Vocabulary

@Suite("An invitation between two machines", .timeLimit(.minutes(5)))
struct InvitationTests {
    typealias Setting = InvitationPlay.Setting

    /// Delivers everything that is under way, without time passing.
    private func settle(_ play: inout InvitationPlay) throws {
        while !play.there.isEmpty || !play.back.isEmpty {
            try play.deliverThere()
            try play.deliverBack()
        }
    }

    @Test("a first meeting shows the same code on both screens and pins on both sides", arguments: [true, false])
    func firstMeeting(typing: Bool) throws {
        var play = InvitationPlay(Setting())
        play.linkUp()
        try settle(&play)
        #expect(play.outgoing.code != nil)
        #expect(play.outgoing.code == play.incoming?.code)
        play.inviterConfirms(typing: typing)
        try settle(&play)
        #expect(play.outgoingEnds.isEmpty && play.incomingEnds.isEmpty)
        play.invitedConfirms(typing: typing)
        try settle(&play)
        #expect(play.outgoingEnds == [.join(pins: true)])
        #expect(play.incomingEnds == [.join(pins: true)])
    }

    @Test("between friends no code is needed, and a policy of accept asks nobody", arguments: [true, false])
    func friends(asks: Bool) throws {
        var play = InvitationPlay(
            Setting(inviterHasPinned: true, invitedHasPinned: true, verdict: asks ? .ask : .accept)
        )
        play.linkUp()
        try settle(&play)
        #expect(play.isAsked == asks)
        if asks {
            play.invitedConfirms(typing: false)
            try settle(&play)
        }
        #expect(play.outgoingEnds == [.join(pins: false)])
        #expect(play.incomingEnds == [.join(pins: false)])
    }

    @Test("one side that has not pinned is enough for a code, also where the policy accepts", arguments: [true, false])
    func oneSidedPin(isInviter: Bool) throws {
        var play = InvitationPlay(
            Setting(inviterHasPinned: isInviter, invitedHasPinned: !isInviter, verdict: .accept)
        )
        play.linkUp()
        try settle(&play)
        #expect(play.isAsked)
        #expect(play.outgoing.code != nil && play.outgoing.code == play.incoming?.code)
    }

    @Test("somebody in the middle gives two codes, and who types the other one ends it", arguments: [true, false])
    func interception(inviterTypes: Bool) throws {
        var play = InvitationPlay(Setting(isIntercepted: true))
        play.linkUp()
        try settle(&play)
        #expect(play.outgoing.code != play.incoming?.code)
        if inviterTypes { play.inviterConfirms(typing: true) } else { play.invitedConfirms(typing: true) }
        try settle(&play)
        #expect(play.outgoingEnds == [.end(.wrongCode)])
        #expect(play.incomingEnds == [.end(.wrongCode)])
    }

    @Test("a nonce other than the one committed to is a violation, for who is blocked as for anybody")
    func otherNonce() {
        for verdict in [Decision.Verdict.ask, .silence] {
            var machine = IncomingInvitation.sample(verdict)
            #expect(throws: ProtocolViolation.self) { _ = try machine.receivedReveal(Sample.nonce(3)) }
        }
    }

    @Test("the person's time counts from the delivery, not from the wish")
    func patience() throws {
        var play = InvitationPlay(Setting())
        play.now = 9
        play.deadlines()
        play.linkUp()
        play.now = 18
        try play.deliverThere()
        try play.deliverBack()
        #expect(play.outgoing.deadline == .at(18 + 30 + 2))
        play.now = 49.9
        play.deadlines()
        #expect(play.outgoingEnds.isEmpty)
        play.now = 50
        play.deadlines()
        #expect(play.outgoingEnds == [.end(.timedOut)])
    }

    @Test("no link in ten seconds is another end than no answer in thirty")
    func linkPatience() {
        var machine = OutgoingInvitation.sample()
        #expect(machine.deadlinePassed(at: .at(9.9)) == [])
        #expect(machine.deadlinePassed(at: .at(10)) == [.end(.unreachable)])
        var unanswered = OutgoingInvitation.sample().linked()
        #expect(unanswered.deadlinePassed(at: .at(11)) == [.sendCancel(.timedOut), .end(.timedOut)])
    }

    @Test("a link that is replaced in the middle starts the pairing anew, with a new code")
    func replacedLink() throws {
        var machine = try OutgoingInvitation.sample().shown()
        let first = machine.code
        let again = machine.linkCameUp(binding: Sample.binding, nonce: Sample.nonce(5), at: .at(3))
        #expect(again == [.hideCode, .sendInvite(Sample.recipe.commitment(to: Sample.nonce(5)))])
        _ = try machine.receivedNonce(Sample.nonce(2), codeNeeded: true, at: .at(3))
        #expect(machine.code != nil && machine.code != first)
    }

    @Test("blocked, locked out and nobody there send the same words at the same moments", arguments: [true, false])
    func silence(pinned: Bool) throws {
        var traces: [[String]] = []
        for verdict in [Decision.Verdict.ask, .silence] {
            var play = InvitationPlay(
                Setting(inviterHasPinned: pinned, invitedHasPinned: pinned, verdict: verdict)
            )
            play.linkUp()
            var trace: [String] = []
            for second in 0..<60 {
                play.now = Double(second)
                try play.deliverThere()
                trace += play.back.map { "\(second): \($0)" }
                try play.deliverBack()
                if second == 3 { play.inviterConfirms(typing: false) }
                play.deadlines()
            }
            #expect(play.isAsked == (verdict == .ask))
            #expect(play.incoming?.state.isOver == true)
            traces.append(trace)
        }
        #expect(traces[0] == traces[1])
        #expect(!traces[0].isEmpty)
    }

    @Test("a refusal by policy reaches the inviter, with its reason")
    func refusal() throws {
        for pinned in [true, false] {
            var play = InvitationPlay(
                Setting(inviterHasPinned: pinned, invitedHasPinned: true, verdict: .refuse(.full))
            )
            play.linkUp()
            try settle(&play)
            #expect(play.outgoingEnds == [.end(.full)])
            #expect(play.incomingEnds == [.end(.full)])
        }
    }

    @Test("whatever both do, at whatever pace, both agree in the end and nobody waits for ever", arguments: 0..<600)
    func randomPlays(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var play = InvitationPlay(
            Setting(
                inviterHasPinned: Bool.random(using: &generator),
                invitedHasPinned: Bool.random(using: &generator),
                verdict: [.ask, .ask, .accept, .silence].randomElement(using: &generator) ?? .ask
            )
        )
        play.linkUp()
        let mayCut = Int.random(in: 0..<3, using: &generator) == 0
        for _ in 0..<400 {
            try step(&play, mayCut: mayCut, &generator)
            play.now += Double.random(in: 0...0.4, using: &generator)
            play.deadlines()
        }
        play.now += 60
        play.deadlines()
        try settle(&play)
        #expect(play.outgoingEnds.count == 1, "seed \(seed)")
        #expect(play.incoming == nil || play.incomingEnds.count == 1, "seed \(seed)")
        let isInviterIn = play.outgoing.state == .accepted
        let isInvitedIn = play.incoming?.state == .joined
        // A cut may take the welcome with it; then the session finds out. Nobody is ever in whom the inviter does not count in.
        let isSettled = isInviterIn == isInvitedIn || isInviterIn && (play.isCut || play.hasLeft)
        #expect(isSettled, "seed \(seed)")
    }

    private func step(_ play: inout InvitationPlay, mayCut: Bool, _ generator: inout SeededGenerator) throws {
        switch Int.random(in: 0..<200, using: &generator) {
        case 0..<50: try play.deliverThere()
        case 50..<100: try play.deliverBack()
        case 100..<105: play.inviterConfirms(typing: Bool.random(using: &generator))
        case 105..<110: play.invitedConfirms(typing: Bool.random(using: &generator))
        case 110: play.withdraw()
        case 111: play.decline()
        case 112 where mayCut && !play.isCut: play.cut()
        case _: break
        }
    }
}
