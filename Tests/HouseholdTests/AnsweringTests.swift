import Ledger
import ScriptedPeers
import TestSupport
import Testing
import Vocabulary
import Wire

@testable import Household
@testable import Session

@Suite("an answer that another program gives", .timeLimit(.minutes(5)))
struct AnsweringTests {
    @Test(
        "holds from then on where it said so, also if that program has ended before the peer is in",
        arguments: [true, false]
    )
    @Engine
    func endedEarly(always: Bool) async throws {
        let (home, peer, theirs) = try await Home.asked()
        try await home.node.ledger.setPolicy(.ask, for: peer.id)
        // As another program has it open.
        let other = try await Ledger.open(at: home.folder.path(of: "state"))
        #expect(try await other.answer(theirs.invitation, with: .accept(typedCode: nil, always: always)))
        _ = try await peer.hear { if case .inviteAnswer = $0 { true } else { nil } }
        try await peer.say(.members(.init(session: theirs.session, members: [])))
        while home.node.sessions.isEmpty { try await othersTurn() }
        while try await home.node.ledger.peer(peer.id)?.policy != (always ? .accept : .ask) { try await othersTurn() }
        await home.end()
    }

    @Test("is a failure where the invitation comes to nothing, however full the audit is of earlier ones")
    func fullAudit() async throws {
        let folder = TemporaryFolder()
        let limit = 20
        let ledger = try await Ledger.open(at: folder.path + "/huddle", auditLimit: limit)
        // Another program's.
        let inbox = try await Ledger.open(at: folder.path + "/huddle", auditLimit: limit)
        let peer = try #require(PeerID(bytes: [UInt8](repeating: 7, count: 32)))
        for _ in 0..<limit {
            try await ledger.note("invitation-over", about: peer, [.init("reason", "withdrawn")])
        }
        let waiting = WaitingInvitation(
            id: .random(),
            peer: peer,
            name: nil,
            session: .random(),
            sessionName: try Label("chat"),
            codeNeed: .there,
            patienceUntil: .now + 30
        )
        try await ledger.putBefore(waiting)
        async let given: Void = Answering(waiting, ledger).give(.accept(typedCode: "000000"))
        // What the inbox does.
        while try await inbox.takeAnswers(to: [waiting.id]).isEmpty { try await othersTurn() }
        try await inbox.note("invitation-over", about: peer, [.init("reason", "wrong-code")])
        try await inbox.removeInvitation(waiting.id)
        do {
            try await given
            Issue.record("it is said to be in")
        } catch let error as SessionError {
            #expect(error.reason == .wrongCode)
        }
    }
}
