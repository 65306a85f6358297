import Ledger
import LinuxPlatform
import ScriptedPeers
import Testing
import Vocabulary
import Wire

@testable import Session
import TestSupport

/// The facts that session members report about themselves: their program and their time.
@Suite("A peer's account of itself", .timeLimit(.minutes(5)))
@Engine
struct AccountTests {
    private static let program = ProgramVersion("0.1.0")

    @Test("two peers in a session know each other's program and time, even after they have parted")
    func exchanged() async throws {
        let deck = try await TestNode.open("Deck") { $0.program = ProgramVersion("0.1.0") }
        let desk = try await TestNode.open("Desk") { $0.program = ProgramVersion("0.2.0~rc1") }
        let (here, there) = try await deck.connect(to: desk)
        try await here.send([1])
        _ = try await there.nextMessage()
        try await there.send([2])
        _ = try await here.nextMessage()
        let ofDesk = try #require(deck.node.account(of: desk.id))
        #expect(ofDesk.program.description == "0.2.0~rc1")
        #expect(abs(ofDesk.secondsAhead()) < 60)
        #expect(desk.node.account(of: deck.id)?.program == Self.program)
        await desk.stop()
        while deck.node.link(to: desk.id) != nil { try await othersTurn() }
        #expect(deck.node.account(of: desk.id)?.program == ofDesk.program)
        await deck.stop()
    }

    @Test("the difference of two clocks includes the time since the account, and a clock here that was set")
    func ahead() throws {
        let heard = ContinuousClock.now
        let program = try #require(Self.program)
        let account = PeerAccount(program: program, clock: WallTime(secondsSince1970: 11_000), heard: heard)
        let later = heard + .seconds(100)
        #expect(account.secondsAhead(of: WallTime(secondsSince1970: 200), at: later) == 10_900)
        #expect(account.secondsAhead(of: WallTime(secondsSince1970: 11_100), at: later) == 0)
        #expect(account.secondsAhead(of: WallTime(secondsSince1970: 12_100), at: later) == -1000)
    }

    @Test("a peer in no session gets no account, and its own account is not repeated")
    func strangers() async throws {
        try await TestNode.with({ $0.program = Self.program }) { desk in
            let peer = try await ScriptedPeer.greeted(by: desk.node)
            try await peer.say(.about(.init(clock: 5, program: try #require(Self.program))))
            #expect(try await peer.echoes().isEmpty)
            #expect(desk.node.account(of: peer.id) == nil)
        }
    }

    @Test("a member gets one account, and a member that repeats its own gets no further answer")
    func flood() async throws {
        try await TestNode.with({ $0.program = Self.program }) { desk in
            let peer = try await ScriptedPeer.trusted(by: desk.node)
            let invite = try peer.invite(isCodeNeeded: false)
            try await peer.say(.invite(invite))
            _ = try await peer.hear { if case .inviteAnswer = $0 { true } else { nil } }
            try await peer.say(.members(.init(session: invite.session, members: [])))
            let first = try await peer.hear { if case .about(let about) = $0 { about } else { nil } }
            #expect(first.program == Self.program)
            let about = ControlFrame.about(.init(clock: 7, program: first.program))
            try await peer.say([ControlFrame](repeating: about, count: 1000))
            let answers = try await peer.echoes().filter { if case .about = $0 { true } else { false } }
            // The answers are limited to one a second, no matter how busy this machine is.
            #expect(answers.count < 200)
            let kept = try #require(desk.node.account(of: peer.id))
            #expect(kept.clock.secondsSince1970 == 7)
        }
    }
}
