import LinuxPlatform
import ScriptedPeers
import SessionRules
import TestSupport
import Testing
import Transport
import Vocabulary
import Wire

@testable import Session

/// Cancellations of transfers whose receiver can't be reached: it must not wait for the file.
@Suite("Cancellations that arrive late", .timeLimit(.minutes(10)))
@Engine
struct UnreportedCancellationTests {
    /// A file that the peer has accepted, with the channel on which it begins.
    private func accepted(
        by peer: ScriptedPeer,
        at host: ScriptedHost,
        _ session: Session,
        _ source: TemporaryFolder
    ) async throws -> (OutgoingResource, TransferID, ScriptedChannel) {
        try source.write([1, 2, 3], to: "save.dat")
        let sending = try await session.sendResource(at: source.path(of: "save.dat"))[0]
        let transfer = try await peer.acceptOffer().transfer
        let channel = try await host.take()
        #expect(try await channel.hear() == .resourceBegin(transfer))
        return (sending, transfer, channel)
    }

    /// The node's next link, over which both continue with the session.
    private func resume(_ session: Session, at host: ScriptedHost) async throws -> ScriptedPeer {
        let peer = try await host.greet()
        _ = try await peer.hear { if case .resume = $0 { true } else { nil } }
        try await peer.say(.resume(.init(session: session.id, received: 0)))
        return peer
    }

    /// The cancellations that the node has sent for a transfer.
    private func cancellations(of transfer: TransferID, in frames: [ControlFrame]) -> Int {
        frames.count { if case .transferCancel(let cancel) = $0 { cancel.transfer == transfer } else { false } }
    }

    @Test("a cancellation without a link is sent over the next one, once")
    func withoutLink() async throws {
        try await TestNode.with { desk in
            let (host, first, session) = try await ScriptedHost.invited(by: desk.node)
            let source = TemporaryFolder()
            let (sending, transfer, channel) = try await accepted(by: first, at: host, session, source)
            first.channel.abort()
            _ = try await session.next { if case .away = $0 { true } else { nil } }
            sending.cancel()
            await #expect(throws: SessionError.self) { try await sending.finished() }
            channel.channel.abort()
            // A cancellation that is not sent yet does not delay the end.
            while !desk.node.isIdle { try await othersTurn() }
            #expect(desk.node.outgoing[transfer] != nil)
            let second = try await resume(session, at: host)
            #expect(cancellations(of: transfer, in: try await second.echoes()) == 1)
            #expect(desk.node.outgoing.isEmpty)
            second.channel.abort()
            let third = try await resume(session, at: host)
            #expect(cancellations(of: transfer, in: try await third.echoes()) == 0)
        }
    }

    @Test("a cancellation over a link that broke before it was confirmed is sent again")
    func unheard() async throws {
        try await TestNode.with { desk in
            let (host, first, session) = try await ScriptedHost.invited(by: desk.node)
            let source = TemporaryFolder()
            let (sending, transfer, channel) = try await accepted(by: first, at: host, session, source)
            // The peer sends nothing further, so its state is unknown.
            sending.cancel()
            await #expect(throws: SessionError.self) { try await sending.finished() }
            channel.channel.abort()
            // A cancellation that is not sent yet does not delay the end.
            while !desk.node.isIdle { try await othersTurn() }
            #expect(desk.node.outgoing[transfer] != nil)
            first.channel.abort()
            _ = try await session.next { if case .away = $0 { true } else { nil } }
            let second = try await resume(session, at: host)
            #expect(cancellations(of: transfer, in: try await second.echoes()) == 1)
            #expect(desk.node.outgoing.isEmpty)
        }
    }

    @Test("a peer that is gone for good is owed nothing")
    func gone() async throws {
        try await TestNode.with { desk in
            let (host, first, session) = try await ScriptedHost.invited(by: desk.node)
            let source = TemporaryFolder()
            let (sending, _, channel) = try await accepted(by: first, at: host, session, source)
            first.channel.abort()
            _ = try await session.next { if case .away = $0 { true } else { nil } }
            sending.cancel()
            await #expect(throws: SessionError.self) { try await sending.finished() }
            try await desk.node.block(first.id)
            #expect(desk.node.outgoing.isEmpty)
            withExtendedLifetime(channel) {}
        }
    }

    @Test("a sender that comes back with a file that was cancelled here learns that at once")
    func receiver() async throws {
        try await TestNode.with { desk in
            let peer = try await ScriptedPeer.trusted(by: desk.node)
            let session = try await peer.enter()
            let there = try await desk.nextJoined()
            let target = TemporaryFolder()
            let offer = OfferBytes(session: session, name: "save.dat")
            try await peer.offer(offer)
            let incoming = try await there.nextResource()
            try await incoming.accept(into: target.path)
            incoming.cancel()
            _ = try await peer.echoes()
            // A sender that has not learned of the cancellation does this.
            let channel = try await peer.readyChannel()
            try await channel.say(.resourceBegin(offer.transfer))
            #expect(try await channel.hear() == nil)
            #expect(cancellations(of: offer.transfer, in: try await peer.echoes()) == 1)
        }
    }
}
