import Ledger
import LinuxPlatform
import SessionRules
import TestSupport
import Testing
import Vocabulary

@testable import Household
@testable import Session

/// What is measured between two machines, and who is not measured with.
@Suite("Measuring", .timeLimit(.minutes(5)))
@Engine
struct BenchTests {
    /// What a measurement told, and how it ended.
    private func measure(_ desk: Home, to deck: Home) async -> (told: [SessionNews], failure: HouseholdError?) {
        let told = Told()
        let peer = PeerTag(deck.node.id, deck.node.configuration.name)
        do {
            try await Bench(of: desk.household, to: peer) { await told.add($0) }.run(within: .seconds(30))
            return (told.news, nil)
        } catch {
            return (told.news, error as? HouseholdError ?? HouseholdError("other", "\(error)", nextStep: ""))
        }
    }

    @Engine
    private final class Told {
        private(set) var news: [SessionNews] = []
        func add(_ more: SessionNews) { news.append(more) }
    }

    /// Two that know each other, with an address of the second.
    private func pair(_ body: (_ desk: Home, _ deck: Home) async throws -> Void) async throws {
        let (desk, deck) = (try await Home("Desk"), try await Home("Deck"))
        desk.run()
        deck.run()
        do {
            try await desk.knows(deck)
            try await deck.knows(desk)
            try await desk.node.ledger.saw(deck.node.id, as: try InstanceName("Deck"), at: try deck.address)
            try await body(desk, deck)
        } catch {
            Issue.record(error)
        }
        await desk.end()
        await deck.end()
    }

    @Test("says how fast it goes, beside what is possible, and leaves nothing on either side")
    func measured() async throws {
        try await pair { desk, deck in
            let reader = deck.household.news.follow()
            let (told, failure) = await measure(desk, to: deck)
            #expect(failure == nil)
            let measured = told.filter { $0.event == "measured" }
            #expect(measured.compactMap(\.kind) == ["round-trip", "messages", "stream", "encryption", "file", "sum"])
            for news in measured {
                let counts = try #require(news.counts)
                // A disk with too little room is left alone.
                #expect(news.kind == "file" || counts.values.contains { $0 > 0 }, "\(news)")
                #expect(counts.values.allSatisfy { $0 >= 0 })
                #expect(counts["percent_of_limit"].map { $0 <= 100 } ?? true)
            }
            let trip = try #require(measured.first?.counts)
            #expect(try #require(trip["p99_microseconds"]) >= #require(trip["p50_microseconds"]))
            for home in [desk, deck] {
                let inbox = try Folder(at: home.household.folder.path)
                #expect(try inbox.entries(limit: 100).isEmpty)
                #expect(try await home.node.ledger.inbox().isEmpty)
                #expect(home.node.sessions.isEmpty)
            }
            deck.household.tell(SessionNews("end", nil, nil))
            var news: [SessionNews] = []
            while !news.contains(where: { $0.event == "end" }), let more = await reader.next() { news += more }
            #expect(news.map(\.event) == ["end"], "nobody is told over there")
        }
    }

    @Test("a policy that asks a person declines the measurement at once, and the command names what lets it in")
    func asked() async throws {
        try await pair { desk, deck in
            try await deck.node.setPolicy(.ask, for: desk.node.id)
            let (told, failure) = await measure(desk, to: deck)
            #expect(failure?.code == "bench.not-let-in")
            #expect(failure?.nextStep.contains("huddle policy \(desk.node.id.short) --set accept") == true)
            #expect(!told.contains { $0.event == "measured" })
            #expect(deck.household.waitingInvitations.isEmpty)
        }
    }

    @Test("sends no message that is not allowed there, or could not be answered here")
    func messages() async throws {
        try await pair { desk, deck in
            try await deck.node.setPermissions([.streams, .resources], for: desk.node.id)
            let there = await measure(desk, to: deck)
            #expect(there.failure?.code == "bench.not-permitted")
            #expect(there.failure?.nextStep.contains("huddle policy \(desk.node.id.short) --allow all") == true)
            try await deck.node.setPermissions(.all, for: desk.node.id)
            try await desk.node.setPermissions([.resources], for: deck.node.id)
            let here = await measure(desk, to: deck)
            #expect(here.failure?.code == "bench.no-answers")
            #expect(here.failure?.nextStep.contains("--allow messages,resources") == true)
            #expect(here.told.isEmpty)
        }
    }

    @Test("measures the rest where streams are not allowed, and says so")
    func streams() async throws {
        try await pair { desk, deck in
            try await deck.node.setPermissions([.messages], for: desk.node.id)
            let (told, failure) = await measure(desk, to: deck)
            #expect(failure == nil)
            let kinds = told.filter { $0.event == "measured" }.compactMap(\.kind)
            #expect(kinds == ["round-trip", "messages", "encryption", "file"])
            let missing = try #require(told.first { $0.event == "not-measured" })
            #expect(missing.kind == "stream" && missing.because == "not-permitted")
        }
    }

    @Test("is done with two others at once at most, and a third is told")
    func crowd() async throws {
        try await pair { desk, deck in
            var guests: [Home] = []
            for name in ["One", "Two"] {
                let guest = try await Home(name)
                guest.run()
                guests.append(guest)
                try await guest.knows(deck)
                try await deck.knows(guest)
                let session = guest.node.session(SessionConfiguration(name: try Label("bench"), topology: .pair))
                let context = BenchEcho.purpose
                try await guest.node.invite(.address(try deck.address), to: session, context: context)
                while let event = await session.events.next() {
                    if case .message(let ready) = event, ready.bytes == [BenchEcho.Word.ready] { break }
                }
            }
            let (_, failure) = await measure(desk, to: deck)
            #expect(failure?.code == "bench.not-there")
            for guest in guests { await guest.end() }
            // They have gone, so there is room again.
            while !deck.node.sessions.isEmpty { try await othersTurn() }
            #expect(await measure(desk, to: deck).failure == nil)
        }
    }

    @Test("what so many of a hundred did not exceed")
    func samples() {
        var samples = Samples()
        #expect(samples.percentile(50) == nil)
        for time in (1...200).reversed() { samples.add(.microseconds(time)) }
        #expect(samples.percentile(50) == .microseconds(101))
        #expect(samples.percentile(99) == .microseconds(199))
        #expect(samples.percentile(100) == .microseconds(200))
    }
}
