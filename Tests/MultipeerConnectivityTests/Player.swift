import Foundation
import LinuxPlatform
import Session
import SessionRules
import Synchronization
import Testing
import Vocabulary

@testable import MultipeerConnectivity

/// One app with one peer: it records the calls of its delegates, and answers as configured.
///
/// `@unchecked Sendable` because the record is behind a lock.
final class Player: NSObject, @unchecked Sendable {
    let peer: MCPeerID
    let session: MCSession
    let advertiser: MCNearbyServiceAdvertiser
    let browser: MCNearbyServiceBrowser

    private let book = Mutex(Book())

    private struct Book: Sendable {
        var entries: [Entry] = []
        var waiting: [Resumption<Void>] = []
        var answer: @Sendable (Player, Invitation) -> Void = { player, invitation in
            invitation.handler(true, player.session)
        }
        var judge: @Sendable (MCCertificate?) -> Bool? = { _ in nil }
        var isUndecided = false
        var whenReceived: @Sendable (Entry) -> Void = { _ in }
    }

    /// All calls of delegates.
    enum Entry: Sendable {
        case state(MCPeerID, MCSessionState, PartingReason?)
        case data(Data, MCPeerID)
        case stream(StreamBox, String, MCPeerID)
        case resourceStarted(String, MCPeerID, Progress)
        case resourceFinished(String, MCPeerID, URL?, Data?, MCError?)
        case found(MCPeerID, [String: String]?)
        case lost(MCPeerID)
        case invited(Invitation)
        case shown(MCCertificate?)
        case troubled
    }

    /// `@unchecked Sendable` because one test at a time uses the stream.
    struct StreamBox: @unchecked Sendable {
        let stream: InputStream
    }

    /// `@unchecked Sendable` because the handler may be called on any thread.
    struct Invitation: @unchecked Sendable {
        let peer: MCPeerID
        let context: Data?
        let handler: (Bool, MCSession?) -> Void
    }

    init(
        _ name: String,
        in room: TestRoom,
        info: [String: String]? = nil,
        identity: Bool = false,
        encryption: MCEncryptionPreference = .required
    ) {
        peer = MCPeerID(displayName: name)
        session = MCSession(
            peer: peer,
            securityIdentity: identity ? peer.securityIdentity : nil,
            encryptionPreference: encryption
        )
        (advertiser, browser) = Neighbourhood.$surroundings.withValue(room) { [peer] in
            (
                MCNearbyServiceAdvertiser(peer: peer, discoveryInfo: info, serviceType: "test-game"),
                MCNearbyServiceBrowser(peer: peer, serviceType: "test-game")
            )
        }
        super.init()
        session.delegate = self
        advertiser.delegate = self
        browser.delegate = self
    }

    // MARK: Actions

    func answer(with answer: @escaping @Sendable (Player, Invitation) -> Void) {
        book.withLock { $0.answer = answer }
    }

    func judge(with judge: @escaping @Sendable (MCCertificate?) -> Bool?) {
        book.withLock { $0.judge = judge }
    }

    /// Sets whether the player leaves questions about certificates unanswered.
    func isUndecided(_ isUndecided: Bool) {
        book.withLock { $0.isUndecided = isUndecided }
    }

    func whenReceived(_ work: @escaping @Sendable (Entry) -> Void) {
        book.withLock { $0.whenReceived = work }
    }

    func invite(_ other: Player, context: Data? = nil, timeout: TimeInterval = 30) {
        browser.invitePeer(other.peer, to: session, withContext: context, timeout: timeout)
    }

    /// Finds another player and invites it into the session.
    func connect(to other: Player) async throws {
        other.advertiser.startAdvertisingPeer()
        browser.startBrowsingForPeers()
        try await found(other)
        invite(other)
        try await connected(other)
        try await other.connected(self)
    }

    // MARK: Waits

    var entries: [Entry] { book.withLock { $0.entries } }

    /// Waits until the choice selects a recorded call.
    func wait<Value>(_ choice: (Entry) -> Value?) async throws -> Value {
        try await all { $0.lazy.compactMap(choice).first }
    }

    /// The same for the whole record.
    func all<Value>(_ choice: ([Entry]) -> Value?) async throws -> Value {
        while true {
            let turn = Resumption<Void>()
            let entries = book.withLock { book in
                book.waiting.append(turn)
                return book.entries
            }
            if let value = choice(entries) { return value }
            try await turn.valueUnlessCancelled()
        }
    }

    func found(_ other: Player) async throws {
        try await wait { if case .found(let peer, _) = $0, peer == other.peer { () } else { nil } }
    }

    func lost(_ other: Player) async throws {
        try await wait { if case .lost(other.peer) = $0 { () } else { nil } }
    }

    /// Waits until the player tries to connect to another peer.
    func isTrying(_ other: PeerID) async throws {
        try await wait { if case .state(let peer, .connecting, _) = $0, peer.id == other { () } else { nil } }
    }

    func connected(_ other: Player) async throws { try await latest(other) { $0.0 == .connected ? () : nil } }

    /// Waits until a joining player is connected or refused.
    func outcome(of other: Player) async throws -> MCSessionState {
        try await latest(other) { $0.0 == .connecting ? nil : $0.0 }
    }

    /// Waits until the latest state of another player is connecting.
    func isConnecting(_ other: Player) async throws {
        try await latest(other) { $0.0 == .connecting ? () : nil }
    }

    /// Waits until another player has left, and returns the reason.
    @discardableResult
    func notConnected(_ other: Player) async throws -> PartingReason? {
        try await latest(other) { $0.0 == .notConnected ? .some($0.1) : nil }
    }

    /// Waits until that many other players are in the session at once.
    func isWith(_ count: Int) async throws {
        try await all { _ in self.session.connectedPeers.count == count ? () : nil }
    }

    /// The reasons of all players that left.
    var partings: [PartingReason?] {
        entries.compactMap { if case .state(_, .notConnected, let reason) = $0 { .some(reason) } else { nil } }
    }

    private func latest<Value>(_ other: Player, _ choice: ((MCSessionState, PartingReason?)) -> Value?) async throws
        -> Value
    {
        try await all { entries in self.states(of: other, in: entries).last.flatMap(choice) }
    }

    func states(of other: Player) -> [MCSessionState] { states(of: other, in: entries).map(\.0) }

    private func states(of other: Player, in entries: [Entry]) -> [(MCSessionState, PartingReason?)] {
        entries.compactMap { entry in
            if case .state(let peer, let state, let reason) = entry, peer == other.peer { (state, reason) } else { nil }
        }
    }

    func received() async throws -> Data { try await received(1)[0] }

    /// Waits for that many messages.
    func received(_ count: Int) async throws -> [Data] {
        try await all { entries in
            let found = entries.compactMap { if case .data(let data, _) = $0 { data } else { nil } }
            return found.count >= count ? found : nil
        }
    }

    func stream() async throws -> InputStream {
        try await wait { if case .stream(let box, _, _) = $0 { box } else { nil } }.stream
    }

    private func write(_ entry: Entry) {
        let (waiting, work) = book.withLock { book in
            book.entries.append(entry)
            defer { book.waiting = [] }
            return (book.waiting, book.whenReceived)
        }
        work(entry)
        for turn in waiting { turn.resume(with: .success(())) }
    }
}

extension Player: MCSessionDelegate {
    func session(_ session: MCSession, peer peerID: MCPeerID, didChange state: MCSessionState) {}

    func session(
        _ session: MCSession,
        peer peerID: MCPeerID,
        didChange state: MCSessionState,
        because reason: PartingReason?
    ) {
        write(.state(peerID, state, reason))
    }

    func session(_ session: MCSession, didReceive data: Data, fromPeer peerID: MCPeerID) {
        write(.data(data, peerID))
    }

    func session(
        _ session: MCSession,
        didReceive stream: InputStream,
        withName streamName: String,
        fromPeer peerID: MCPeerID
    ) {
        write(.stream(StreamBox(stream: stream), streamName, peerID))
    }

    func session(
        _ session: MCSession,
        didStartReceivingResourceWithName resourceName: String,
        fromPeer peerID: MCPeerID,
        with progress: Progress
    ) {
        write(.resourceStarted(resourceName, peerID, progress))
    }

    func session(
        _ session: MCSession,
        didFinishReceivingResourceWithName resourceName: String,
        fromPeer peerID: MCPeerID,
        at localURL: URL?,
        withError error: (any Error)?
    ) {
        let content = localURL.flatMap { try? Data(contentsOf: $0) }
        write(.resourceFinished(resourceName, peerID, localURL, content, error as? MCError))
    }

    func session(
        _ session: MCSession,
        didReceiveCertificate certificate: [Any]?,
        fromPeer peerID: MCPeerID,
        certificateHandler: @escaping (Bool) -> Void
    ) {
        let shown = certificate?.first as? MCCertificate
        write(.shown(shown))
        if book.withLock({ $0.isUndecided }) { return }
        certificateHandler(book.withLock { $0.judge }(shown) ?? session.trusts(certificate))
    }
}

extension Player: MCNearbyServiceAdvertiserDelegate, MCNearbyServiceBrowserDelegate {
    func advertiser(
        _ advertiser: MCNearbyServiceAdvertiser,
        didReceiveInvitationFromPeer peerID: MCPeerID,
        withContext context: Data?,
        invitationHandler: @escaping (Bool, MCSession?) -> Void
    ) {
        let invitation = Invitation(peer: peerID, context: context, handler: invitationHandler)
        write(.invited(invitation))
        book.withLock { $0.answer }(self, invitation)
    }

    func advertiser(_ advertiser: MCNearbyServiceAdvertiser, didNotStartAdvertisingPeer error: any Error) {
        write(.troubled)
    }

    func browser(
        _ browser: MCNearbyServiceBrowser,
        foundPeer peerID: MCPeerID,
        withDiscoveryInfo info: [String: String]?
    ) {
        write(.found(peerID, info))
    }

    func browser(_ browser: MCNearbyServiceBrowser, lostPeer peerID: MCPeerID) {
        write(.lost(peerID))
    }

    func browser(_ browser: MCNearbyServiceBrowser, didNotStartBrowsingForPeers error: any Error) {
        write(.troubled)
    }
}
