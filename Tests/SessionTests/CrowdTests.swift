import Ledger
import LinuxPlatform
import SessionRules
import TestSupport
import Testing
import Vocabulary

@testable import Session

@Suite("Many in one session", .timeLimit(.minutes(10)))
@Engine
struct CrowdTests {
    @Test("fifty peers are in one session (sixteen with the thread sanitizer), and each receives from all others")
    func fifty() async throws {
        // With the thread sanitizer, each of the 1,225 links costs many times more. It also finds their races with
        // fewer nodes.
        let count = OwnProcess.allowance < 12 ? 50 : 16
        var nodes: [TestNode] = []
        for number in 0..<count {
            // In this test all nodes have one address, unlike the machines of a household.
            nodes.append(
                try await TestNode.open("Peer \(number)") { $0.limits.admission = .init(overall: 200, perAddress: 200) }
            )
        }
        let host = nodes[0]
        let chat = try host.session()
        var sessions = [chat]
        for other in nodes.dropFirst() {
            try await host.befriend(other)
            try await host.node.invite(.address(try other.address), to: chat)
            sessions.append(try await other.nextJoined())
        }
        for session in sessions {
            while session.connectedPeers.count < count - 1 { _ = await session.events.next() }
        }
        for (place, session) in sessions.enumerated() { try await session.send([UInt8(place)]) }
        for (place, session) in sessions.enumerated() {
            var heard: Set<UInt8> = []
            while heard.count < count - 1 { heard.insert(try await session.nextMessage().bytes[0]) }
            #expect(heard == Set((0..<UInt8(count)).filter { $0 != UInt8(place) }))
        }
        for node in nodes { await node.stop() }
    }
}
