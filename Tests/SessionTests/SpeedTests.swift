import LinuxPlatform
import SessionRules
import TestSupport
import Testing
import Vocabulary

@testable import Session

@Suite("Limits of speed on the loopback", .timeLimit(.minutes(5)))
@Engine
struct SpeedTests {
    private static let content = [UInt8](repeating: 7, count: 4 << 20)

    /// Sends a file, and returns the time that this took.
    private static func send(
        _ change: (inout NodeConfiguration) -> Void,
        there changeThere: (inout NodeConfiguration) -> Void = { _ in },
        meanwhile: (Node) -> Void = { _ in }
    ) async throws -> Duration {
        let (deck, desk) = (
            try await TestNode.open("Deck", change), try await TestNode.open("Desk", changeThere)
        )
        let (here, there) = try await deck.connect(to: desk)
        let (source, target) = (TemporaryFolder(), TemporaryFolder())
        try source.write(content, to: "big.dat")
        let sending = try await here.sendResource(at: source.path(of: "big.dat"))[0]
        let offer = try await there.nextResource()
        let start = ContinuousClock.now
        try await offer.accept(into: target.path)
        while offer.progress.done == 0 { await Task.yield() }
        meanwhile(deck.node)
        _ = try await sending.finished()
        _ = try await offer.finished()
        let took = ContinuousClock.now - start
        #expect(try target.holds(content, in: "big.dat"))
        await deck.stop()
        await desk.stop()
        return took
    }

    private static let limit = SpeedLimit(ByteCount(2 << 20)) ?? .none

    @Test("a file takes as long as the limit of the sender says")
    func sender() async throws {
        let took = try await Self.send { $0.limits.sending = Self.limit }
        #expect(took > .seconds(1.8) && took < .seconds(4), "\(took)")
    }

    @Test("a file takes as long as the limit of the receiver says")
    func receiver() async throws {
        let took = try await Self.send { _ in
        } there: {
            $0.limits.receiving = Self.limit
        }
        #expect(took > .seconds(1.8) && took < .seconds(4), "\(took)")
    }

    @Test("a limit that is removed counts for transfers in progress")
    func changed() async throws {
        let slow = SpeedLimit(SpeedLimit.least) ?? .none
        let took = try await Self.send {
            $0.limits.sending = slow
        } meanwhile: { node in
            node.limitSpeed(sending: .none, receiving: .none)
        }
        #expect(took < .seconds(20), "at the limit it would take four minutes: \(took)")
    }

    @Test("a message does not wait for a file that goes at its limit")
    func message() async throws {
        let (deck, desk) = (
            try await TestNode.open("Deck") { $0.limits.sending = SpeedLimit(SpeedLimit.least) ?? .none },
            try await TestNode.open("Desk")
        )
        let (here, there) = try await deck.connect(to: desk)
        let (source, target) = (TemporaryFolder(), TemporaryFolder())
        try source.write(Self.content, to: "big.dat")
        let sending = try await here.sendResource(at: source.path(of: "big.dat"))[0]
        let offer = try await there.nextResource()
        try await offer.accept(into: target.path)
        while offer.progress.done == 0 { await Task.yield() }
        let start = ContinuousClock.now
        try await here.send(Array("hello".utf8))
        let message = try await there.nextMessage()
        #expect(message.bytes == Array("hello".utf8) && ContinuousClock.now - start < .seconds(2))
        #expect(offer.progress.done < UInt64(Self.content.count))
        sending.cancel()
        await deck.stop()
        await desk.stop()
    }
}
