public import Foundation
import LinuxPlatform
import Vocabulary

/// Connected peers and their messages, resources and streams.
///
/// `@unchecked Sendable` because its mutable state is behind a lock, or belongs to the engine's thread.
open class MCSession: NSObject, @unchecked Sendable {
    let core: SessionCore
    private let peer: MCPeerID
    private let identity: [Any]?
    private let preference: MCEncryptionPreference
    private let changing = Locked(Changing())

    private struct Changing {
        weak var delegate: (any MCSessionDelegate)?
        var trusted: Set<MCCertificate> = []
        var maximum: Int?
        var readers: [WeakReader] = []
    }

    private struct WeakReader {
        weak let reader: MCSessionEvents.Reader?
    }

    /// Creates a session without a certificate that requires encryption.
    public convenience init(peer myPeerID: MCPeerID) {
        self.init(peer: myPeerID, securityIdentity: nil, encryptionPreference: .required)
    }

    /// Creates a session of a local peer.
    ///
    /// - Parameters:
    ///   - myPeerID: a peer that this program created or archived
    ///   - identity: ``MCPeerID/securityIdentity`` of the same peer to show others its certificate; nil shows none.
    ///     Anything else ends the program.
    ///   - encryptionPreference: decides which peers can join
    public init(
        peer myPeerID: MCPeerID,
        securityIdentity identity: [Any]?,
        encryptionPreference: MCEncryptionPreference
    ) {
        precondition(
            identity.map { ($0.first as? MCCertificate) == MCCertificate(of: myPeerID) } ?? true,
            "Invalid securityIdentity passed to MCSession: pass myPeerID.securityIdentity, or nil"
        )
        peer = myPeerID
        self.identity = identity
        preference = encryptionPreference
        let profile = Profile(
            displayName: myPeerID.displayName,
            preference: encryptionPreference,
            showsCertificate: identity != nil
        )
        core = SessionCore(myPeerID.ownNode, profile)
        super.init()
        let core = core
        onEngine { [weak self] in
            core.session = self
            core.localNode.add(core)
        }
    }

    deinit {
        let core = core
        onEngine { core.disconnect() }
    }

    /// The local peer.
    open var myPeerID: MCPeerID { peer }

    /// The identity from the initializer.
    open var securityIdentity: [Any]? { identity }

    /// The preference from the initializer.
    open var encryptionPreference: MCEncryptionPreference { preference }

    /// The delegate, held weakly.
    open weak var delegate: (any MCSessionDelegate)? {
        get { changing.withLock { $0.delegate } }
        set { changing.withLock { $0.delegate = newValue } }
    }

    /// The peers that receive messages at this moment, in the order in which they joined.
    open var connectedPeers: [MCPeerID] { core.roster.connected }

    /// Maximum number of peers, including this one. The default nil is no limit.
    public var maximumNumberOfPeers: Int? {
        get { changing.withLock { $0.maximum } }
        set {
            changing.withLock { $0.maximum = newValue }
            let core = core
            onEngine { core.maximumNumberOfPeers = newValue }
        }
    }

    /// Certificates that are accepted without a question if the delegate has no method to judge them.
    public var trustedCertificates: Set<MCCertificate> {
        get { changing.withLock { $0.trusted } }
        set { changing.withLock { $0.trusted = newValue } }
    }

    /// Leaves all peers. The session can be used again.
    open func disconnect() {
        let core = core
        onEngine { core.disconnect() }
    }

    /// Sends a message and returns at once. A peer receives it completely or not at all.
    ///
    /// - Parameters:
    ///   - data: at most 16 MiB; send more as a resource
    ///   - peerIDs: peers of this session
    ///   - mode: reliable or not
    /// - Throws: ``MCError``: `notConnected` if a peer is not in the session, `invalidParameter` for no peers or too
    ///   many bytes, `unavailable` if 64 MiB already wait for a slow peer
    open func send(_ data: Data, toPeers peerIDs: [MCPeerID], with mode: MCSessionSendDataMode) throws {
        let sendQueues = try sendQueues(for: data, peerIDs)
        if mode == .unreliable {
            let core = core
            return onEngine { core.sendUnreliably(data, to: peerIDs) }
        }
        let packets = Packet.bytes(of: data)
        for sendQueue in sendQueues where !sendQueue.put(packets) {
            throw MCError(.unavailable, "too much waits for a peer that is slow; use the send that waits")
        }
    }

    /// Sends a file, or a folder with its content.
    ///
    /// - Parameters:
    ///   - resourceURL: a file URL of this machine. For any other URL the handler gets `unsupported`: fetch it first.
    ///     Otherwise a user who can name an address could make this machine send requests to any server.
    ///   - resourceName: the name for the receiver
    ///   - peerID: a peer of this session
    ///   - completionHandler: called once, with nil after the peer has verified the file
    /// - Returns: the progress, which can cancel the transfer; nil if it did not start
    @discardableResult
    open func sendResource(
        at resourceURL: URL,
        withName resourceName: String,
        toPeer peerID: MCPeerID,
        withCompletionHandler completionHandler: (((any Error)?) -> Void)? = nil
    ) -> Progress? {
        beginResource(resourceURL, resourceName, peerID, completionHandler)
    }

    /// Opens a stream to a peer. Set its delegate, schedule it in a run loop and open it; or open it and write. A write
    /// blocks while 256 KiB wait.
    ///
    /// - Parameters:
    ///   - streamName: 1 to 128 bytes of UTF-8 without control characters
    ///   - peerID: a peer of this session
    /// - Throws: ``MCError``: `notConnected` or `invalidParameter`
    @discardableResult
    open func startStream(withName streamName: String, toPeer peerID: MCPeerID) throws -> OutputStream {
        PeerOutputStream(into: try beginStream(streamName, peerID))
    }

    /// Data with which a peer connects to this session without discovery. Transport it by any means, get the peer's
    /// data, and call ``connectPeer(_:withNearbyConnectionData:)`` on both sides.
    open func nearbyConnectionData(
        forPeer peerID: MCPeerID,
        withCompletionHandler completionHandler: @escaping (Data?, (any Error)?) -> Void
    ) {
        tellConnectionData(for: peerID, completionHandler)
    }

    /// Connects to a peer that also calls this method, with data from this session.
    open func connectPeer(_ peerID: MCPeerID, withNearbyConnectionData data: Data) {
        let core = core
        onEngine { core.connect(to: peerID, data) }
    }

    /// Stops connecting to a peer in that way.
    open func cancelConnectPeer(_ peerID: MCPeerID) {
        let core = core
        onEngine { core.stopExpecting(peerID.id) }
    }

    /// Sends a message reliably, and waits while peers are slow.
    ///
    /// - Parameters:
    ///   - data: at most 16 MiB
    ///   - peers: peers of this session; nil for all connected ones
    public func send(_ data: Data, to peers: [MCPeerID]? = nil) async throws {
        let peers = peers ?? connectedPeers
        guard !peers.isEmpty else { throw MCError(.notConnected, "no peer is in the session") }
        let packets = Packet.bytes(of: data)
        for sendQueue in try sendQueues(for: data, peers) {
            do {
                guard try await sendQueue.putWaiting(packets) else { throw Self.notConnected }
            } catch {
                throw MCError(of: error)
            }
        }
    }

    private func sendQueues(for data: Data, _ peers: [MCPeerID]) throws -> [SendQueue] {
        guard !peers.isEmpty else { throw MCError(.invalidParameter, "a message needs at least one receiver") }
        guard data.count <= Packet.messageLimit else {
            throw MCError(.invalidParameter, "a message has at most 16 MiB; send it as a resource")
        }
        return try peers.map { peer in
            guard let sendQueue = core.roster.entry(peer)?.sendQueue else { throw Self.notConnected }
            return sendQueue
        }
    }

    static let notConnected = MCError(.notConnected, "that peer is not in the session: invite it first")

    /// Runs work on the engine's thread, after all earlier work.
    func onEngine(_ work: @escaping @Engine @Sendable () -> Void) {
        Engine.begin { work() }
    }

    // MARK: Events

    func add(_ reader: MCSessionEvents.Reader) {
        changing.withLock { changing in
            changing.readers = changing.readers.filter { $0.reader != nil } + [WeakReader(reader: reader)]
        }
    }

    /// Reports an event to the delegate and to the loops over ``events``. Runs on the session's queue.
    func take(_ event: CoreEvent, _ credit: DelegateQueue.Credit) {
        let event = event.settled
        let (delegate, readers) = changing.withLock { ($0.delegate, $0.readers.compactMap(\.reader)) }
        for reader in readers { reader.add(event, credit) }
        guard let delegate else { return }
        switch event {
        case .state(let peer, let state, let reason):
            delegate.session(self, peer: peer, didChange: state)
            delegate.session(self, peer: peer, didChange: state, because: reason)
        case .data(let data, let peer): delegate.session(self, didReceive: data, fromPeer: peer)
        case .stream(let stream):
            delegate.session(self, didReceive: stream.opened(), withName: stream.name, fromPeer: stream.peer)
        case .resourceBegan(let resource):
            delegate.session(
                self,
                didStartReceivingResourceWithName: resource.name,
                fromPeer: resource.peer,
                with: resource.progress
            )
        case .resourceEnded(let resource, let outcome):
            let (file, error): (ReceivedFile?, MCError?) =
                switch outcome {
                case .success(let file): (file, nil)
                case .failure(let error): (nil, error)
                }
            delegate.session(
                self,
                didFinishReceivingResourceWithName: resource.name,
                fromPeer: resource.peer,
                at: file?.url,
                withError: error
            )
        }
    }

    /// Judges a peer's certificate by the delegate, or by the trusted certificates if there is no delegate. Runs on the
    /// session's queue.
    func judge(_ certificate: MCCertificate?, of peer: MCPeerID, _ verdict: @escaping @Sendable (Bool) -> Void) {
        let shown: [Any]? = certificate.map { [$0] }
        guard let delegate = changing.withLock({ $0.delegate }) else { return verdict(trusts(shown)) }
        delegate.session(self, didReceiveCertificate: shown, fromPeer: peer, certificateHandler: verdict)
    }

    func trusts(_ certificate: [Any]?) -> Bool {
        guard let certificate else { return true }
        return (certificate.first as? MCCertificate).map { trustedCertificates.contains($0) } ?? false
    }
}
