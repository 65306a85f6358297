import MultipeerConnectivity

/// One peer and its session in an app.
///
/// `@unchecked Sendable` because a lock guards its variables.
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
    private var isBusy = false
    private let rest = DispatchSemaphore(value: 0)
    private var standIn: UnjudgingDelegate?
    let calls = Calls()

    init(_ wishes: Wishes) {
        peer = wishes.peer
        session = MCSession(
            peer: peer,
            securityIdentity: wishes.showsCertificate ? peer.securityIdentity : nil,
            encryptionPreference: wishes.encryption
        )
        advertiser = MCNearbyServiceAdvertiser(
            peer: peer,
            discoveryInfo: wishes.info,
            serviceType: wishes.service
        )
        browser = MCNearbyServiceBrowser(peer: peer, serviceType: wishes.service)
        super.init()
        if !wishes.judgesCertificates { standIn = UnjudgingDelegate(of: self) }
        session.delegate = standIn ?? self
        advertiser.delegate = self
        browser.delegate = self
    }

    func say(_ words: String...) {
        let line = words.joined(separator: " ") + "\n"
        lock.withLock { FileHandle.standardOutput.write(Data(line.utf8)) }
    }

    func learn(_ peer: MCPeerID) { lock.withLock { known[peer.displayName] = peer } }

    /// Learns a peer, and prints if it equals the known peer of that name.
    func recognise(_ peer: MCPeerID) {
        let before = lock.withLock { self.known[peer.displayName] }
        learn(peer)
        if let before { say(before == peer ? "same" : "another", peer.displayName) }
    }

    /// The last peer of a name; a new peer if none was seen.
    private func known(_ name: String) -> MCPeerID {
        lock.withLock { known[name] } ?? MCPeerID(displayName: name)
    }

    // MARK: Commands

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
            case ("limit", 2): session.maximumNumberOfPeers = Int(words[1])
            case ("calls", _): say("called", calls.description)
            case ("busy", _): lock.withLock { isBusy = true }
            case ("free", _):
                lock.withLock { isBusy = false }
                rest.signal()
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
        case ("all", 2): try session.send(Data(words[1].utf8), toPeers: session.connectedPeers, with: .reliable)
        case ("copy", 3):
            guard let copy = known(words[1]).copy() as? MCPeerID else { return say("no copy") }
            try session.send(Data(words[2].utf8), toPeers: [copy], with: .reliable)
        case ("pour", 2): pour(to: known(words[1]))
        case ("made-up", 2):
            try session.send(Data([1]), toPeers: [MCPeerID(displayName: words[1])], with: .reliable)
        case ("file", 4): sendFile(words[2], as: words[3], to: known(words[1]))
        case ("cancel", _): lock.withLock { progress }?.cancel()
        case ("stream", 4): try stream(words[2], bytes: Int(words[3]) ?? 0, to: known(words[1]))
        case ("blocking", 4):
            let stream = try session.startStream(withName: words[2], toPeer: known(words[1]))
            StreamRunner.writeBlocking(Int(words[3]) ?? 0, to: stream)
        default: try exchange(words)
        }
    }

    /// Sends as many messages of 1 MiB as can wait for a peer that reads none.
    private func pour(to peer: MCPeerID) {
        var count = 0
        do {
            while count < 1000 {
                try session.send(Data(count: 1 << 20), toPeers: [peer], with: .reliable)
                count += 1
            }
        } catch {
            say("poured", "\(count)", "\((error as? MCError)?.code ?? .unknown)")
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

    // MARK: Connections without discovery

    private func exchange(_ words: [String]) throws {
        switch (words.first, words.count) {
        case ("archive", 2):
            let data = try NSKeyedArchiver.archivedData(withRootObject: peer, requiringSecureCoding: true)
            try data.write(to: URL(fileURLWithPath: words[1]))
            say("archived")
        case ("meet", 2):
            guard let met = try Wishes.archivedPeer(words[1]) else { return }
            recognise(met)
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

    // MARK: Actions without a command

    func take(_ invitation: @escaping (Bool, MCSession?) -> Void, of peer: MCPeerID) {
        switch lock.withLock({ answers }) {
        case "invite": browser.invitePeer(peer, to: session, withContext: nil, timeout: 30)
        case "yes": invitation(true, session)
        case "no": invitation(false, nil)
        case "twice":
            invitation(true, session)
            invitation(false, nil)
            invitation(true, session)
        default: lock.withLock { handler = invitation }
        }
    }

    /// Delays the handling of a message after the command for it.
    func work() {
        if lock.withLock({ isBusy }) { rest.wait() }
    }

    var judges: Bool { lock.withLock { judgement } }
}
