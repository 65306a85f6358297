// swift-format-ignore-file
// because this is code as it is written for iOS, and stays so

import MultipeerConnectivity

// Mocks in tests of apps: subclasses of the framework's classes with another behaviour.
// Each repeats that it is `Sendable`: without that the compiler warns, and warnings are errors here.

public class MockSession: MCSession, @unchecked Sendable {  // because the class above it says so, and tests use one thread
    public var mockPeers: [MCPeerID] = []
    public var sent: [(Data, [MCPeerID], MCSessionSendDataMode)] = []
    public var errorToThrow: Error?

    override public var connectedPeers: [MCPeerID] { return mockPeers }
    override public var myPeerID: MCPeerID { return mockPeers.first ?? super.myPeerID }
    override public weak var delegate: MCSessionDelegate? { didSet { sent.removeAll() } }

    override public func send(_ data: Data, toPeers peerIDs: [MCPeerID], with mode: MCSessionSendDataMode) throws {
        if let error = errorToThrow { throw error }
        sent.append((data, peerIDs, mode))
    }

    override public func sendResource(at resourceURL: URL, withName resourceName: String, toPeer peerID: MCPeerID, withCompletionHandler completionHandler: ((Error?) -> Void)? = nil) -> Progress? {
        completionHandler?(nil)
        return Progress(totalUnitCount: 1)
    }

    override public func startStream(withName streamName: String, toPeer peerID: MCPeerID) throws -> OutputStream {
        return OutputStream.toMemory()
    }

    override public func nearbyConnectionData(forPeer peerID: MCPeerID, withCompletionHandler completionHandler: @escaping (Data?, Error?) -> Void) {
        completionHandler(Data(), nil)
    }

    override public func connectPeer(_ peerID: MCPeerID, withNearbyConnectionData data: Data) { mockPeers.append(peerID) }
    override public func cancelConnectPeer(_ peerID: MCPeerID) { mockPeers.removeAll { $0 == peerID } }
    override public func disconnect() { mockPeers = [] }
}

public class MockBrowser: MCNearbyServiceBrowser, @unchecked Sendable {  // because the class above it says so, and tests use one thread
    public private(set) var isBrowsing = false
    public private(set) var invited: [MCPeerID] = []

    override public func startBrowsingForPeers() { isBrowsing = true }
    override public func stopBrowsingForPeers() { isBrowsing = false }
    override public func invitePeer(_ peerID: MCPeerID, to session: MCSession, withContext context: Data?, timeout: TimeInterval) {
        invited.append(peerID)
    }

    public func find(_ peerID: MCPeerID) { delegate?.browser(self, foundPeer: peerID, withDiscoveryInfo: nil) }
}

public class MockAdvertiser: MCNearbyServiceAdvertiser, @unchecked Sendable {  // because the class above it says so, and tests use one thread
    public private(set) var isAdvertising = false

    override public var discoveryInfo: [String: String]? { return ["mock": "yes"] }
    override public func startAdvertisingPeer() { isAdvertising = true }
    override public func stopAdvertisingPeer() { isAdvertising = false }
}

public class MockPeer: MCPeerID, @unchecked Sendable {  // because the class above it says so, and tests use one thread
    override public var displayName: String { return "fake" }
}

public class MockAssistant: MCAdvertiserAssistant, @unchecked Sendable {  // because the class above it says so, and tests use one thread
    public private(set) var isStarted = false

    override public init(serviceType: String, discoveryInfo info: [String: String]?, session: MCSession) {
        super.init(serviceType: serviceType, discoveryInfo: info, session: session)
    }

    override public var discoveryInfo: [String: String]? { return ["mock": "yes"] }
    override public func start() { isStarted = true }
    override public func stop() { isStarted = false }
}

public class TeamPicker: MCBrowserViewController {
    public let title: String

    public init(title: String, browser: MCNearbyServiceBrowser, session: MCSession) {
        self.title = title
        super.init(browser: browser, session: session)
        maximumNumberOfPeers = 4
    }
}

public class PlainPicker: MCBrowserViewController {
    override public init(browser: MCNearbyServiceBrowser, session: MCSession) {
        super.init(browser: browser, session: session)
        minimumNumberOfPeers = 3
    }
}
