import LinuxPlatform
import Testing
import Vocabulary

@testable import Discovery

@Suite("Events of a reader", .timeLimit(.minutes(5)))
struct DiscoveryEventsTests {
    private func peer(_ name: String, port: UInt16 = 1, state: FoundPeer.State = .present) throws -> FoundPeer {
        FoundPeer(
            origin: .advertised(try InstanceName(name)),
            state: state,
            hostName: "h",
            port: port,
            addresses: [],
            txt: TXTRecord(),
            interfaces: []
        )
    }

    private func tell(_ events: DiscoveryEvents, _ peer: FoundPeer) {
        events.tell(.init(origin: peer.origin, peer: peer, reason: .goodbye))
    }

    private func rest(of events: DiscoveryEvents) async -> [DiscoveryEvent] {
        events.finish()
        var all: [DiscoveryEvent] = []
        for await event in events { all.append(event) }
        return all
    }

    @Test("A slow reader gets one event for each peer, with the latest state")
    func coalescing() async throws {
        let events = DiscoveryEvents()
        for port in 1...1000 { tell(events, try peer("Deck", port: UInt16(port))) }
        tell(events, try peer("Desk"))
        #expect(await rest(of: events) == [.found(try peer("Deck", port: 1000)), .found(try peer("Desk"))])
    }

    @Test("A peer that came and went between two reads is not reported")
    func unseen() async throws {
        let events = DiscoveryEvents()
        let deck = try peer("Deck")
        tell(events, deck)
        events.tell(.init(origin: deck.origin, peer: nil, reason: .goodbye))
        #expect(await rest(of: events).isEmpty)
    }

    @Test("Each kind of change has its own event")
    func kinds() async throws {
        let events = DiscoveryEvents()
        let deck = try peer("Deck")
        let away = try peer("Deck", state: .unreachable(.linkDown))
        tell(events, deck)
        #expect(await events.next() == .found(deck))
        tell(events, away)
        #expect(await events.next() == .unreachable(away))
        tell(events, deck)
        #expect(await events.next() == .returned(deck))
        tell(events, try peer("Deck", port: 9))
        #expect(await events.next() == .updated(try peer("Deck", port: 9)))
        events.tell(.init(origin: deck.origin, peer: nil, reason: .unreachable))
        #expect(await events.next() == .lost(try peer("Deck", port: 9), .unreachable))
    }

    @Test("Notices are kept up to a limit, and the number of missed ones is reported")
    func missedNotices() async throws {
        let events = DiscoveryEvents()
        for number in 0..<40 { events.tell(DiscoveryNotice.interfaceAppeared("eth\(number)")) }
        let all = await rest(of: events)
        #expect(all.count == 33)
        #expect(all.last == .notice(.missed(8)))
    }

    @Test("A waiting reader is resumed by an event, by the end and by a cancellation")
    func waking() async throws {
        let events = DiscoveryEvents()
        let deck = try peer("Deck")
        async let first = events.next()
        tell(events, deck)
        #expect(await first == .found(deck))
        let waiting = Task { await events.next() }
        waiting.cancel()
        #expect(await waiting.value == nil)
        async let last = events.next()
        events.finish()
        #expect(await last == nil)
    }
}
