import Glibc
import LinuxPlatform
import ScriptedPeers
import TestSupport
import Testing
import Vocabulary
import Wire

@testable import Session

@Suite("A file's mode and time on their way", .timeLimit(.minutes(5)))
@Engine
struct StampTests {
    private static let then = FileTime(seconds: 1_500_000_000, nanoseconds: 123_456_789)

    private func script(in folder: TemporaryFolder) throws -> String {
        try folder.write([0x23, 0x21], to: "go.sh")
        let path = folder.path(of: "go.sh")
        try OwnedDescriptor.openFile(at: path).setModified(Self.then)
        try retrying("chmod") { chmod(path, 0o755) }
        return path
    }

    @Test("mode and time arrive with the file, except the execution bits")
    func arrive() async throws {
        let (deck, desk) = (try await TestNode.open("Deck"), try await TestNode.open("Desk"))
        let (here, there) = try await deck.connect(to: desk)
        let (source, target) = (TemporaryFolder(), TemporaryFolder())
        let sending = try await here.sendResource(at: try script(in: source))[0]
        let offer = try await there.nextResource()
        try await offer.accept(into: target.path)
        let name = try await sending.finished()
        let facts = try FileFacts(at: target.path(of: name.text))
        // A file that is sent alone is not executable.
        #expect(facts.mode == .readableFile)
        #expect(facts.modified == Self.then)
        await deck.stop()
        await desk.stop()
    }

    @Test("mode and time are in the offer")
    func offered() async throws {
        try await TestNode.with { desk in
            let peer = try await ScriptedPeer.trusted(by: desk.node)
            _ = try await peer.enter()
            let session = try await desk.nextJoined()
            let source = TemporaryFolder()
            _ = try await session.sendResource(at: try script(in: source))
            let offer = try await peer.hear { if case .resourceOffer(let offer) = $0 { offer } else { nil } }
            #expect(offer.stamp == ResourceStamp(mode: .program, modified: Self.then))
        }
    }

    @Test("mode and time are in each offer of a file: without them it breaks the protocol")
    func missing() async throws {
        try await TestNode.with { desk in
            let peer = try await ScriptedPeer.trusted(by: desk.node)
            let session = try await peer.enter()
            _ = try await desk.nextJoined()
            var offer = OfferBytes(session: session, name: "save.dat")
            offer.saysStamp = false
            try await peer.offer(offer)
            let reason = try await peer.hear { if case .bye(let reason) = $0 { reason } else { nil } }
            #expect(reason == .brokeProtocol)
        }
    }

    @Test("a mode with more bits than permissions have breaks the protocol")
    func hostile() async throws {
        try await TestNode.with { desk in
            let peer = try await ScriptedPeer.trusted(by: desk.node)
            let session = try await peer.enter()
            _ = try await desk.nextJoined()
            var offer = OfferBytes(session: session, name: "save.dat")
            offer.mode = 0o4755
            try await peer.offer(offer)
            let reason = try await peer.hear { if case .bye(let reason) = $0 { reason } else { nil } }
            #expect(reason == .brokeProtocol)
        }
    }
}
