public import Ledger
public import LinuxPlatform
public import SessionRules
public import Transport
public import Vocabulary
import Wire

/// This machine among its peers: one identity, one ledger, one port, and an object for each peer.
///
/// Open it, keep ``run()`` going, and read ``events``. Begin a ``Session`` with ``session(_:)`` and invite peers into
/// it, or answer their invitations.
@Engine
public final class Node {
    /// The peers, the policy, the questions to the user and the audit log.
    public nonisolated let ledger: Ledger
    /// The events, in order, for one reader.
    public nonisolated let events: EventQueue<NodeEvent>
    nonisolated let context: NodeContext
    let listener: Listener
    let finder: Finder
    let dialler: Dialler
    let mesh: MeshConnector
    var peers: [PeerID: Peer] = [:]
    private(set) var sessions: [SessionID: Session] = [:]
    var intendedInvitations: [IntendedInvitation] = []
    var formerAccounts = FormerAccounts()
    var known = KnownMachines()
    /// Called for each peer that appears on the network, with the id that it claims.
    public var whenFound: @Engine (PeerID) -> Void = { _ in }
    /// Called after the user may have changed the policy or the rights of a peer, here or in another program.
    public var whenRightsChange: @Engine (PeerID) -> Void = { _ in }
    /// Called after another process may have changed the rights of any peer, or forgotten one.
    public var whenAnyRightsChange: @Engine () -> Void = {}

    /// Opens the folder, creates an identity if there is none, and begins to listen. The node takes connections once it
    /// runs.
    public static func open(_ configuration: NodeConfiguration) async throws -> Node {
        try await open(configuration, as: Identity.loadOrCreate(in: configuration.folder))
    }

    /// Opens the folder for an identity that is stored elsewhere, or nowhere.
    public static func open(_ configuration: NodeConfiguration, as identity: Identity) async throws -> Node {
        let ledger = try await Ledger.open(at: configuration.folder)
        return try await Node(configuration, identity, ledger, ListeningSockets.open(configuration, ledger))
    }

    private init(
        _ configuration: NodeConfiguration,
        _ identity: Identity,
        _ ledger: Ledger,
        _ sockets: ListeningSockets?
    ) {
        let (events, tasks) = (EventQueue<NodeEvent>(), TaskScope())
        let writer = StoreWriter(ledger, tasks) { events.report(.trouble($0)) }
        (self.ledger, self.events) = (ledger, events)
        context = NodeContext(configuration, identity, writer, tasks, sockets)
        listener = Listener(sockets?.connections, context)
        finder = Finder(configuration, own: identity.peerID, port: context.hello.listeningPort)
        dialler = Dialler(context, finder)
        mesh = MeshConnector(context, finder)
        context.owner = self
        listener.owner = self
        dialler.owner = self
        mesh.owner = self
    }

    /// The id of this machine.
    public nonisolated var id: PeerID { context.id }
    /// The port on which it listens; 0 if it takes no connections.
    public nonisolated var port: UInt16 { context.hello.listeningPort }
    /// The settings.
    public nonisolated var configuration: NodeConfiguration { context.configuration }
    package nonisolated var keyPath: String { "\(configuration.folder)/\(Identity.fileName)" }
    package nonisolated var identity: Identity { context.identity }
    /// The tasks that run for as long as the node does.
    package nonisolated var tasks: TaskScope { context.tasks }

    /// Throws an error if another node could not listen on this address after the end of this one.
    package func tryListening(on address: IPAddress?, _ port: UInt16) throws {
        // This node's own port is free by then.
        _ = try ListeningSockets(address, port == self.port ? 0 : port)
    }

    /// Takes connections, finds peers and keeps links until the task is cancelled. Then running transfers may end for a
    /// while, every peer gets a goodbye, and all ends in order.
    public func run() async {
        // This task outlives the cancellation of the run by as long as an orderly end takes.
        let working = Task(executorPreference: Engine.loop.taskExecutor) { await self.tasks.run() }
        tasks.add {
            // This is done before the first connection arrives.
            await self.updatePairedMachines()
            await self.takeConnections()
        }
        tasks.add { await self.listener.takeDatagrams() }
        tasks.add { await self.followStore() }
        tasks.add { await OfflineDialling(node: self).run() }
        followFinder()
        tasks.add { await self.finder.run() }
        await Self.untilCancelled()
        await ShutdownSequence(self, context).run()
        working.cancel()
        await working.value
        close()
    }

    private func takeConnections() async {
        do throws(SystemError) {
            try await listener.takeConnections()
        } catch {
            events.report(.trouble(SessionError.notListening(error)))
        }
    }

    private static func untilCancelled() async {
        // The wait ends only when the task is cancelled.
        try? await Resumption<Void>().valueUnlessCancelled()
    }

    /// Releases everything for which callers could wait.
    private func close() {
        context.phase = .ended
        listener.close()
        for peer in peers.values {
            for member in Array(peer.members) { peer.forget(member, because: .shuttingDown) }
            peer.transfers.removeAll()
        }
        for session in sessions.values { session.events.finish() }
        // Sessions hold this node for as long as a program holds them.
        sessions = [:]
        events.finish()
    }

    package func note(_ word: String, about peer: PeerID?, _ details: [AuditEntry.Detail] = []) {
        context.writer.note(word, about: peer, details)
    }

    /// The object for a peer, created if there is none.
    func peer(_ id: PeerID) -> Peer {
        if let peer = peers[id] { return peer }
        let peer = Peer(id, at: self)
        peers[id] = peer
        return peer
    }

    /// The counts until now.
    public var tally: NodeTally {
        var tally = context.tally
        (tally.links, tally.sessions) = (links.count, sessions.count)
        tally.control = .init(context.traffic.control)
        tally.streams = .init(context.traffic.streams)
        tally.resources = .init(context.traffic.resources)
        for transfers in peers.values.map(\.transfers) {
            tally.sending.running += transfers.outgoing.count
            tally.receiving.running += transfers.incoming.values.count(where: \.isRunning)
        }
        return tally
    }

    /// The reason why no invitation of an unpaired machine is shown to the user now; nil if one may be.
    public var strangersClosing: StrangersClosing? { context.invitationGate.closing }
}

// MARK: - Sessions

extension Node: SessionOwner {
    /// Begins a session with no other machine in it yet.
    public func session(_ configuration: SessionConfiguration) -> Session {
        begin(.random(), configuration, host: id)
    }

    func begin(_ id: SessionID, _ configuration: SessionConfiguration, host: PeerID) -> Session {
        let session = Session(id, configuration, host: host, owner: self)
        // After the end there are no events, and the node would hold the session for ever.
        if context.phase == .ended { session.events.finish() } else { sessions[id] = session }
        return session
    }

    func sessionEnded(_ session: Session) { sessions[session.id] = nil }

    func forget(_ member: Member, because reason: PartingReason) {
        // A session that outlives the node still has its members.
        guard let peer = peers[member.peer] else { return member.leave(because: reason) }
        peer.forget(member, because: reason)
    }

    func openChannel(to peer: PeerID) async throws -> DataChannel {
        guard let peer = peers[peer] else { throw SessionError(.lost) }
        return try await peer.openChannel()
    }

    func transferOwner(for peer: PeerID) -> any OutgoingResourceOwner { self.peer(peer).transfers }

    func session(_ id: SessionID) -> Session? { sessions[id] }

    func introductionCount(by member: PeerID) -> Int {
        sessions.values.reduce(0) { $0 + $1.introductionCount(of: member) }
    }
}

// MARK: - Links

extension Node: LinkOwner {
    func link(to peer: PeerID) -> Link? { peers[peer]?.link }

    func lastAddress(of peer: PeerID) -> SocketAddress? { peers[peer]?.reconnector?.address }

    func hasMember(at address: IPAddress?) -> Bool {
        peers.values.contains { $0.isMember && $0.link?.channel.remoteAddress?.address == address }
    }

    func establish(_ result: HandshakeResult) -> Link? { peer(result.channel.peerID).establish(result) }

    func keep(_ link: Link) async { await peer(link.peer).keep(link) }

    func take(_ secure: SecureChannel, _ open: ChannelFrame.Open, _ decoder: FrameDecoder<ChannelFrame>) async throws {
        guard let peer = peers[secure.peerID] else { return secure.abort() }
        try await peer.take(secure, open, decoder)
    }

    /// The number of messages that may get lost and that wait for a slow reader. Further ones are dropped.
    private static let looseMessageLimit = 1024

    func takeDatagram(_ bytes: ArraySlice<UInt8>, in session: SessionID, over link: Link) {
        guard let membership = peers[link.peer]?.memberships[session],
            membership.member.permissions.contains(.messages),
            membership.session.events.count < Self.looseMessageLimit
        else { return }
        membership.member.takeLoose(bytes)
    }

    var links: [Link] { peers.values.compactMap(\.link) }

    /// Dials a lost peer now. A caller waits for it, so it does not matter which side usually dials, and when.
    package func hurriesBack(to peer: PeerID) {
        guard peers[peer]?.reconnector != nil, !context.isStopping else { return }
        tasks.add { _ = try? await self.dialler.link(to: .peer(peer)) }
    }
}

// MARK: - The end

extension Node: ShutdownOwner, NodeContextOwner {
    /// True if no transfer is running that the end would break.
    public var isIdle: Bool {
        context.closingChannelCount == 0 && peers.values.allSatisfy(\.transfers.areIdle)
    }

    var whenIdle: @Engine () -> Void {
        get { context.whenIdle }
        set { context.whenIdle = newValue }
    }

    func transferEnded() { if isIdle { whenIdle() } }

    func refuseNew() {
        context.phase = .stopping
        for peer in peers.values { peer.invitations.withdrawSent(because: .shuttingDown) }
    }

    func releaseEverything(of peer: PeerID) {
        note("gave-way", about: peer)
        peers[peer]?.releaseEverything()
    }
}
