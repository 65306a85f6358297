import Ledger
import LinuxPlatform
import Session
import SessionRules
import Testing
import Vocabulary

@testable import Household
import TestSupport

@Engine
@Suite("A part of the daemon that takes sessions of its own", .timeLimit(.minutes(5)))
struct SessionTakerTests {
    @Engine
    private final class Taker: SessionHandler {
        nonisolated let context = Array("huddle-saves/1".utf8)
        let taken = Resumption<PeerID>()
        let lost = Resumption<PeerID>()
        var reached: Set<PeerID> = []

        func take(_ session: Session, from peer: PeerID) async {
            taken.resume(with: .success(peer))
            while await session.events.next() != nil {}
        }

        func reaches(_ peer: PeerID) { reached.insert(peer) }

        func loses(_ peer: PeerID) { lost.resume(with: .success(peer)) }
    }

    /// Two machines, of which the host takes sessions of a purpose of its own.
    private func between(_ work: (_ guest: Home, _ host: Home, Taker) async throws -> Void) async throws {
        let (guest, host, taker) = (try await Home("Deck"), try await Home("Desk"), Taker())
        host.household.register(taker)
        guest.run()
        host.run()
        do {
            try await work(guest, host, taker)
        } catch {
            Issue.record(error)
        }
        await guest.end()
        await host.end()
    }

    private func invite(
        _ host: Home,
        from guest: Home,
        _ context: [UInt8],
        patience: Duration = .seconds(10)
    ) async throws {
        let session = guest.node.session(SessionConfiguration(name: try Label("saves"), topology: .star))
        try await guest.node.invite(.address(try host.address), to: session, context: context, patience: patience)
    }

    @Test("A taker gets the sessions of peers that are accepted without a question, without an event")
    func takes() async throws {
        try await between { guest, host, taker in
            try await guest.knows(host)
            try await host.knows(guest)
            let reader = host.household.events.follow()
            try await invite(host, from: guest, taker.context)
            #expect(try await taker.taken.value() == guest.node.id)
            #expect(reader.rest().allSatisfy { $0.name == "machines" })
            #expect(taker.reached == [guest.node.id])
        }
    }

    @Test("A taker hears that the link to a peer is gone")
    func loses() async throws {
        try await between { guest, host, taker in
            try await guest.knows(host)
            try await host.knows(guest)
            try await invite(host, from: guest, taker.context)
            await guest.end()
            #expect(try await taker.lost.value() == guest.node.id)
        }
    }

    @Test("A taker gets no session of a stranger, which gets no answer as if it were blocked, without a question")
    func stranger() async throws {
        try await between { guest, host, taker in
            let reader = host.household.events.follow()
            await #expect(throws: SessionError(.timedOut, missing: .codeThere)) {
                try await invite(host, from: guest, taker.context, patience: .milliseconds(500))
            }
            #expect(!reader.rest().contains { $0.name == "invited" })
            while try await !host.node.ledger.invitations.waiting().values.isEmpty { try await othersTurn() }
        }
    }

    @Test("A taker gets no sessions with another purpose")
    func others() async throws {
        try await between { guest, host, taker in
            try await guest.knows(host)
            try await host.knows(guest)
            let reader = host.household.events.follow()
            try await invite(host, from: guest, Array("chat".utf8))
            while !(try #require(await reader.next()).contains { $0.name == "joined" }) {}
            taker.taken.resume(with: .success(host.node.id))
            #expect(try await taker.taken.value() == host.node.id)
        }
    }
}
