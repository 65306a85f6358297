import LinuxPlatform
import ScriptedPeers
import SessionRules
import TestSupport
import Testing
import Vocabulary
import Wire

@testable import Session

extension HostileSuites {
    /// A member that breaks the rules of messages loses its link with a reason. A member without a permission learns
    /// that.
    @Suite("Messages of a hostile member", .timeLimit(.minutes(5)))
    @Engine
    struct HostileMessageTests {
        private static let half = [UInt8](repeating: 1, count: 10)[...]

        @Test("a broken order of messages ends the link", arguments: 0..<9)
        func order(row: Int) async throws {
            try await TestNode.with { desk in
                let peer = try await ScriptedPeer.trusted(by: desk.node)
                let session = try await peer.enter()
                try await peer.say(Self.breach(row, in: session))
                #expect(await peer.hearToEnd().frames.last == .bye(.brokeProtocol))
                #expect(try await ScriptedPeer.greeted(by: desk.node).isServed())
            }
        }

        private static func breach(_ row: Int, in session: SessionID) -> [ControlFrame] {
            func message(_ sequence: UInt64, total: Int = 20) -> ControlFrame {
                .message(.init(session: session, sequence: sequence, total: total, bytes: half))
            }
            func part(_ sequence: UInt64, count: Int = 10) -> ControlFrame {
                .messagePart(
                    .init(session: session, sequence: sequence, bytes: [UInt8](repeating: 2, count: count)[...])
                )
            }
            return switch row {
            case 0: [message(2)]
            case 1: [message(1), message(1)]
            case 2: [message(1), message(2)]
            case 3: [part(1)]
            case 4: [message(1), part(1, count: 11)]
            case 5: [message(1), part(2)]
            case 6: [.messageAck(.init(session: session, consumed: 1))]
            case 7: [.resume(.init(session: session, received: 1))]
            default: [.resume(.init(session: session, received: 0))]
            }
        }

        @Test("a member that is heard but never confirms a message loses its link, and the waiting callers learn that")
        func unanswered() async throws {
            let isShort = { (configuration: inout NodeConfiguration) in
                configuration.patience.liveness = .init(answer: .milliseconds(50))
            }
            try await TestNode.with(isShort) { desk in
                let peer = try await ScriptedPeer.trusted(by: desk.node)
                try await peer.enter()
                let there = try await desk.nextJoined()
                try await there.send([1])
                let delivery = Task(executorPreference: EventLoop.shared.taskExecutor) { try await there.delivered() }
                var last: ControlFrame?
                while let frame = try? await peer.hear() {
                    last = frame
                    // Only the pings of the heartbeat are answered.
                    if case .ping = frame { try await peer.say(.pong(0)) }
                }
                #expect(last == .bye(.brokeProtocol))
                await #expect(throws: SessionError(.brokeProtocol)) { try await delivery.value }
            }
        }

        @Test("a message that claims a length beyond the limit ends the link before a byte is kept")
        func tooLarge() async throws {
            try await TestNode.with { desk in
                let peer = try await ScriptedPeer.trusted(by: desk.node)
                let session = try await peer.enter()
                var payload = session.bytes + [0, 0, 0, 0, 0, 0, 0, 1]
                payload += [0, 0x10, 0, 1] + [UInt8](repeating: 0, count: 100)
                try await peer.say(type: 0x30, payload)
                #expect(await peer.hearToEnd().frames.last == .bye(.brokeProtocol))
            }
        }

        @Test("a member that overruns the window loses its link, and the messages before are kept")
        func overrun() async throws {
            try await TestNode.with { desk in
                let peer = try await ScriptedPeer.trusted(by: desk.node)
                let session = try await peer.enter()
                let bytes = [UInt8](repeating: 5, count: 500_000)
                for sequence in 1...5 as ClosedRange<UInt64> {
                    for frame in MessageFrames(of: bytes[...], session: session, sequence: sequence) {
                        try? await peer.say(frame)
                    }
                }
                #expect(await peer.hearToEnd().frames.last == .bye(.brokeProtocol))
                let there = try await desk.nextJoined()
                for _ in 0..<4 { #expect(try await there.nextMessage().bytes.count == 500_000) }
                #expect(try await there.nextDeparture() == .brokeProtocol)
            }
        }

        @Test("a member that may not send messages learns that, and is out")
        func notPermitted() async throws {
            try await TestNode.with { desk in
                let peer = try await ScriptedPeer.trusted(by: desk.node, may: [.streams, .resources])
                let session = try await peer.enter()
                try await peer.say(.message(.init(session: session, sequence: 1, total: 1, bytes: [1])))
                #expect(try await peer.echoes() == [.leave(.init(session: session, reason: .notPermitted))])
                let there = try await desk.nextJoined()
                #expect(try await there.nextDeparture() == .notPermitted)
            }
        }

        @Test("a permission that is taken away counts at once, and the sender learns why")
        func takenAway() async throws {
            let (deck, desk) = (try await TestNode.open("Deck"), try await TestNode.open("Desk"))
            let (here, there) = try await deck.connect(to: desk)
            try await desk.node.setPermissions([.streams], for: deck.id)
            try await here.send([1])
            #expect(try await here.nextDeparture() == .notPermitted)
            #expect(try await there.nextDeparture() == .notPermitted)
            await deck.stop()
            await desk.stop()
        }

        @Test("streams and files without the permission are refused with the reason")
        func otherPermissions() async throws {
            try await TestNode.with { desk in
                let peer = try await ScriptedPeer.trusted(by: desk.node, may: [.messages])
                let session = try await peer.enter()
                let channel = try await peer.readyChannel()
                try await channel.say(.streamBegin(.init(session: session, name: try Label("log"))))
                #expect(try await channel.hear() == .abort(.init(reason: .notPermitted, message: "")))
                try await peer.offer(OfferBytes(session: session, name: "a"))
                let answers = try await peer.echoes()
                guard case .resourceAnswer(let answer) = answers.first else {
                    Issue.record("\(answers)")
                    return
                }
                #expect(answer.verdict == .refused(.notPermitted))
            }
        }

        @Test("a member that does not read is dropped, and the others have not waited for it")
        func neverReads() async throws {
            try await TestNode.with { desk in
                let mute = try await ScriptedPeer.trusted(by: desk.node)
                let session = try await mute.enter()
                let there = try await desk.nextJoined()
                let sending = Task(executorPreference: EventLoop.shared.taskExecutor) { () -> Int in
                    var count = 0
                    while (try? await there.send([UInt8](repeating: 3, count: 100_000))) != nil { count += 1 }
                    return count
                }
                let honest = try await ScriptedPeer.trusted(by: desk.node, named: "Honest")
                try await honest.enter()
                #expect(await honest.isServed())
                try await mute.say(.leave(.init(session: session, reason: .left)))
                #expect(await sending.value <= 21)
            }
        }
    }
}
