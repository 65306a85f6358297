import Ledger
import Session
import TestSupport
import Testing
import Vocabulary

@testable import Household

@Suite("an answer that another program gives", .timeLimit(.minutes(5)))
struct AnsweringTests {
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
            code: "482913",
            patienceUntil: .now + 30
        )
        try await ledger.putBefore(waiting)
        async let given: Void = Answering(waiting, ledger).give(.accept(typedCode: "000000"))
        // What the inbox does.
        while try await inbox.takeAnswers(to: [waiting.id]).isEmpty { await Task.yield() }
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
