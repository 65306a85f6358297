import AppleStyleGames
import Foundation
import LinuxPlatform
import ModernAppleStyleGames
import TestSupport
import Testing
import Vocabulary

@testable import MultipeerConnectivity

@Suite("Code that only imports Apple's module", .timeLimit(.minutes(4)))
struct PortedTests {
    let room = TestRoom()

    private func chat(_ name: String) -> PartyChat {
        Neighbourhood.$surroundings.withValue(room) {
            let chat = PartyChat(displayName: name)
            chat.start()
            return chat
        }
    }

    /// Two players that have found each other.
    private func pair() async throws -> (PartyChat, PartyChat) {
        let (ann, ben) = (chat("Ann"), chat("Ben"))
        for one in [ann, ben] where one.session.connectedPeers.isEmpty {
            let events = one.session.events
            guard one.session.connectedPeers.isEmpty else { continue }
            for await event in events { if case .peer(_, .connected, _) = event { break } }
        }
        return (ann, ben)
    }

    @Test("Messages, files and streams arrive with one class as all delegates")
    func partyChat() async throws {
        let (ann, ben) = try await pair()
        let (text, file, voice) = (Resumption<String>(), Resumption<Data>(), Resumption<Data>())
        ben.onText = { words, _ in text.resume(with: .success(words)) }
        ben.onFile = { url, data in
            // It moved the file to its own folder.
            try? FileManager.default.removeItem(at: url)
            file.resume(with: .success(data))
        }
        ben.onStreamed = { data in voice.resume(with: .success(data)) }
        ann.send("handshake")
        #expect(try await text.value() == "handshake")
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

    @Test("Errors are caught by code, by type and by domain")
    func errors() async throws {
        let ann = PartyChat(displayName: "Ann")
        #expect(ann.trySending(to: MCPeerID(displayName: "Stranger")) == .notConnected)
        let error = MCError(.timedOut) as NSError
        #expect(error.domain == MCErrorDomain && error.code == MCError.Code.timedOut.rawValue)
    }

    @Test("A peer is the same after archiving with Foundation")
    func archives() throws {
        let ann = MCPeerID(displayName: "Ann")
        let root = NSTemporaryDirectory() + "kept-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: root) }
        let again = try PeerFolder.$keptRoot.withValue(root) { try PartyChat.returning(from: PartyChat.keep(ann)) }
        #expect(again == ann)
    }

    @Test("Delegates on the main actor work in the sixth language mode")
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

    @Test("Progress bars grow to the end, also one for several transfers")
    func fileSender() async throws {
        let (folder, ann) = (TemporaryFolder(), Player("Ann", in: room))
        let url = URL(fileURLWithPath: folder.path(of: "level"))
        try Data(count: 2 << 20).write(to: url)
        let sender = FileSender(peer: ann.peer, folder: url)
        let absentPeer = Resumption<Bool>()
        sender.send(file: url) { if case .failure(.noPeers) = $0 { absentPeer.resume(with: .success(true)) } }
        #expect(try await absentPeer.value())
        let guests = try ["Ben", "Cid"].map { name in
            let guest = Player(name, in: room)
            let inbox = URL(fileURLWithPath: folder.path(of: name))
            try FileManager.default.createDirectory(at: inbox, withIntermediateDirectories: true)
            let receiver = FileSender(peer: guest.peer, folder: inbox)
            let session = receiver.session
            guest.answer { _, invitation in invitation.handler(true, session) }
            return (guest, receiver)
        }
        ann.browser.startBrowsingForPeers()
        let (half, full) = (Resumption<Void>(), Resumption<Void>())
        let (came, here) = (Resumption<URL>(), Resumption<Void>())
        let events = sender.session.events
        for (guest, _) in guests {
            guest.advertiser.startAdvertisingPeer()
            try await ann.found(guest)
            ann.browser.invitePeer(guest.peer, to: sender.session, withContext: nil, timeout: 30)
        }
        while sender.session.connectedPeers.count < 2 {
            for await event in events { if case .peer(_, .connected, _) = event { break } }
        }
        sender.onFraction = { fraction in
            if fraction < 1 { half.resume(with: .success(())) } else { full.resume(with: .success(())) }
        }
        guests[0].1.onReceiving = { if $0 == 1 { here.resume(with: .success(())) } }
        let (sent, received) = (Resumption<String>(), Resumption<String>())
        sender.onStatus = { sent.resume(with: .success($0)) }
        guests[0].1.onStatus = { received.resume(with: .success($0)) }
        guests[0].1.onReceived = { came.resume(with: .success($0)) }
        let done = Resumption<Int>()
        sender.send(file: url) { done.resume(with: $0.mapError { $0 as any Error }) }
        try await half.value()
        try await full.value()
        try await here.value()
        #expect(try await done.value() == 2)
        #expect(try await sent.value() == "level 2/2")
        #expect(try await received.value().wholeMatch(of: /\? at .+\/s, 0 s left/) != nil)
        #expect(try await Data(contentsOf: came.value()).count == 2 << 20)
    }

    @Test("An observable model on the main actor sends values and files in the sixth language mode")
    @MainActor
    func peerModel() async throws {
        let (ann, ben) = Neighbourhood.$surroundings.withValue(room) {
            let models = (PeerModel(name: "Ann"), PeerModel(name: "Ben"))
            models.0.start()
            models.1.start()
            return models
        }
        try await until { !ann.peers.isEmpty && !ben.peers.isEmpty }
        #expect(ben.invitedWith == "42")
        try await ann.send(["ready": true])
        try await until { ben.log.contains(#"{"ready":true}"#) }
        let folder = TemporaryFolder()
        let url = URL(fileURLWithPath: folder.path(of: "note"))
        try Data("handshake".utf8).write(to: url)
        let peer = try #require(ben.peers.first)
        try await ben.send(url, to: peer)
        try await until { ann.log.contains("note: handshake") && ben.fraction == 1 }
    }

    /// Yields to the main actor until a condition holds.
    @MainActor
    private func until(_ condition: @MainActor () -> Bool) async throws {
        while !condition() { await EventLoop.shared.letOthersRun() }
    }

    @Test("Two peers that choose the inviter by hash connect by one invitation, and are the same on both sides")
    func duel() async throws {
        let (ann, ben) = Neighbourhood.$surroundings.withValue(room) {
            (DuelService(name: "Ann"), DuelService(name: "Ben"))
        }
        let (annKnows, benKnows) = (Resumption<MCPeerID>(), Resumption<MCPeerID>())
        ann.onConnected = { annKnows.resume(with: .success($0)) }
        ben.onConnected = { benKnows.resume(with: .success($0)) }
        let struck = Resumption<(Blow, MCPeerID)>()
        ben.onBlow = { struck.resume(with: .success(($0, $1))) }
        ann.start()
        ben.start()
        let (there, here) = try await (annKnows.value(), benKnows.value())
        #expect(ann.strike(7, at: there) == 0)
        let (blow, from) = try await struck.value()
        #expect(blow == Blow(player: ann.me.hash, strength: 7))
        #expect(from == here && from.hash == ann.me.hash)
        #expect(ann.invitations + ben.invitations == 1)
    }

    @Test("Every error can be caught as an NSError, which converts back to an MCError")
    func nsErrors() throws {
        let ann = DuelService(name: "Ann")
        #expect(ann.strike(1, at: MCPeerID(displayName: "Stranger")) == MCError.notConnected.rawValue)
        let wrapped = NSError(domain: MCErrorDomain, code: 1, userInfo: ["a": 1])
        #expect(ann.whyNot(wrapped) == .notConnected && ann.isLonely(wrapped))
        #expect((wrapped as? MCError)?.userInfo["a"] as? Int == 1)
        #expect(ann.whyNot(NSError(domain: "another", code: 1)) == nil)
        #expect(ann.whyNot(NSError(domain: MCErrorDomain, code: 99)) == nil)
        let (missing, broken) = (Data("{}".utf8), Data("{".utf8))
        #expect(ann.read(missing)?.code == CocoaError.coderValueNotFound.rawValue)
        #expect(ann.read(broken)?.domain == NSCocoaErrorDomain && ann.read(Data([0xFF])) != nil)
        #expect(ann.readSafely(missing)?.domain == NSCocoaErrorDomain)
        #expect(ann.readSafely(broken)?.domain == MCErrorDomain && ann.readSafely(Data([0xFF])) != nil)
        #expect(ann.write(.infinity)?.domain == NSCocoaErrorDomain && ann.write(1) == nil)
        let lost: any Error = MCError(.lost)
        let back = try #require((lost as NSError) as? MCError)
        #expect(back == MCError(.lost) && back.reason == .lost)
        #expect(back.userInfo.keys.sorted() == [NSLocalizedDescriptionKey])
    }

    @Test("An app's tests can subclass every class")
    @MainActor
    func mocks() throws {
        let (me, other) = (MCPeerID(displayName: "me"), MCPeerID(displayName: "other"))
        let session = MockSession(peer: me)
        let plain: MCSession = session
        plain.connectPeer(other, withNearbyConnectionData: Data())
        #expect(plain.connectedPeers == [other] && plain.myPeerID == other)
        try plain.send(Data([1]), toPeers: [other], with: .reliable)
        #expect(session.sent.count == 1)
        session.errorToThrow = MCError(.notConnected)
        #expect(throws: MCError(.notConnected)) { try plain.send(Data(), toPeers: [other], with: .reliable) }
        plain.disconnect()
        #expect(plain.connectedPeers.isEmpty)
        let browser = MockBrowser(peer: me, serviceType: "mock")
        (browser as MCNearbyServiceBrowser).invitePeer(other, to: session, withContext: nil, timeout: 1)
        (browser as MCNearbyServiceBrowser).startBrowsingForPeers()
        #expect(browser.invited == [other] && browser.isBrowsing)
        let advertiser: MCNearbyServiceAdvertiser = MockAdvertiser(peer: me, discoveryInfo: nil, serviceType: "mock")
        #expect(advertiser.discoveryInfo == ["mock": "yes"])
        #expect((MockPeer(displayName: "real") as MCPeerID).displayName == "fake")
        let assistant = MockAssistant(serviceType: "mock", discoveryInfo: nil, session: session)
        (assistant as MCAdvertiserAssistant).start()
        #expect(assistant.isStarted && (assistant as MCAdvertiserAssistant).discoveryInfo == ["mock": "yes"])
        let picker = TeamPicker(title: "Team", browser: browser, session: session)
        #expect(picker.maximumNumberOfPeers == 4 && picker.session === session && picker.browser === browser)
        #expect(PlainPicker(serviceType: "mock", session: session).minimumNumberOfPeers == 3)
    }
}
