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
    /// Data channels of a peer without the right to open one are closed without a word. Those of a peer with the right
    /// are counted.
    @Suite("Channels of a hostile peer", .timeLimit(.minutes(5)))
    @Engine
    struct HostileChannelTests {
        @Test("a channel with a wrong proof, or with another channel's, is closed without a word")
        func wrongProof() async throws {
            try await TestNode.with { desk in
                let peer = try await ScriptedPeer.trusted(by: desk.node)
                try await peer.enter()
                let wrong = try #require(ChannelProof(bytes: [UInt8](repeating: 0, count: 32)))
                #expect(try await peer.furtherChannel { _, _ in wrong }.hear() == nil)
                var first: ChannelProof?
                let channel = try await peer.furtherChannel(ChannelID(high: 1, low: 1)) { _, right in
                    first = right
                    return right
                }
                #expect(try await channel.hear() == .ready)
                // The same proof and ID on another connection, and another ID with the proof of this one.
                #expect(
                    try await peer.furtherChannel(ChannelID(high: 1, low: 1)) { _, right in first ?? right }.hear()
                        == nil
                )
                let other = try await peer.furtherChannel(ChannelID(high: 2, low: 2)) { channel, _ in
                    try peer.channelProof(on: channel, ChannelID(high: 3, low: 3))
                }
                #expect(try await other.hear() == nil)
                #expect(await peer.isServed())
            }
        }

        @Test("a peer that is no member gets no channel, though its proof is right")
        func noMember() async throws {
            try await TestNode.with { desk in
                let peer = try await ScriptedPeer.greeted(by: desk.node)
                // The ticket comes with the first bytes.
                _ = try await peer.echoes()
                #expect(try await peer.furtherChannel().hear() == nil)
                #expect(await peer.isServed())
            }
        }

        /// The actions of a user against a machine.
        enum Act: CaseIterable {
            case blocks, forgets

            @Engine
            func perform(on peer: PeerID, at node: Node) async throws {
                switch self {
                case .blocks: try await node.block(peer)
                case .forgets: try await node.forget(peer)
                }
            }
        }

        @Test("a ticket gives a machine nothing that was removed meanwhile", arguments: Act.allCases)
        func ticketOfTurnedOut(act: Act) async throws {
            try await TestNode.with { desk in
                let peer = try await ScriptedPeer.trusted(by: desk.node)
                try await peer.enter()
                _ = try await peer.echoes()
                let early = try await peer.readyChannel()
                #expect(early.channel.isResumed)
                try await act.perform(on: peer.id, at: desk.node)
                let late = try await peer.furtherChannel()
                #expect(late.channel.isResumed)
                #expect(try await late.hear() == nil)
                #expect(desk.node.members.isEmpty)
            }
        }

        @Test("a ticket begins no control link: its holder may be without the key")
        func ticketForControl() async throws {
            try await TestNode.with { desk in
                let peer = try await ScriptedPeer.trusted(by: desk.node)
                try await peer.enter()
                _ = try await peer.echoes()
                let ticket = try #require(peer.channel.ticket)
                for identity in [peer.identity, .ephemeral()] {
                    let bearer = try await ScriptedPeer.connected(to: desk.node, as: identity, resuming: ticket)
                    #expect(bearer.channel.isResumed)
                    try await bearer.say(.hello(try ScriptedPeer.hello()))
                    #expect(await bearer.hearToEnd().frames.isEmpty)
                }
                // A second link with this key would have replaced the first.
                #expect(await peer.isServed())
            }
        }

        @Test("a ticket of another machine leads to no channel, with the proof of either control channel")
        func ticketOfAnother() async throws {
            try await TestNode.with { desk in
                let (one, other) = (
                    try await ScriptedPeer.trusted(by: desk.node), try await ScriptedPeer.trusted(by: desk.node)
                )
                for peer in [one, other] {
                    try await peer.enter()
                    _ = try await peer.echoes()
                }
                let channel = try await other.furtherChannel(resuming: one.channel.ticket)
                #expect(channel.channel.isResumed)
                #expect(try await channel.hear() == nil)
                // Its own ticket does not open the other's channels, either.
                let id = ChannelID.random()
                let foreign = try await other.furtherChannel(id) { channel, _ in try one.channelProof(on: channel, id) }
                #expect(try await foreign.hear() == nil)
                for peer in [one, other] { #expect(await peer.isServed()) }
            }
        }

        @Test("channels that say nothing are held to a number")
        func manyChannels() async throws {
            try await TestNode.with({ $0.limits.admission.perAddress = 300 }) { desk in
                let peer = try await ScriptedPeer.trusted(by: desk.node)
                try await peer.enter()
                var held: [ScriptedChannel] = []
                var refused = 0
                for _ in 0..<150 {
                    let channel = try await peer.furtherChannel()
                    if try await channel.hear() == .ready { held.append(channel) } else { refused += 1 }
                }
                #expect(held.count <= 64)
                #expect(refused >= 86)
                #expect(await peer.isServed())
            }
        }

        @Test("a thousand requests for channels open only a limited number of connections")
        func manyRequests() async throws {
            try await TestNode.with { desk in
                let (host, control, _) = try await ScriptedHost.invited(by: desk.node)
                for _ in 0..<2_000 { try await control.say(.channelRequest(.random())) }
                #expect(await control.isServed())
                let counter = Counter(host.listener)
                let counting = Task(executorPreference: EventLoop.shared.taskExecutor) { await counter.count() }
                for _ in 0..<20 { #expect(await control.isServed()) }
                counting.cancel()
                await counting.value
                #expect((1...64).contains(counter.sockets.count))
            }
        }

        /// Takes connections and sends nothing.
        @Engine
        private final class Counter {
            private(set) var sockets: [StreamSocket] = []
            private let listener: ChannelListener

            init(_ listener: ChannelListener) {
                self.listener = listener
            }

            func count() async {
                while let socket = try? await listener.accept() { sockets.append(socket) }
            }
        }

        @Test("unread streams are limited in number, and none of them stops a message")
        func unreadStreams() async throws {
            try await TestNode.with({ $0.limits.admission.perAddress = 300 }) { desk in
                let peer = try await ScriptedPeer.trusted(by: desk.node)
                let session = try await peer.enter()
                var channels: [ScriptedChannel] = []
                var full = 0
                for _ in 0..<150 {
                    let channel = try await peer.readyChannel()
                    try await channel.say(.streamBegin(.init(session: session, name: try Label("log"))))
                    switch try await channel.hear() {
                    case .streamTaken: channels.append(channel)
                    case .abort(let abort):
                        #expect(abort.reason == .full)
                        full += 1
                    default: Issue.record("neither taken nor refused")
                    }
                }
                #expect(channels.count <= 64 && full >= 86)
                try await peer.say(.message(.init(session: session, sequence: 1, total: 1, bytes: [1])))
                let there = try await desk.nextJoined()
                #expect(try await there.nextMessage().bytes == [1])
            }
        }

        @Test("a program that keeps its streams unread has a limited number of them")
        func hoardedStreams() async throws {
            try await TestNode.with({ $0.limits.admission.perAddress = 600 }) { desk in
                let peer = try await ScriptedPeer.trusted(by: desk.node)
                let session = try await peer.enter()
                let there = try await desk.nextJoined()
                var channels: [ScriptedChannel] = []
                var hoard: [IncomingStream] = []
                var full = 0
                for _ in 0..<300 {
                    let channel = try await peer.furtherChannel()
                    channels.append(channel)
                    guard try await channel.hear() == .ready else {
                        full += 1
                        continue
                    }
                    try await channel.say(.streamBegin(.init(session: session, name: try Label("log"))))
                    #expect(try await channel.hear() == .streamTaken)
                    hoard.append(try await there.nextStream())
                }
                #expect(hoard.count <= 256 && full >= 44)
            }
        }

        @Test("the reader can distinguish a stream that breaks off, or goes on after its end, from one that ended")
        func endings() async throws {
            try await TestNode.with { desk in
                let peer = try await ScriptedPeer.trusted(by: desk.node)
                let session = try await peer.enter()
                let there = try await desk.nextJoined()
                func open() async throws -> (ScriptedChannel, IncomingStream) {
                    let channel = try await peer.readyChannel()
                    try await channel.say(.streamBegin(.init(session: session, name: try Label("log"))))
                    #expect(try await channel.hear() == .streamTaken)
                    return (channel, try await there.nextStream())
                }
                let (aborted, first) = try await open()
                try await aborted.say(.data([1]), .abort(.init(reason: .withdrawn, message: "")))
                #expect(try await first.read() == [1])
                await #expect(throws: SessionError(.withdrawn)) { try await first.read() }
                let (broken, second) = try await open()
                try await broken.say(.data([1]))
                #expect(try await second.read() == [1])
                broken.channel.abort()
                await #expect(throws: (any Error).self) { try await second.read() }
                let (late, third) = try await open()
                try await late.say(.end, .data([9]))
                #expect(try await third.read() == nil)
                await #expect(throws: (any Error).self) { try await third.read() }
                let (odd, fourth) = try await open()
                try await odd.say(.stored(try FileName("a")))
                await #expect(throws: SessionError(.brokeProtocol)) { try await fourth.read() }
                #expect(await peer.isServed())
            }
        }

        @Test("an honest member may open many streams at the same moment")
        func manyAtOnce() async throws {
            let (deck, desk) = (try await TestNode.open("Deck"), try await TestNode.open("Desk"))
            let (here, _) = try await deck.connect(to: desk)
            let (name, peer) = (try Label("log"), desk.id)
            var opening: [Task<OutgoingStream, any Error>] = []
            for _ in 0..<24 {
                opening.append(
                    Task(executorPreference: EventLoop.shared.taskExecutor) {
                        try await here.openStream(named: name, to: peer)
                    }
                )
            }
            var opened: [OutgoingStream] = []
            for task in opening { opened.append(try await task.value) }
            #expect(opened.count == 24)
            await deck.stop()
            await desk.stop()
        }

        @Test("a stream to a peer that never takes it comes to an end")
        func neverTaken() async throws {
            try await TestNode.with { desk in
                let (host, _, session) = try await ScriptedHost.invited(by: desk.node)
                let (name, peer) = (try Label("log"), host.identity.peerID)
                let opening = Task(executorPreference: EventLoop.shared.taskExecutor) {
                    try await session.openStream(named: name, to: peer)
                }
                let channel = try await host.take()
                await #expect(throws: SessionError(.timedOut)) { _ = try await opening.value }
                withExtendedLifetime(channel) {}
            }
        }
    }
}
