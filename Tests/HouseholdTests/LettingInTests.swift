import Database
import ScriptedPeers
import Session
import TestSupport
import Testing
import Vocabulary
import Wire

@testable import Household
@testable import Ledger

@Suite("whom a person lets in", .timeLimit(.minutes(4)))
@Engine
struct LettingInTests {
    @Test("is in where the ledger can't keep that it is welcome for good, and the household goes on")
    func unkept() async throws {
        let (home, peer, theirs) = try await Home.asked()
        let news = home.household.news.follow()
        try LedgerDatabase(at: home.folder.path(of: "state/ledger.sqlite")).execute("DROP TABLE peers")
        try await home.household.answer(theirs.invitation, .accept(typed: nil), always: true)
        _ = try await peer.hear { if case .inviteAnswer = $0 { true } else { nil } }
        try await peer.say(.members(.init(session: theirs.session, members: [])))
        var events: [SessionNews] = []
        while !events.contains(where: { $0.sentence?.contains("is not kept") == true }) {
            events += try #require(await news.next())
        }
        #expect(events.contains { $0.event == "let-in" })
        #expect(home.isLiving)
        await home.end()
    }
}
