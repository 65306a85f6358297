import Glibc
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
    /// Thousands of connections from unknown machines: they cost next to nothing, and other machines are still
    /// admitted.
    @Suite("Connections of strangers", .serialized, .timeLimit(.minutes(10)))
    @Engine
    struct StrangerFloodTests {
        /// The first bytes of a stranger.
        enum Opening: CaseIterable, Sendable {
            case nothing, halfGreeting, noise, http

            var bytes: [UInt8] {
                switch self {
                case .nothing: []
                case .halfGreeting: [22, 3, 1, 2, 0, 1, 0, 1, 252, 3, 3] + [UInt8](repeating: 7, count: 100)
                case .noise: (0..<300).map { UInt8(truncatingIfNeeded: $0 * 7 + 1) }
                case .http: Array("GET / HTTP/1.1\r\nHost: desk\r\n\r\n".utf8)
                }
            }
        }

        @Test("ten thousand connections, one after the other, leave no descriptor and no memory behind")
        func sequential() async throws {
            try await TestNode.with { desk in
                _ = try await ScriptedPeer.greeted(by: desk.node)
                let peer = try await ScriptedPeer.trusted(by: desk.node)
                let (descriptors, memory) = (OwnProcess.descriptors().count, OwnProcess.residentKiB())
                for number in 0..<10_000 {
                    let opening = Opening.allCases[number % 4]
                    let socket = try LoopbackStranger.connecting(to: desk.node.port, from: UInt8(2 + number % 200))
                    if !opening.bytes.isEmpty { try? await socket.send(opening.bytes) }
                    // The connections that send HTTP wait for an answer.
                    if opening == .http { _ = try? await socket.receive(upTo: 100) }
                    // The paired peer is served meanwhile. Without a frame for ten seconds, it would count as offline.
                    if number % 500 == 0 { try #require(await peer.isServed()) }
                }
                #expect(await peer.isServed())
                try await gone(desk)
                #expect(OwnProcess.descriptors().count <= descriptors + 4)
                #expect(OwnProcess.residentKiB() - memory < (24 << 10) * OwnProcess.allowance)
            }
        }

        @Test("a thousand strangers who greet properly, each with another key, leave nothing behind")
        func greetings() async throws {
            try await TestNode.with { desk in
                for _ in 0..<50 { try await comeAndGo(desk) }
                try await gone(desk)
                let (descriptors, memory) = (OwnProcess.descriptors().count, OwnProcess.residentKiB())
                for _ in 0..<1_000 { try await comeAndGo(desk) }
                try await gone(desk)
                while !desk.node.peers.isEmpty { try await othersTurn() }
                #expect(OwnProcess.descriptors().count <= descriptors + 4)
                #expect(OwnProcess.residentKiB() - memory < (24 << 10) * OwnProcess.allowance)
                #expect(try await desk.node.ledger.peers().values.isEmpty)
                // The user still learns of machines that matter.
                let honest = try await ScriptedPeer.greeted(by: desk.node, named: "Honest")
                let invite = try honest.invite()
                try await honest.begin(invite)
                #expect(try await desk.nextInvitation().name.text == "Honest")
            }
        }

        @Test("five hundred at once, silent or byte by byte, keep no friend out")
        func atOnce() async throws {
            try await TestNode.with({ $0.patience.handshake = .init(secure: .seconds(3), greet: .seconds(3)) }) {
                desk in
                let friend = Identity.ephemeral()
                try await desk.node.trust(friend.peerID)
                let descriptors = OwnProcess.descriptors().count
                var strangers: [StreamSocket] = []
                for number in 0..<500 {
                    strangers.append(try LoopbackStranger.connecting(to: desk.node.port, from: UInt8(2 + number % 7)))
                }
                let drip = Opening.halfGreeting.bytes
                for place in 0..<20 {
                    for stranger in strangers { try? await stranger.send([drip[place]]) }
                }
                #expect(desk.node.listener.admission.count <= 64)
                let peer = try await ScriptedPeer.greeted(by: desk.node, as: friend)
                #expect(await peer.isServed())
                strangers = []
                peer.channel.abort()
                try await gone(desk)
                #expect(OwnProcess.descriptors().count <= descriptors + 4)
            }
        }

        @Test("a paired machine gets in where it was seen, 25 times of 25, while 80 addresses hold all other places")
        func familiarAddress() async throws {
            try await TestNode.with { desk in
                let friend = Identity.ephemeral()
                try await desk.node.trust(friend.peerID)
                let first = try await ScriptedPeer.connected(to: desk.node, as: friend, from: 250)
                try await first.say(.hello(try ScriptedPeer.hello(listeningPort: 4242)))
                _ = try await first.echoes()
                while try await desk.node.ledger.peer(friend.peerID)?.addresses.isEmpty != false { try await turn() }
                try await cameAndWent(first, desk)
                var strangers: [StreamSocket] = []
                for _ in 0..<25 {
                    try await fill(desk, &strangers, from: 80)
                    let again = try await ScriptedPeer.greeted(by: desk.node, as: friend, from: 250)
                    #expect(await again.isServed())
                    try await cameAndWent(again, desk)
                }
                withExtendedLifetime(strangers) {}
            }
        }

        @Test("an unknown machine gets in, 25 times of 25, while twenty addresses hold all places of strangers")
        func unknownAddress() async throws {
            try await TestNode.with { desk in
                var strangers: [StreamSocket] = []
                for _ in 0..<25 {
                    try await fill(desk, &strangers, from: 20)
                    let newcomer = try await ScriptedPeer.greeted(by: desk.node, from: 200)
                    #expect(await newcomer.isServed())
                    try await cameAndWent(newcomer, desk)
                }
                withExtendedLifetime(strangers) {}
            }
        }

        /// Lets unknown machines at this number of addresses take all their places, with half a handshake each.
        private func fill(_ desk: TestNode, _ strangers: inout [StreamSocket], from addresses: Int) async throws {
            repeat {
                for number in 0..<addresses {
                    let stranger = try LoopbackStranger.connecting(to: desk.node.port, from: UInt8(2 + number))
                    try? await stranger.send(Opening.halfGreeting.bytes)
                    strangers.append(stranger)
                }
                strangers.removeFirst(max(0, strangers.count - 400))
                try await turn()
            } while desk.node.listener.admission.count < 64
        }

        private func cameAndWent(_ peer: ScriptedPeer, _ desk: TestNode) async throws {
            peer.channel.abort()
            while desk.node.link(to: peer.id) != nil { try await turn() }
        }

        @Test("when all places are held, the one that was silent longest gives way")
        func heldPlaces() async throws {
            try await TestNode.with({ $0.limits.admission.stall = .milliseconds(300) }) { desk in
                var strangers: [StreamSocket] = []
                for number in 0..<64 {
                    strangers.append(try LoopbackStranger.connecting(to: desk.node.port, from: UInt8(2 + number / 8)))
                }
                while desk.node.listener.admission.count < 64 { try await turn() }
                // because no event happens while a stranger is silent
                try await Engine.loop.sleep(for: .milliseconds(350))
                #expect(try await ScriptedPeer.greeted(by: desk.node).isServed())
                // One machine that holds all of its own places is treated the same way.
                for _ in 0..<8 { strangers.append(try LoopbackStranger.connecting(to: desk.node.port, from: 100)) }
                _ = try? await strangers[71].receive(upTo: 1)
                #expect(try await ScriptedPeer.greeted(by: desk.node, from: 100).isServed())
                withExtendedLifetime(strangers) {}
            }
        }

        @Test("a machine that has been accepted does not give way to strangers")
        func membersStay() async throws {
            try await TestNode.with({ $0.limits.admission.stall = .milliseconds(100) }) { desk in
                let peer = try await ScriptedPeer.greeted(by: desk.node)
                let invite = try peer.invite(to: peer.ownSession)
                try await peer.begin(invite)
                let asked = try await desk.nextInvitation()
                let code = try #require(PairingCode(number: 482_913))
                try await desk.node.answer(asked.id, .accept(typed: code))
                #expect(try await peer.reply(to: asked.id, showing: code) == true)
                _ = try await peer.hear { if case .inviteAnswer = $0 { true } else { nil } }
                try await peer.say(.members(.init(session: peer.ownSession, members: [])))
                _ = try await peer.echoes()
                #expect(desk.node.listener.admission.count == 0)
                var strangers: [StreamSocket] = []
                // because no event happens while a member is silent
                try await Engine.loop.sleep(for: .milliseconds(150))
                for number in 0..<200 {
                    strangers.append(try LoopbackStranger.connecting(to: desk.node.port, from: UInt8(2 + number / 4)))
                }
                #expect(await peer.isServed())
                withExtendedLifetime(strangers) {}
            }
        }

        /// Connects, greets and leaves. Returns when its place is free, so that the next connection is not refused for
        /// it.
        private func comeAndGo(_ desk: TestNode) async throws {
            try await ScriptedPeer.greeted(by: desk.node).channel.abort()
            while desk.node.listener.admission.count >= 4 { try await othersTurn() }
        }

        /// The waits of invitations whose link is lost.
        @Test("invitations of strangers that hang up wait for no turn, and the next stranger does not wait for them")
        func hangUp() async throws {
            try await TestNode.with { desk in
                let peer = try await ScriptedPeer.greeted(by: desk.node)
                let link = try #require(desk.node.link(to: peer.id))
                let waiting = (0..<1_000).map { _ in
                    Task(executorPreference: EventLoop.shared.taskExecutor) {
                        try await desk.node.context.invitationGate.awaitTurn(of: link)
                    }
                }
                _ = try await peer.echoes()
                peer.channel.abort()
                var refused = 0
                for turn in waiting { if case .failure = await turn.result { refused += 1 } }
                #expect(refused > 500)
                let honest = try await ScriptedPeer.greeted(by: desk.node, named: "Honest")
                let began = ContinuousClock.now
                try await honest.begin(try honest.invite())
                #expect(ContinuousClock.now - began < .seconds(2) * OwnProcess.allowance)
            }
        }

        private func gone(_ desk: TestNode) async throws {
            while desk.node.listener.admission.count > 0 { try await turn() }
        }

        /// Lets the node run for a moment: no event reports unknown machines.
        private func turn() async throws {
            // because no event reports that a stranger has come or gone
            try await Engine.loop.sleep(for: .milliseconds(10))
        }
    }
}
