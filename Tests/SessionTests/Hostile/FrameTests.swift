import Ledger
import LinuxPlatform
import ScriptedPeers
import SessionRules
import TestSupport
import Testing
import Transport
import Vocabulary
import Wire

@testable import Session

extension HostileSuites {
    /// The frames that a peer may send at each moment. Any other frame ends its link with a reason, and no other peer
    /// notices.
    @Suite("Frames that must not come", .timeLimit(.minutes(5)))
    @Engine
    struct FrameTests {
        @Test("a first frame that is not Hello ends the connection", arguments: [0x03, 0x10, 0x30, 0x05] as [UInt8])
        func helloMissing(type: UInt8) async throws {
            try await TestNode.with { desk in
                let peer = try await ScriptedPeer.connected(to: desk.node)
                try await peer.say(type: type, [UInt8](repeating: 0, count: 8))
                let heard = await peer.hearToEnd()
                // A peer sends Hello as soon as it is addressed, and nothing more.
                #expect(heard.frames.count <= 1)
            }
        }

        @Test(
            "a second Hello, an unknown frame of the kind that is not skipped, and one over the limit break the protocol"
        )
        func violations() async throws {
            try await TestNode.with { desk in
                let second = try await ScriptedPeer.greeted(by: desk.node)
                try await second.say(.hello(try ScriptedPeer.hello()))
                let unknown = try await ScriptedPeer.greeted(by: desk.node)
                try await unknown.say(type: 0x05, [1, 2, 3])
                let oversize = try await ScriptedPeer.greeted(by: desk.node)
                try await oversize.channel.send([0x30, 0xFF, 0xFF, 0xFF])
                for peer in [second, unknown, oversize] {
                    let heard = await peer.hearToEnd()
                    #expect(heard.frames.last == .bye(.brokeProtocol))
                }
                #expect(try await ScriptedPeer.greeted(by: desk.node).isServed())
            }
        }

        @Test("an unknown frame of the kind that may be skipped is, whatever its length")
        func skipped() async throws {
            try await TestNode.with { desk in
                let peer = try await ScriptedPeer.greeted(by: desk.node)
                for count in [0, 1, 65_536] { try await peer.say(type: 0x85, [UInt8](repeating: 9, count: count)) }
                #expect(try await peer.echoes().isEmpty)
            }
        }

        @Test("a newer peer's Hello may be longer, and its unknown frames mean another version")
        func newer() async throws {
            try await TestNode.with { desk in
                let peer = try await ScriptedPeer.connected(to: desk.node)
                var bytes: [UInt8] = []
                ControlFrame.hello(try ScriptedPeer.hello(minor: WireVersion.minor + 1)).encode(into: &bytes)
                try await peer.say(type: 0x01, bytes.dropFirst(4) + [1, 2, 3])
                guard case .hello = try await peer.hear() else { throw ScriptedPeer.Unexpected.frame }
                try await peer.say(type: 0x05, [])
                #expect(await peer.hearToEnd().frames.last == .bye(.wrongVersion))
            }
        }

        @Test("Hello with more behind it is refused of a peer of the same version")
        func trailing() async throws {
            try await TestNode.with { desk in
                let peer = try await ScriptedPeer.connected(to: desk.node)
                var bytes: [UInt8] = []
                ControlFrame.hello(try ScriptedPeer.hello()).encode(into: &bytes)
                try await peer.say(type: 0x01, bytes.dropFirst(4) + [1])
                #expect(await peer.hearToEnd().frames.count <= 1)
            }
        }

        @Test("a stranger can't make the node hold a megabyte before it has shown a proof")
        func hugeOpening() async throws {
            try await TestNode.with { desk in
                let peer = try await ScriptedPeer.connected(to: desk.node)
                try await peer.channel.send([0x60, 0x10, 0, 0] + [UInt8](repeating: 0, count: 60_000))
                try? await peer.channel.send([UInt8](repeating: 0, count: 60_000))
                // The connection is cut at once, not at the end of the time to greet.
                let start = ContinuousClock.now
                _ = await peer.hearToEnd()
                #expect(ContinuousClock.now - start < .seconds(3))
            }
        }

        @Test("a stranger that asks and never reads is cut long before it fills the memory")
        func neverReads() async throws {
            try await TestNode.with { desk in
                let peer = try await ScriptedPeer.greeted(by: desk.node)
                var pings: [UInt8] = []
                for number in 0..<5000 as Range<UInt64> { ControlFrame.ping(number).encode(into: &pings) }
                let timer = Engine.schedule(at: .now + .seconds(20)) { peer.channel.abort() }
                defer { timer.cancel() }
                var (most, rounds) = (0, 0)
                while rounds < 1_000, (try? await peer.channel.send(pings)) != nil {
                    rounds += 1
                    // The test looks the link up each time: if it held the link, the connection of a cut link would
                    // stay open.
                    most = max(most, desk.node.link(to: peer.id)?.outbox.waitingByteCount ?? 0)
                }
                #expect(rounds < 1_000 && most < 300 << 10)
                // The link is cut, and a moment later it is removed.
                while desk.node.link(to: peer.id) != nil { try await othersTurn() }
            }
        }
    }
}

extension TestNode {
    /// Runs a node for as long as the body runs.
    static func with(
        _ change: (inout NodeConfiguration) -> Void = { _ in },
        _ body: (TestNode) async throws -> Void
    ) async throws {
        let node = try await open("Desk", change)
        do {
            try await body(node)
        } catch {
            await node.stop()
            throw error
        }
        await node.stop()
    }
}
