// swift-format-ignore-file
// because this is code as it is written for iOS, and stays so

import MultipeerConnectivity

/// One class for all, which imports the framework alone: dictionaries as messages, files, streams, errors by domain and
/// code, and a peer that is stored between starts.
open class PartyChat: NSObject, MCSessionDelegate, MCNearbyServiceAdvertiserDelegate, MCNearbyServiceBrowserDelegate, StreamDelegate {
    public static let maximumGuests = kMCSessionMaximumNumberOfPeers - 1
    public var onText: ((String, MCPeerID) -> Void)?
    public var onFile: ((URL, Data) -> Void)?
    public var onStreamed: ((Data) -> Void)?
    public var onPeers: (([MCPeerID]) -> ())?
    public var lastError: Error?

    public private(set) var peer: MCPeerID
    public private(set) lazy var session: MCSession = {
        let s = MCSession(peer: peer, securityIdentity: nil, encryptionPreference: MCEncryptionPreference.required)
        s.delegate = self
        return s
    }()
    private var advertiser: MCNearbyServiceAdvertiser?
    private var browser: MCNearbyServiceBrowser!  // because it is made in start()
    private var found = [MCPeerID: [String: String]]()
    private var states = [String: MCSessionState]()
    private var invitations: [(Bool, MCSession?) -> Void] = []
    private var output: OutputStream?
    private var streamed = Data()
    private var transfers: [Progress] = []

    public init(displayName: String, defaults: UserDefaults = .standard) {
        peer = MCPeerID(displayName: displayName)
        super.init()
    }

    deinit {
        session.disconnect()
    }

    open func start(service: String = "party-chat") {
        advertiser = MCNearbyServiceAdvertiser(peer: peer, discoveryInfo: ["name": peer.displayName], serviceType: service)
        advertiser?.delegate = self
        advertiser?.startAdvertisingPeer()
        browser = MCNearbyServiceBrowser(peer: peer, serviceType: service)
        browser.delegate = self
        browser.startBrowsingForPeers()
    }

    open func stop() {
        advertiser?.stopAdvertisingPeer()
        advertiser?.delegate = nil
        browser?.stopBrowsingForPeers()
        session.disconnect()
    }

    public func send(_ text: String, mode: MCSessionSendDataMode = .reliable) {
        guard !session.connectedPeers.isEmpty else { return }
        do {
            let data = try JSONSerialization.data(withJSONObject: ["text": text], options: [])
            try session.send(data, toPeers: session.connectedPeers, with: mode)
        } catch let error as NSError where error.domain == MCErrorDomain {
            lastError = error
        } catch {
            lastError = error
        }
    }

    public func trySending(to stranger: MCPeerID) -> MCError.Code? {
        do {
            try session.send(Data(), toPeers: [stranger], with: .reliable)
            return nil
        } catch MCError.notConnected {
            return .notConnected
        } catch let error as MCError where error.code == .invalidParameter {
            return error.code
        } catch {
            let mine = error as NSError
            return MCError.Code(rawValue: mine.code) ?? .unknown
        }
    }

    @discardableResult
    public func sendFile(at url: URL, to peerID: MCPeerID, then done: @escaping (Error?) -> Void) -> Progress? {
        let progress = session.sendResource(at: url, withName: url.lastPathComponent, toPeer: peerID) { error in
            DispatchQueue.main.async { _ = error?.localizedDescription }
            done(error)
        }
        return progress
    }

    public func stream(_ data: Data, to peerID: MCPeerID) throws {
        let stream = try session.startStream(withName: "voice", toPeer: peerID)
        stream.delegate = self
        stream.schedule(in: RunLoop.main, forMode: RunLoop.Mode.default)
        stream.open()
        output = stream
        let written = data.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) -> Int in
            guard let base = bytes.bindMemory(to: UInt8.self).baseAddress else { return 0 }
            return stream.write(base, maxLength: data.count)
        }
        assert(written == data.count)
        stream.close()
        stream.remove(from: .main, forMode: .default)
    }

    // MARK: - Peers between starts

    public static func keep(_ peer: MCPeerID) throws -> Data {
        try NSKeyedArchiver.archivedData(withRootObject: peer, requiringSecureCoding: true)
    }

    public static func returning(from data: Data) throws -> MCPeerID? {
        try NSKeyedUnarchiver.unarchivedObject(ofClass: MCPeerID.self, from: data)
    }

    // MARK: - MCSessionDelegate

    open func session(_ session: MCSession, peer peerID: MCPeerID, didChange state: MCSessionState) {
        states[peerID.displayName] = state
        switch state {
        case MCSessionState.connected: print("connected: \(peerID.displayName)")
        case MCSessionState.connecting: print("connecting: \(peerID.displayName)")
        case MCSessionState.notConnected: print("not connected: \(peerID.displayName)")
        @unknown default: print("unknown state: \(state.rawValue)")
        }
        let peers = session.connectedPeers
        DispatchQueue.global().async { [weak self] in self?.onPeers?(peers) }
    }

    open func session(_ session: MCSession, didReceive data: Data, fromPeer peerID: MCPeerID) {
        if let object = try? JSONSerialization.jsonObject(with: data) as? [String: Any], let text = object["text"] as? String {
            onText?(text, peerID)
        }
    }

    open func session(_ session: MCSession, didReceive stream: InputStream, withName streamName: String, fromPeer peerID: MCPeerID) {
        stream.open()
        var buffer = [UInt8](repeating: 0, count: 1024)
        while true {
            let count = stream.read(&buffer, maxLength: buffer.count)
            if count <= 0 { break }
            streamed.append(contentsOf: buffer[0..<count])
        }
        stream.close()
        onStreamed?(streamed)
    }

    public func stream(_ aStream: Stream, handle eventCode: Stream.Event) {
        switch eventCode {
        case Stream.Event.openCompleted, .hasSpaceAvailable, .hasBytesAvailable: break
        case .endEncountered, .errorOccurred:
            aStream.close()
            aStream.remove(from: .current, forMode: .common)
        default: break
        }
    }

    open func session(_ session: MCSession, didStartReceivingResourceWithName resourceName: String, fromPeer peerID: MCPeerID, with progress: Progress) {
        transfers.append(progress)
        if progress.isCancelled { progress.cancel() }
    }

    open func session(_ session: MCSession, didFinishReceivingResourceWithName resourceName: String, fromPeer peerID: MCPeerID, at localURL: URL?, withError error: Error?) {
        guard error == nil, let localURL = localURL else {
            lastError = error
            return
        }
        let target = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString + resourceName)
        do {
            try FileManager.default.moveItem(at: localURL, to: target)
            onFile?(target, try Data(contentsOf: target))
        } catch { lastError = error }
    }

    open func session(_ session: MCSession, didReceiveCertificate certificate: [Any]?, fromPeer peerID: MCPeerID, certificateHandler: @escaping (Bool) -> Void) {
        certificateHandler(true)
    }

    // MARK: - Discovery

    open func advertiser(_ advertiser: MCNearbyServiceAdvertiser, didReceiveInvitationFromPeer peerID: MCPeerID, withContext context: Data?, invitationHandler: @escaping (Bool, MCSession?) -> Void) {
        invitations.append(invitationHandler)
        let accept = session.connectedPeers.count < PartyChat.maximumGuests
        invitations.removeFirst()(accept, accept ? session : nil)
    }

    open func advertiser(_ advertiser: MCNearbyServiceAdvertiser, didNotStartAdvertisingPeer error: Error) {
        if (error as NSError).domain == MCErrorDomain, (error as? MCError)?.code == .unavailable { lastError = error }
    }

    open func browser(_ browser: MCNearbyServiceBrowser, foundPeer peerID: MCPeerID, withDiscoveryInfo info: [String: String]?) {
        found[peerID] = info ?? [:]
        // Of two peers the one whose name sorts first invites.
        guard peer.displayName < peerID.displayName, !session.connectedPeers.contains(peerID) else { return }
        browser.invitePeer(peerID, to: session, withContext: "hello".data(using: .utf8), timeout: TimeInterval(20))
    }

    open func browser(_ browser: MCNearbyServiceBrowser, lostPeer peerID: MCPeerID) {
        found.removeValue(forKey: peerID)
    }

    open func browser(_ browser: MCNearbyServiceBrowser, didNotStartBrowsingForPeers error: Error) {
        lastError = error
    }
}

// MARK: - Extensions of Apple's types

extension MCSessionState: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notConnected: return "not connected"
        case .connecting: return "connecting"
        case .connected: return "connected"
        @unknown default: return "unknown"
        }
    }
}

extension MCPeerID: Identifiable {
    public var id: String { displayName + "\(hash)" }
}

extension MCSession {
    public func broadcast<T: Encodable>(_ value: T, with mode: MCSessionSendDataMode = .reliable) throws {
        try send(JSONEncoder().encode(value), toPeers: connectedPeers, with: mode)
    }

    /// A delegate with empty methods, as a base class.
    open class Delegate: NSObject, MCSessionDelegate {
        public func session(_: MCSession, didReceive data: Data, fromPeer _: MCPeerID) {}
        public func session(_: MCSession, peer _: MCPeerID, didChange _: MCSessionState) {}
        public func session(_: MCSession, didReceive _: InputStream, withName _: String, fromPeer _: MCPeerID) {}
        public func session(_: MCSession, didStartReceivingResourceWithName _: String, fromPeer _: MCPeerID, with _: Progress) {}
        public func session(_: MCSession, didFinishReceivingResourceWithName _: String, fromPeer _: MCPeerID, at _: URL?, withError _: Error?) {}
    }
}
