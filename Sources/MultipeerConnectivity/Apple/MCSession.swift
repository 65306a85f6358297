public import Foundation
import LinuxPlatform
import Vocabulary

/// Peers that are connected with each other, and what they send each other.
///
/// `@unchecked Sendable` because what changes in it is behind a lock, or belongs to the engine's thread.
open class MCSession: NSObject, @unchecked Sendable {
    let core: SessionCore
    private let peer: MCPeerID
    private let identity: [Any]?
    private let preference: MCEncryptionPreference
    private let changing = Guarded(Changing())

    private struct Changing {
        weak var delegate: (any MCSessionDelegate)?
        var trusted: Set<MCCertificate> = []
        var maximum: Int?
        var readers: [WeakReader] = []
    }

    private struct WeakReader {
        weak let reader: MCSessionEvents.Reader?
    }

    /// Without a certificate, and with encryption required.
    public convenience init(peer myPeerID: MCPeerID) {
        self.init(peer: myPeerID, securityIdentity: nil, encryptionPreference: .required)
    }

    /// A session of a peer that this program is.
    ///
    /// - Parameters:
    ///   - myPeerID: made in this program, or archived by it
    ///   - identity: ``MCPeerID/securityIdentity`` of the same peer, to show others its certificate; nil shows none. Anything else ends the program.
    ///   - encryptionPreference: who can be in it
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
        core = SessionCore(myPeerID.ownStation, profile)
        super.init()
        let core = core
        onEngine { [weak self] in
            core.session = self
            core.station.add(core)
        }
    }

    deinit {
        let core = core
        onEngine { core.disconnect() }
    }

    /// Who this program is in it.
    open var myPeerID: MCPeerID { peer }

    /// What it was made with.
    open var securityIdentity: [Any]? { identity }

    /// What it was made with.
    open var encryptionPreference: MCEncryptionPreference { preference }

    /// Who is told what happens. It is not kept alive.
    open weak var delegate: (any MCSessionDelegate)? {
        get { changing.withLock { $0.delegate } }
        set { changing.withLock { $0.delegate = newValue } }
    }

    /// Whom messages reach at this moment, in the order in which they came.
    open var connectedPeers: [MCPeerID] { core.roll.connected }

    /// How many peers may be in it, this one among them. Nil, as it begins, is as many as there are.
    public var maximumNumberOfPeers: Int? {
        get { changing.withLock { $0.maximum } }
        set {
            changing.withLock { $0.maximum = newValue }
            let core = core
            onEngine { core.maximumNumberOfPeers = newValue }
        }
    }

    /// Whose certificates are taken without a question where the delegate does not judge them itself.
    public var trustedCertificates: Set<MCCertificate> {
        get { changing.withLock { $0.trusted } }
        set { changing.withLock { $0.trusted = newValue } }
    }

    /// Leaves all peers. The session can be used again.
    open func disconnect() {
        let core = core
        onEngine { core.disconnect() }
    }

    /// Sends a message. It returns at once; peers get it whole, or not at all.
    ///
    /// - Parameters:
    ///   - data: up to 16 MiB; send what is more as a resource
    ///   - peerIDs: peers of this session
    ///   - mode: whether it may get lost
    /// - Throws: ``MCError``: `notConnected` where one of them is not in the session, `invalidParameter` for no peers or too much, `unavailable` where 64 MiB
    ///   wait already for a peer that is slow
    open func send(_ data: Data, toPeers peerIDs: [MCPeerID], with mode: MCSessionSendDataMode) throws {
        let outboxes = try outboxes(for: data, peerIDs)
        if mode == .unreliable {
            let core = core
            return onEngine { core.sendUnreliably(data, to: peerIDs) }
        }
        let parcels = Parcel.bytes(of: data)
        for outbox in outboxes where !outbox.put(parcels) {
            throw MCError(.unavailable, "too much waits for a peer that is slow; use the send that waits")
        }
    }

    /// Sends a file, or a folder with all that is in it.
    ///
    /// - Parameters:
    ///   - resourceURL: where it lies on this machine. For anything else the handler gets `unsupported`: fetch it first, for whoever could name an address
    ///     here could have this machine ask any server.
    ///   - resourceName: what it is called there
    ///   - peerID: a peer of this session
    ///   - completionHandler: told once, with nil when the file is there, checked
    /// - Returns: how far it is, with which it can be cancelled; nil where nothing has begun
    @discardableResult
    open func sendResource(
        at resourceURL: URL,
        withName resourceName: String,
        toPeer peerID: MCPeerID,
        withCompletionHandler completionHandler: (((any Error)?) -> Void)? = nil
    ) -> Progress? {
        beginResource(resourceURL, resourceName, peerID, completionHandler)
    }

    /// Opens a stream to a peer. Set its delegate, schedule it in a run loop and open it, or open it and write: writing blocks while 256 KiB wait.
    ///
    /// - Parameters:
    ///   - streamName: 1 to 128 bytes of UTF-8 without control characters
    ///   - peerID: a peer of this session
    /// - Throws: ``MCError``: `notConnected` or `invalidParameter`
    @discardableResult
    open func startStream(withName streamName: String, toPeer peerID: MCPeerID) throws -> OutputStream {
        PeerOutputStream(into: try beginStream(streamName, peerID))
    }

    /// What a peer needs to connect to this session without discovery. Bring it there by any means, get that peer's, and call
    /// ``connectPeer(_:withNearbyConnectionData:)`` on both sides.
    open func nearbyConnectionData(
        forPeer peerID: MCPeerID,
        withCompletionHandler completionHandler: @escaping (Data?, (any Error)?) -> Void
    ) {
        tellConnectionData(for: peerID, completionHandler)
    }

    /// Connects to a peer that calls this too, with data from here.
    open func connectPeer(_ peerID: MCPeerID, withNearbyConnectionData data: Data) {
        let core = core
        onEngine { core.connect(to: peerID, data) }
    }

    /// Wants to be connected with a peer in that way no more.
    open func cancelConnectPeer(_ peerID: MCPeerID) {
        let core = core
        onEngine { core.stopExpecting(peerID.id) }
    }

    /// Sends a message reliably, and waits while peers are slow.
    ///
    /// - Parameters:
    ///   - data: up to 16 MiB
    ///   - peers: peers of this session; nil is all that are connected
    public func send(_ data: Data, to peers: [MCPeerID]? = nil) async throws {
        let peers = peers ?? connectedPeers
        guard !peers.isEmpty else { throw MCError(.notConnected, "nobody is in the session") }
        let parcels = Parcel.bytes(of: data)
        for outbox in try outboxes(for: data, peers) {
            do {
                guard try await outbox.putWaiting(parcels) else { throw Self.notConnected }
            } catch {
                throw MCError(of: error)
            }
        }
    }

    private func outboxes(for data: Data, _ peers: [MCPeerID]) throws -> [Outbox] {
        guard !peers.isEmpty else { throw MCError(.invalidParameter, "a message needs at least one peer to go to") }
        guard data.count <= Parcel.messageLimit else {
            throw MCError(.invalidParameter, "a message has at most 16 MiB; send it as a resource")
        }
        return try peers.map { peer in
            guard let outbox = core.roll.entry(peer)?.outbox else { throw Self.notConnected }
            return outbox
        }
    }

    static let notConnected = MCError(.notConnected, "that peer is not in the session: invite it first")

    /// Does something on the engine's thread, after what was asked for before.
    func onEngine(_ work: @escaping @Engine @Sendable () -> Void) {
        Engine.begin { work() }
    }

    // MARK: What happens

    func add(_ reader: MCSessionEvents.Reader) {
        changing.withLock { changing in
            changing.readers = changing.readers.filter { $0.reader != nil } + [WeakReader(reader: reader)]
        }
    }

    /// On the session's queue.
    func take(_ happening: Happening, _ credit: Courier.Credit) {
        let happening = happening.settled
        let (delegate, readers) = changing.withLock { ($0.delegate, $0.readers.compactMap(\.reader)) }
        for reader in readers { reader.add(happening, credit) }
        guard let delegate else { return }
        switch happening {
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

    /// On the session's queue.
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
