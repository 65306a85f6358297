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
    /// Datagrams that are no longer, or never were, what they claim to be.
    @Suite("Datagrams of a hostile peer", .timeLimit(.minutes(5)))
    @Engine
    struct HostileDatagramTests {
        @Test("a replayed, forged, cut, long or foreign datagram is dropped, and a genuine one comes once")
        func drops() async throws {
            try await TestNode.with { desk in
                let peer = try await ScriptedPeer.trusted(by: desk.node)
                let session = try await peer.enter()
                let there = try await desk.nextJoined()
                let sealer = DatagramSealer(try DatagramKeys(of: peer.channel, .fromDialler))
                let other = DatagramSealer(try DatagramKeys(of: peer.channel, .fromAnswerer))
                func data(_ byte: UInt8, in session: SessionID, count: Int = 1) -> [UInt8] {
                    DatagramContent.data(session: session, bytes: [UInt8](repeating: byte, count: count)[...]).encoded
                }
                let genuine = sealer.seal(data(1, in: session))
                var forged = sealer.seal(data(2, in: session))
                forged[forged.count - 1] ^= 1
                var renumbered = genuine
                renumbered[17] = 99
                var bad = [
                    genuine, genuine, forged, renumbered, other.seal(data(3, in: session)), Array(genuine.prefix(17)),
                ]
                bad += [[], [0x48], sealer.seal(data(4, in: .random())), sealer.seal([9]), sealer.seal([])]
                bad.append(sealer.seal(data(5, in: session, count: WireLimits.datagramPayload) + [5]))
                bad.append([0x48, 1] + [UInt8](repeating: 5, count: 60_000))
                let last = sealer.seal(data(6, in: session))
                let target = SocketAddress(.v4(127, 0, 0, 1), port: desk.node.port)
                let loopback = SocketAddress(.v4(127, 0, 0, 1), port: 0)
                let socket = try DatagramSocket(on: loopback, loop: Engine.loop)
                let elsewhere = try DatagramSocket(on: loopback, loop: Engine.loop)
                for datagram in [genuine] + bad { _ = socket.send(datagram, to: target) }
                // The seal counts, no matter from which address the datagram is sent.
                _ = elsewhere.send(last, to: target)
                #expect(try await there.nextMessage().bytes == [1])
                #expect(try await there.nextMessage().bytes == [6])
                #expect(await peer.isServed())
            }
        }

        @Test("a peer without the permission sends none, and an unread flood is lost")
        func bounds() async throws {
            try await TestNode.with { desk in
                let peer = try await ScriptedPeer.trusted(by: desk.node)
                let session = try await peer.enter()
                let there = try await desk.nextJoined()
                let sealer = DatagramSealer(try DatagramKeys(of: peer.channel, .fromDialler))
                let loopback = SocketAddress(.v4(127, 0, 0, 1), port: 0)
                let socket = try DatagramSocket(on: loopback, loop: Engine.loop)
                let target = SocketAddress(.v4(127, 0, 0, 1), port: desk.node.port)
                let content = DatagramContent.data(session: session, bytes: [1]).encoded
                for _ in 0..<50 {
                    for _ in 0..<100 { _ = socket.send(sealer.seal(content), to: target) }
                    _ = await peer.isServed()
                }
                #expect(there.events.count <= 1025)
                try await desk.node.setPermissions([.streams], for: peer.id)
                let before = there.events.count
                for _ in 0..<10 { _ = socket.send(sealer.seal(content), to: target) }
                _ = try await peer.echoes()
                #expect(there.events.count == before)
            }
        }
    }
}
