import AppleStyleGames
import Foundation
import LinuxPlatform
import ModernAppleStyleGames
import Testing

@testable import MultipeerConnectivity

@Suite("Code that imports nothing but Apple's module works", .timeLimit(.minutes(4)))
struct PortedTests {
    let room = TestRoom()

    private func chat(_ name: String) -> PartyChat {
        Neighbourhood.$surroundings.withValue(room) {
            let chat = PartyChat(displayName: name)
            chat.start()
            return chat
        }
    }

    /// Two that have found each other.
    private func pair() async throws -> (PartyChat, PartyChat) {
        let (ann, ben) = (chat("Ann"), chat("Ben"))
        for one in [ann, ben] where one.session.connectedPeers.isEmpty {
            let events = one.session.events
            guard one.session.connectedPeers.isEmpty else { continue }
            for await event in events { if case .peer(_, .connected, _) = event { break } }
        }
        return (ann, ben)
    }

    @Test("messages, files and streams arrive where one class is the delegate of everything")
    func partyChat() async throws {
        let (ann, ben) = try await pair()
        let (text, file, voice) = (Resumption<String>(), Resumption<Data>(), Resumption<Data>())
        ben.onText = { words, _ in text.resume(with: .success(words)) }
        ben.onFile = { _, data in file.resume(with: .success(data)) }
        ben.onStreamed = { data in voice.resume(with: .success(data)) }
        ann.send("hello")
        #expect(try await text.value() == "hello")
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("party-\(UUID().uuidString)")
        try Data("a level".utf8).write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        let sent = Resumption<Void>()
        ann.sendFile(at: url, to: ben.peer) { error in
            sent.resume(with: error.map { .failure($0) } ?? .success(()))
        }
        #expect(try await file.value() == Data("a level".utf8))
        try await sent.value()
        try ann.stream(Data("spoken".utf8), to: ben.peer)
        #expect(try await voice.value() == Data("spoken".utf8))
        ann.stop()
        ben.stop()
    }

    @Test("errors are caught by code, by type and by domain")
    func errors() async throws {
        let ann = PartyChat(displayName: "Ann")
        #expect(ann.trySending(to: MCPeerID(displayName: "Stranger")) == .notConnected)
        let error = MCError(.timedOut) as NSError
        #expect(error.domain == MCErrorDomain && error.code == MCError.Code.timedOut.rawValue)
    }

    @Test("a peer is the same after being archived and read with Foundation's own archivers")
    func archives() throws {
        let ann = MCPeerID(displayName: "Ann")
        let root = NSTemporaryDirectory() + "kept-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: root) }
        let again = try PeerFolder.$keptRoot.withValue(root) { try PartyChat.returning(from: PartyChat.keep(ann)) }
        #expect(again == ann)
    }

    @Test("delegates on the main actor work in the sixth language mode")
    @MainActor
    func teamLink() async throws {
        let (ann, ben) = Neighbourhood.$surroundings.withValue(room) {
            (TeamLink(name: "Ann"), TeamLink(name: "Ben"))
        }
        let (annKnows, benHears) = (Resumption<Void>(), Resumption<Void>())
        ann.onChange = { if !ann.peers.isEmpty { annKnows.resume(with: .success(())) } }
        ben.onChange = { if !ben.messages.isEmpty { benHears.resume(with: .success(())) } }
        ann.start()
        ben.start()
        try await annKnows.value()
        try ann.send(.init(text: "ready"))
        try await benHears.value()
        #expect(ben.messages == [.init(text: "ready")])
    }
}
