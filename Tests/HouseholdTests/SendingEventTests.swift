import LinuxPlatform
import TestSupport
import Testing
import Transport
import Vocabulary

@testable import Household
@testable import Session

@Suite("Sending to a peer", .timeLimit(.minutes(4)))
@Engine
struct SendingEventTests {
    private final class Reported: Sendable {
        @Engine var events: [DaemonLine] = []
        @Engine func take(_ line: DaemonLine) { events.append(line) }
    }

    @Test("a peer that is offline for a moment is waited for, and the sender reads since when, and that it goes on")
    func cut() async throws {
        let (home, other) = (try await Home("Desk"), try await Home("Deck"))
        try await home.knows(other)
        try await other.knows(home)
        home.run()
        other.run()
        try home.folder.put(String(repeating: "x", count: 48 << 20), at: "film")
        let (path, address) = (home.folder.path(of: "film"), try other.address.description)
        let reported = Reported()
        let call = Call(of: home.household, named: try Label("files"), .init()) { await reported.take($0) }
        let isSent = try await call.run {
            let sending = Sending(call, patience: .seconds(60), leavesOut: false)
            try await sending.add(address, wait: .seconds(30))
            async let failure = sending.send([path]) == nil
            while home.node.peer(other.node.id).transfers.outgoing.isEmpty { try await othersTurn() }
            home.node.link(to: other.node.id)?.channel.abort()
            return try await failure
        }
        #expect(isSent)
        let events = reported.events.filter { $0.name != "progress" }
        #expect(events.map(\.name) == ["interrupted", "returned", "sent"])
        #expect(events.first?.sentence?.hasPrefix("film: waiting for Deck, which is away since ") == true)
        #expect(events.first?.event.transfer == events.last?.event.transfer)
        await other.end()
        await home.end()
    }
}
