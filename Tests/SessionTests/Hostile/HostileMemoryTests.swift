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
    /// A member that leaves everything half done costs this machine little, no matter how much it begins.
    @Suite("Memory that a hostile member takes", .timeLimit(.minutes(5)))
    @Engine
    struct HostileMemoryTests {
        private nonisolated static let half = [UInt8](repeating: 0x77, count: 900_000)

        /// Most of a frame of `data` that announces a megabyte.
        private nonisolated static let halfData = ChannelFrame.dataHeader(count: 1 << 20) + half

        @Test("a stream hands out the bytes of a frame that never comes whole")
        func unfinishedFrame() async throws {
            try await TestNode.with { desk in
                let peer = try await ScriptedPeer.trusted(by: desk.node)
                let session = try await peer.enter()
                let there = try await desk.nextJoined()
                let (channel, stream) = try await Self.open(by: peer, session, there)
                try await channel.channel.send(Self.halfData)
                var count = 0
                while count < Self.half.count {
                    let bytes = try #require(try await stream.read())
                    #expect(bytes.allSatisfy { $0 == 0x77 })
                    count += bytes.count
                }
                #expect(count == Self.half.count)
            }
        }

        @Test("streams left in the middle of a frame keep nothing, in however many sessions they are")
        func manyHalfFrames() async throws {
            try await TestNode.with({ $0.limits.admission.perAddress = 600 }) { desk in
                let peer = try await ScriptedPeer.trusted(by: desk.node)
                let readers = TaskScope()
                let reading = Task(executorPreference: EventLoop.shared.taskExecutor) { await readers.run() }
                let before = OwnProcess.residentKiB()
                var channels: [ScriptedChannel] = []
                for _ in 0..<4 {
                    let session = try await peer.enter()
                    let there = try await desk.nextJoined()
                    for _ in 0..<15 {
                        let (channel, stream) = try await Self.open(by: peer, session, there)
                        readers.add { while (try? await stream.read()) != nil {} }
                        try await channel.channel.send(Self.halfData)
                        channels.append(channel)
                    }
                }
                #expect(await peer.isServed())
                #expect(OwnProcess.residentKiB() - before < (24 << 10) * OwnProcess.allowance)
                reading.cancel()
                withExtendedLifetime(channels) {}
            }
        }

        @Test("a channel takes no long frame without a request for it")
        func unaskedHeld() async throws {
            try await TestNode.with { desk in
                let peer = try await ScriptedPeer.trusted(by: desk.node)
                try await peer.enter()
                let channel = try await peer.readyChannel()
                try await channel.channel.send([0x68, 0x0F, 0xDE, 0x90])
                #expect(try await channel.hear() == nil)
                #expect(await peer.isServed())
            }
        }

        @Test("half messages in many sessions end the link at what a peer may hold, and a friend is heard")
        func halfMessages() async throws {
            try await TestNode.with { desk in
                let friend = try await ScriptedPeer.trusted(by: desk.node, named: "Friend")
                let session = try await friend.enter()
                let there = try await desk.nextJoined()
                let peer = try await ScriptedPeer.trusted(by: desk.node)
                let before = OwnProcess.residentKiB()
                var sessions: [SessionID] = []
                for _ in 0..<64 { sessions.append(try await peer.enter()) }
                for mine in sessions {
                    for frame in Array(MessageFrames(of: Self.half[...], session: mine, sequence: 1)).dropLast() {
                        try? await peer.say(frame)
                    }
                }
                #expect(await peer.hearToEnd().frames.last == .bye(.full))
                #expect(OwnProcess.residentKiB() - before < (32 << 10) * OwnProcess.allowance)
                let sent = ContinuousClock.now
                try await friend.say(.message(.init(session: session, sequence: 1, total: 1, bytes: [1])))
                #expect(try await there.nextMessage().bytes == [1])
                #expect(ContinuousClock.now - sent < .seconds(1) * OwnProcess.allowance)
            }
        }

        @Test("64 hostile peers, strangers and a friend can all hold half a mebibyte at once")
        func floors() {
            var budget = SharedBudget<Int>(.memory)
            for holder in 0..<66 { #expect(budget.take(budget.limits.floor, for: holder) == .granted) }
        }

        @Test("messages that no program takes are read no further than to a limit, and all of them once it does")
        func unreadMessages() async throws {
            try await TestNode.with { desk in
                let peer = try await ScriptedPeer.trusted(by: desk.node)
                var sessions: [(id: SessionID, there: Session)] = []
                for _ in 0..<8 { sessions.append((try await peer.enter(), try await desk.nextJoined())) }
                let ids = sessions.map(\.id)
                let bytes = [UInt8](repeating: 5, count: 1 << 20)
                let before = OwnProcess.residentKiB()
                let saying = Task(executorPreference: EventLoop.shared.taskExecutor) {
                    for id in ids {
                        for frame in MessageFrames(of: bytes[...], session: id, sequence: 1) {
                            try await peer.say(frame)
                        }
                    }
                }
                // One message is read beyond the limit.
                while Self.waitingCount(in: sessions.map(\.there)) < 5 {
                    // because no event reports that a message waits
                    try await Engine.loop.sleep(for: .milliseconds(5))
                }
                // because no event reports that nothing is read
                try await Engine.loop.sleep(for: .milliseconds(100))
                #expect(Self.waitingCount(in: sessions.map(\.there)) == 5)
                #expect(OwnProcess.residentKiB() - before < (40 << 10) * OwnProcess.allowance)
                for session in sessions { #expect(try await session.there.nextMessage().bytes.count == 1 << 20) }
                try await saying.value
                #expect(await peer.isServed())
            }
        }

        @Test("a peer that is not read from, because programs are behind, is not taken for silent")
        func pausedIsNotSilent() async throws {
            let isShort = { (configuration: inout NodeConfiguration) in
                configuration.patience.liveness = .init(
                    ping: .milliseconds(30),
                    suspect: .milliseconds(60),
                    lost: .milliseconds(120)
                )
            }
            try await TestNode.with(isShort) { desk in
                let peer = try await ScriptedPeer.trusted(by: desk.node)
                let (session, other) = (try await peer.enter(), try await peer.enter())
                let (there, second) = (try await desk.nextJoined(), try await desk.nextJoined())
                let bytes = [UInt8](repeating: 5, count: 1 << 20)
                let allowance = desk.node.context.shares.memory(of: peer.id)
                allowance.changeBacklog(by: 5 << 20)
                let saying = Task(executorPreference: EventLoop.shared.taskExecutor) {
                    for frame in MessageFrames(of: bytes[...], session: session, sequence: 1) {
                        try await peer.say(frame)
                    }
                }
                // because no event happens while the peer is silent
                try await Engine.loop.sleep(for: .milliseconds(400))
                #expect(desk.node.link(to: peer.id)?.isOpen == true)
                allowance.changeBacklog(by: -5 << 20)
                #expect(try await there.nextMessage().bytes.count == 1 << 20)
                try await saying.value
                withExtendedLifetime((other, second)) {}
            }
        }

        @Test("channels beyond what a peer may hold are refused as full, until others end")
        func manyChannels() async throws {
            let isSmall = { (configuration: inout NodeConfiguration) in
                configuration.limits.admission.perAddress = 600
                configuration.limits.descriptors = .init(overall: 400, each: 80, floor: 8)
            }
            try await TestNode.with(isSmall) { desk in
                let peer = try await ScriptedPeer.trusted(by: desk.node)
                let session = try await peer.enter()
                let there = try await desk.nextJoined()
                var held: [(ScriptedChannel, IncomingStream)] = []
                for _ in 0..<20 { held.append(try await Self.open(by: peer, session, there)) }
                let second = try await peer.enter()
                let refused = try await peer.furtherChannel()
                #expect(try await refused.hear() == .abort(.init(reason: .full, message: "")))
                #expect(await peer.isServed())
                held.removeLast()
                _ = try await desk.nextJoined()
                while true {
                    let channel = try await peer.furtherChannel()
                    guard try await channel.hear() == .ready else { continue }
                    try await channel.say(.streamBegin(.init(session: second, name: try Label("log"))))
                    #expect(try await channel.hear() == .streamTaken)
                    break
                }
            }
        }

        @Test("when all memory is in use, the peer that has held much for longest gives way to a friend")
        func givesWay() async throws {
            let isSmall = { (configuration: inout NodeConfiguration) in
                configuration.limits.memory = .init(overall: 3_500_000, each: 2 << 20, floor: 256 << 10)
            }
            try await TestNode.with(isSmall) { desk in
                let friend = try await ScriptedPeer.trusted(by: desk.node, named: "Friend")
                let session = try await friend.enter()
                let there = try await desk.nextJoined()
                var hostile: [ScriptedPeer] = []
                for _ in 0..<3 {
                    let peer = try await ScriptedPeer.trusted(by: desk.node)
                    let mine = try await peer.enter()
                    for frame in Array(MessageFrames(of: Self.half[...], session: mine, sequence: 1)).dropLast() {
                        try await peer.say(frame)
                    }
                    #expect(await peer.isServed())
                    hostile.append(peer)
                }
                let bytes = [UInt8](repeating: 5, count: 1 << 20)
                for sequence in 1...3 as ClosedRange<UInt64> {
                    for frame in MessageFrames(of: bytes[...], session: session, sequence: sequence) {
                        try await friend.say(frame)
                    }
                    #expect(try await there.nextMessage().bytes.count == 1 << 20)
                    try await friend.say(.ping(3))
                }
                #expect(await friend.isServed())
                #expect(await !hostile[0].isServed())
                #expect(await hostile[2].isServed())
            }
        }

        @Test("a peer that gave way is accepted again at once, though its files are remembered")
        func isLetInAgain() async throws {
            let isSmall = { (configuration: inout NodeConfiguration) in
                configuration.limits.memory = .init(overall: 2_300_000, each: 2 << 20, floor: 64 << 10)
            }
            try await TestNode.with(isSmall) { desk in
                let identity = Identity.ephemeral()
                try await desk.node.trust(identity.peerID)
                try await desk.node.setPolicy(.accept, for: identity.peerID)
                let peer = try await ScriptedPeer.greeted(by: desk.node, as: identity)
                let session = try await peer.enter()
                let there = try await desk.nextJoined()
                try await peer.offer(OfferBytes(session: session, name: "save.dat"))
                try await there.nextResource().refuse()
                let hungry = try await [ScriptedPeer.trusted(by: desk.node), .trusted(by: desk.node)]
                for other in hungry {
                    let mine = try await other.enter()
                    _ = try await desk.nextJoined()
                    let bytes = [UInt8](repeating: 0x77, count: 1 << 20)
                    for frame in MessageFrames(of: bytes[...], session: mine, sequence: 1).dropLast() {
                        try await other.say(frame)
                    }
                    _ = await other.isServed()
                }
                #expect(await !peer.isServed())
                let again = try await ScriptedPeer.greeted(by: desk.node, as: identity)
                try await again.enter()
                _ = try await desk.nextJoined()
                #expect(await again.isServed())
            }
        }

        @Test("a member that asks and never reads is cut off within its limit")
        func neverReads() async throws {
            try await TestNode.with { desk in
                let peer = try await ScriptedPeer.trusted(by: desk.node)
                try await peer.enter()
                let before = OwnProcess.residentKiB()
                let pings = [ControlFrame](repeating: .ping(1), count: 20_000)
                var (count, isCut) = (0, false)
                while !isCut, count < 200 {
                    do { try await peer.say(pings) } catch { isCut = true }
                    count += 1
                }
                #expect(isCut)
                #expect(OwnProcess.residentKiB() - before < (60 << 10) * OwnProcess.allowance)
            }
        }

        /// The number of waiting messages, without the event that a peer has joined.
        private static func waitingCount(in sessions: [Session]) -> Int {
            sessions.reduce(0) { $0 + $1.events.count - 1 }
        }

        private static func open(
            by peer: ScriptedPeer,
            _ session: SessionID,
            _ there: Session
        ) async throws -> (ScriptedChannel, IncomingStream) {
            let channel = try await peer.readyChannel()
            try await channel.say(.streamBegin(.init(session: session, name: try Label("log"))))
            #expect(try await channel.hear() == .streamTaken)
            return (channel, try await there.nextStream())
        }
    }
}
