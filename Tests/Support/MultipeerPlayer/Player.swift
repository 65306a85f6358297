import MultipeerConnectivity

/// One peer and its session, as an app has them.
///
/// `@unchecked Sendable` because what changes is behind a lock.
final class Player: NSObject, @unchecked Sendable {
    let peer: MCPeerID
    let session: MCSession
    private let advertiser: MCNearbyServiceAdvertiser
    private let browser: MCNearbyServiceBrowser
    private let lock = NSLock()
    private var known: [String: MCPeerID] = [:]
    private var answers = "yes"
    private var judgement = true
    private var handler: ((Bool, MCSession?) -> Void)?
    private var progress: Progress?

    private static let service = "lab-game"

    init(_ name: String, _ encryption: MCEncryptionPreference, showsCertificate: Bool) {
        peer = MCPeerID(displayName: name)
        session = MCSession(
            peer: peer,
            securityIdentity: showsCertificate ? peer.securityIdentity : nil,
            encryptionPreference: encryption
        )
        advertiser = MCNearbyServiceAdvertiser(peer: peer, discoveryInfo: ["of": name], serviceType: Self.service)
        browser = MCNearbyServiceBrowser(peer: peer, serviceType: Self.service)
        super.init()
        session.delegate = self
        advertiser.delegate = self
        browser.delegate = self
    }

    func say(_ words: String...) {
        let line = words.joined(separator: " ") + "\n"
        lock.withLock { FileHandle.standardOutput.write(Data(line.utf8)) }
    }

    func learn(_ peer: MCPeerID) { lock.withLock { known[peer.displayName] = peer } }

    /// Whoever was met last under a name; somebody who was made up where nobody was.
    private func known(_ name: String) -> MCPeerID {
        lock.withLock { known[name] } ?? MCPeerID(displayName: name)
    }

    // MARK: What it is told to do

    func obey(_ line: String) {
        let words = line.split(separator: " ").map(String.init)
        do {
            switch (words.first, words.count) {
            case ("advertise", _): advertiser.startAdvertisingPeer()
            case ("unadvertise", _): advertiser.stopAdvertisingPeer()
            case ("browse", _): browser.startBrowsingForPeers()
            case ("unbrowse", _): browser.stopBrowsingForPeers()
            case ("invite", 4): invite(known(words[1]), seconds: words[2], context: words[3])
            case ("answers", 2): lock.withLock { answers = words[1] }
            case ("answer", _): lock.withLock { handler }?(true, session)
            case ("judges", 2): lock.withLock { judgement = words[1] == "yes" }
            case ("leave", _): session.disconnect()
            case ("who", _): say("with", session.connectedPeers.map(\.displayName).sorted().joined(separator: " "))
            case ("default", _): tellDefault()
            default: try send(words)
            }
        } catch {
            say("refused", "\((error as? MCError)?.code ?? .unknown)")
        }
    }

    private func invite(_ peer: MCPeerID, seconds: String, context: String) {
        browser.invitePeer(
            peer,
            to: session,
            withContext: context.data(using: .utf8),
            timeout: TimeInterval(seconds) ?? 0
        )
    }

    private func tellDefault() {
        let plain = MCSession(peer: peer)
        let hasIdentity = plain.securityIdentity != nil
        say("default", "\(plain.encryptionPreference)", hasIdentity ? "identity" : "no-identity")
    }

    private func send(_ words: [String]) throws {
        switch (words.first, words.count) {
        case ("send", 3): try session.send(Data(words[2].utf8), toPeers: [known(words[1])], with: .reliable)
        case ("try", 3): try session.send(Data(words[2].utf8), toPeers: [known(words[1])], with: .unreliable)
        case ("count", 3):
            for number in 0..<(Int(words[2]) ?? 0) {
                try session.send(Data("\(number)".utf8), toPeers: [known(words[1])], with: .reliable)
            }
        case ("bytes", 3):
            try session.send(Data(count: Int(words[2]) ?? 0), toPeers: [known(words[1])], with: .reliable)
        case ("made-up", 2):
            try session.send(Data([1]), toPeers: [MCPeerID(displayName: words[1])], with: .reliable)
        case ("file", 4): sendFile(words[2], as: words[3], to: known(words[1]))
        case ("cancel", _): lock.withLock { progress }?.cancel()
        case ("stream", 4): try stream(words[2], bytes: Int(words[3]) ?? 0, to: known(words[1]))
        default: try exchange(words)
        }
    }

    private func sendFile(_ path: String, as name: String, to peer: MCPeerID) {
        let url = URL(string: path).flatMap { $0.scheme == nil ? nil : $0 } ?? URL(fileURLWithPath: path)
        let sending = session.sendResource(at: url, withName: name, toPeer: peer) { [weak self] error in
            guard let error else { return self?.say("sent", name) ?? () }
            self?.say("unsent", name, "\((error as? MCError)?.code ?? .unknown)")
        }
        if sending == nil { say("nothing", name) }
        lock.withLock { progress = sending }
    }

    private func stream(_ name: String, bytes count: Int, to peer: MCPeerID) throws {
        let stream = try session.startStream(withName: name, toPeer: peer)
        StreamRunner.write(count, to: stream)
    }

    // MARK: Finding each other by other means

    private func exchange(_ words: [String]) throws {
        switch (words.first, words.count) {
        case ("archive", 2):
            let data = try NSKeyedArchiver.archivedData(withRootObject: peer, requiringSecureCoding: true)
            try data.write(to: URL(fileURLWithPath: words[1]))
            say("archived")
        case ("meet", 2):
            let data = try Data(contentsOf: URL(fileURLWithPath: words[1]))
            guard let met = try NSKeyedUnarchiver.unarchivedObject(ofClass: MCPeerID.self, from: data) else { return }
            learn(met)
            say("met", met.displayName)
        case ("data", 3):
            let path = URL(fileURLWithPath: words[2])
            session.nearbyConnectionData(forPeer: known(words[1])) { [weak self] data, error in
                try? data?.write(to: path)
                self?.say("data", error == nil ? "written" : "refused")
            }
        case ("connect", 3):
            let data = try Data(contentsOf: URL(fileURLWithPath: words[2]))
            session.connectPeer(known(words[1]), withNearbyConnectionData: data)
        case ("give-up", 2): session.cancelConnectPeer(known(words[1]))
        default: say("what?")
        }
    }

    // MARK: What it does by itself

    func take(_ invitation: @escaping (Bool, MCSession?) -> Void) {
        switch lock.withLock({ answers }) {
        case "yes": invitation(true, session)
        case "no": invitation(false, nil)
        case "twice":
            invitation(true, session)
            invitation(false, nil)
            invitation(true, session)
        default: lock.withLock { handler = invitation }
        }
    }

    var judges: Bool { lock.withLock { judgement } }
}
