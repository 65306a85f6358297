import Ledger
import LinuxPlatform
import SessionRules
import TestSupport
import Testing
import Vocabulary

@testable import Household
@testable import Session

/// Measurements between two machines, and their refusals.
@Suite("Measuring", .timeLimit(.minutes(5)))
@Engine
struct BenchTests {
    /// The lines of a measurement, and its error.
    private func measure(_ desk: Home, to deck: Home) async -> (reported: [DaemonLine], failure: HouseholdError?) {
        let reported = Reported()
        let peer = PeerTag(deck.node.id, deck.node.configuration.name)
        do {
            try await Bench(of: desk.household, to: peer) { await reported.add($0) }.run(within: .seconds(30))
            return (reported.lines, nil)
        } catch {
            return (reported.lines, error as? HouseholdError ?? HouseholdError("other", "\(error)", nextStep: ""))
        }
    }

    @Engine
    private final class Reported {
        private(set) var lines: [DaemonLine] = []
        func add(_ more: DaemonLine) { lines.append(more) }
    }

    private static func measured(_ reported: [DaemonLine]) -> [MeasuredEvent] {
        reported.compactMap { line in
            if case .measured(let event) = line.event { event } else { nil }
        }
    }

    /// Two paired machines, with an address of the second.
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

    @Test("the measurement reports the speed beside the limit, and leaves nothing on either side")
    func measured() async throws {
        try await pair { desk, deck in
            let reader = deck.household.events.follow()
            let (reported, failure) = await measure(desk, to: deck)
            #expect(failure == nil)
            let measured = Self.measured(reported)
            #expect(measured.map(\.kind) == [.roundTrip, .messages, .stream, .encryption, .file, .sum])
            for line in measured {
                let counts = line.counts
                // A disk with too little space is not measured.
                #expect(line.kind == .file || counts.values.contains { $0 > 0 }, "\(line)")
                #expect(counts.values.allSatisfy { $0 >= 0 })
                #expect(counts["percent_of_limit"].map { $0 <= 100 } ?? true)
            }
            let trip = try #require(measured.first?.counts)
            #expect(try #require(trip["p99_microseconds"]) >= #require(trip["p50_microseconds"]))
            for home in [desk, deck] {
                let inbox = try Folder(at: home.household.folder.path)
                #expect(try inbox.entries(limit: 100).isEmpty)
                #expect(try await home.node.ledger.inbox.all().isEmpty)
                #expect(home.node.sessions.isEmpty)
            }
            deck.household.tell(DaemonLine(.unknown(UnknownEvent("end")), nil))
            var lines: [DaemonLine] = []
            while !lines.contains(where: { $0.name == "end" }), let more = await reader.next() { lines += more }
            let names = lines.map(\.name).filter { $0 != "machines" }
            #expect(names == ["end"], "the other machine reports a measurement")
        }
    }

    @Test(
        "a policy that asks the user declines the measurement at once, and the command names the policy that permits it"
    )
    func asked() async throws {
        try await pair { desk, deck in
            try await deck.node.setPolicy(.ask, for: desk.node.id)
            let (reported, failure) = await measure(desk, to: deck)
            #expect(failure?.code == "bench.not-admitted")
            #expect(failure?.nextStep.contains("huddle policy \(desk.node.id.short) --set accept") == true)
            #expect(Self.measured(reported).isEmpty)
            #expect(deck.household.waitingInvitations.isEmpty)
        }
    }

    @Test("the measurement sends no message without the permission there, or without a possible answer here")
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
            #expect(here.reported.isEmpty)
        }
    }

    @Test("the measurement goes on without streams if they are not allowed, and says so")
    func streams() async throws {
        try await pair { desk, deck in
            try await deck.node.setPermissions([.messages], for: desk.node.id)
            let (reported, failure) = await measure(desk, to: deck)
            #expect(failure == nil)
            #expect(Self.measured(reported).map(\.kind) == [.roundTrip, .messages, .encryption, .file])
            let missing = reported.compactMap { line in
                if case .notMeasured(let event) = line.event { event } else { nil }
            }
            #expect(missing.map(\.kind) == [.stream] && missing.map(\.problem.because) == [.notPermitted])
        }
    }

    @Test("A machine measures with at most two others at once, and a third gets an error")
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
            #expect(failure?.code == "bench.unsupported")
            for guest in guests { await guest.end() }
            // The guests have left, so there is room again.
            while !deck.node.sessions.isEmpty { try await othersTurn() }
            #expect(await measure(desk, to: deck).failure == nil)
        }
    }

    @Test("a percentile is the value that so many of a hundred did not exceed")
    func samples() {
        var samples = Samples()
        #expect(samples.percentile(50) == nil)
        for time in (1...200).reversed() { samples.add(.microseconds(time)) }
        #expect(samples.percentile(50) == .microseconds(101))
        #expect(samples.percentile(99) == .microseconds(199))
        #expect(samples.percentile(100) == .microseconds(200))
    }
}
