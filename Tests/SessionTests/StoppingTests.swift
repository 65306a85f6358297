import LinuxPlatform
import ScriptedPeers
import TestSupport
import Testing
import Vocabulary
import Wire

@testable import Session

/// The handling of frames at a node that lets running transfers finish.
@Suite("A node that stops", .timeLimit(.minutes(5)))
@Engine
struct StoppingTests {
    @Test("a file that is offered while the node stops waits for its return, and delays no end")
    func offer() async throws {
        try await TestNode.with { desk in
            let peer = try await ScriptedPeer.trusted(by: desk.node)
            let session = try await peer.enter()
            _ = try await desk.nextJoined()
            desk.node.isStopping = true
            try await peer.offer(OfferBytes(session: session, name: "castle.save"))
            let heard = try await peer.echoes()
            #expect(desk.node.incoming.isEmpty)
            #expect(!heard.contains { if case .resourceAnswer = $0 { true } else { false } })
            desk.node.isStopping = false
            try await peer.offer(OfferBytes(session: session, name: "castle.save"))
            _ = try await peer.echoes()
            #expect(desk.node.incoming.count == 1)
        }
    }

    @Test("a stream that is opened while the node stops is refused with that reason")
    func stream() async throws {
        try await TestNode.with { desk in
            let peer = try await ScriptedPeer.trusted(by: desk.node)
            let session = try await peer.enter()
            _ = try await desk.nextJoined()
            let channel = try await peer.readyChannel()
            desk.node.isStopping = true
            try await channel.say(.streamBegin(.init(session: session, name: try Label("log"))))
            #expect(try await channel.hear() == .abort(.init(reason: .shuttingDown, message: "")))
        }
    }

    @Test("a peer that forgets the session again and again is invited again once, and then forgotten itself")
    func forgetful() async throws {
        try await TestNode.with { desk in
            let (_, peer, session) = try await ScriptedHost.invited(by: desk.node)
            let forgotten = ControlFrame.leave(.init(session: session.id, reason: .lost))
            try await peer.say(forgotten)
            try await peer.acceptInvitation()
            #expect(session.invitedAgain.count == 1)
            try await peer.say(forgotten)
            #expect(try await session.nextDeparture() == .lost)
            #expect(session.invitedAgain.isEmpty)
            let heard = try await peer.echoes()
            #expect(!heard.contains { if case .invite = $0 { true } else { false } })
        }
    }

    @Test("a session and its transfers that outlive their node are over, and say so")
    func outlived() async throws {
        let folder = TemporaryFolder()
        let desk = try await TestNode.open("Desk")
        var deck: TestNode? = try await TestNode.open("Deck")
        let (here, there) = try await Self.connect(try #require(deck), to: desk)
        try folder.write([1, 2, 3], to: "castle.save")
        let out = try await here.sendResource(at: folder.path(of: "castle.save"))[0]
        _ = try await there.nextResource()
        _ = try await there.sendResource(at: folder.path(of: "castle.save"))
        let offered = try await here.nextResource()
        await deck?.stop()
        deck = nil
        await #expect(throws: SessionError.self) { try await out.finished() }
        await #expect(throws: SessionError.self) { try await here.send([1]) }
        await #expect(throws: SessionError.self) { try await here.delivered() }
        await #expect(throws: SessionError.self) { try await here.openStream(named: try Label("log"), to: desk.id) }
        out.cancel()
        offered.refuse()
        here.leave()
        // The last holders have released the session.
        let node = try #require(here.owner as? Node)
        #expect(node.sessions.isEmpty && node.members.isEmpty)
        await desk.stop()
    }

    @Test("a session that begins after the end of its node is over from the start, and is released")
    func begunTooLate() async throws {
        let desk = try await TestNode.open("Desk")
        await desk.stop()
        weak var kept: Session?
        do {
            let session = try desk.session()
            #expect(await session.events.next() == nil)
            kept = session
        }
        #expect(kept == nil && desk.node.sessions.isEmpty)
    }

    private static func connect(_ one: TestNode, to other: TestNode) async throws -> (here: Session, there: Session) {
        try await one.connect(to: other)
    }
}
