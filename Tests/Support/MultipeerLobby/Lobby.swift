import MultipeerConnectivity

/// A small library over MultipeerConnectivity, as in many apps. It names peers by a hash of their archive, invites each
/// peer that it finds, and accepts all invitations.
final class Lobby: NSObject, MCSessionDelegate, MCNearbyServiceAdvertiserDelegate, MCNearbyServiceBrowserDelegate {
    /// A peer in the app.
    struct Member: Hashable, Sendable {
        let id: String
        let name: String

        init(_ peer: MCPeerID) throws {
            let archive = try NSKeyedArchiver.archivedData(withRootObject: peer, requiringSecureCoding: true)
            // FNV-1a
            let hash = archive.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
            (id, name) = (String(hash, radix: 16), peer.displayName)
        }
    }

    private let me: MCPeerID
    private let session: MCSession
    private let advertiser: MCNearbyServiceAdvertiser
    private let browser: MCNearbyServiceBrowser

    init(_ name: String) {
        me = MCPeerID(displayName: name)
        session = MCSession(peer: me, securityIdentity: nil, encryptionPreference: .none)
        advertiser = MCNearbyServiceAdvertiser(peer: me, discoveryInfo: nil, serviceType: "lobby")
        browser = MCNearbyServiceBrowser(peer: me, serviceType: "lobby")
        super.init()
        session.delegate = self
        advertiser.delegate = self
        browser.delegate = self
    }

    func open() throws {
        say("me", try Member(me))
        advertiser.startAdvertisingPeer()
        browser.startBrowsingForPeers()
    }

    func close() {
        advertiser.stopAdvertisingPeer()
        browser.stopBrowsingForPeers()
        session.disconnect()
    }

    private func say(_ what: String, _ member: Member, _ more: String = "") {
        let words = [what, member.name, member.id, more].filter { !$0.isEmpty }
        FileHandle.standardOutput.write(Data((words.joined(separator: " ") + "\n").utf8))
    }

    // MARK: Discovery

    func browser(_ browser: MCNearbyServiceBrowser, foundPeer peer: MCPeerID, withDiscoveryInfo info: [String: String]?)
    {
        guard let member = try? Member(peer) else { return }
        say("found", member)
        browser.invitePeer(peer, to: session, withContext: nil, timeout: 10)
    }

    func browser(_ browser: MCNearbyServiceBrowser, lostPeer peer: MCPeerID) {
        guard let member = try? Member(peer) else { return }
        say("lost", member)
    }

    func advertiser(
        _ advertiser: MCNearbyServiceAdvertiser,
        didReceiveInvitationFromPeer peer: MCPeerID,
        withContext context: Data?,
        invitationHandler: @escaping (Bool, MCSession?) -> Void
    ) {
        invitationHandler(true, session)
    }

    // MARK: Invitations

    func session(_ session: MCSession, peer: MCPeerID, didChange state: MCSessionState) {
        guard state != .connecting, let member = try? Member(peer) else { return }
        guard state == .connected else { return say("without", member) }
        say("connected", member)
        try? session.send(Data("hello".utf8), toPeers: [peer], with: .reliable)
    }

    func session(_ session: MCSession, didReceive data: Data, fromPeer peer: MCPeerID) {
        guard let member = try? Member(peer) else { return }
        say("heard", member, String(decoding: data, as: UTF8.self))
    }

    func session(
        _ session: MCSession,
        didReceiveCertificate certificate: [Any]?,
        fromPeer peer: MCPeerID,
        certificateHandler: @escaping (Bool) -> Void
    ) {
        certificateHandler(true)
    }

    func session(_: MCSession, didReceive: InputStream, withName: String, fromPeer: MCPeerID) {}
    func session(_: MCSession, didStartReceivingResourceWithName: String, fromPeer: MCPeerID, with: Progress) {}
    func session(
        _: MCSession,
        didFinishReceivingResourceWithName: String,
        fromPeer: MCPeerID,
        at: URL?,
        withError: (any Error)?
    ) {}
}
