import Discovery
public import Ledger
public import LinuxPlatform
import SessionRules
public import Transport
public import Vocabulary
import Wire

/// This machine among its peers: one identity, one ledger, one port, and the links to everybody else.
///
/// Open it, keep ``run()`` going, and read ``events``. Begin a ``Session`` with ``session(_:)`` and invite peers into it, or
/// answer their invitations.
@Engine
public final class Node {
    /// Who this machine is.
    public nonisolated let id: PeerID
    /// Where it listens; 0 where it takes no connections.
    public nonisolated let port: UInt16
    /// Peers, policy, what waits and what was done.
    public nonisolated let ledger: Ledger
    /// What it was opened with.
    public nonisolated let configuration: NodeConfiguration
    /// Where its key is.
    package nonisolated var keyPath: String { "\(configuration.folder)/\(Identity.fileName)" }
    /// What happens, in order, for one reader.
    public let events = EventQueue<NodeEvent>()

    /// The key of this machine, and what it signs with.
    package nonisolated let identity: Identity
    /// Work that goes on for as long as the node does, to the end of its end.
    package let crew = Crew()
    private(set) var listener: LaneListener?
    private(set) var datagrams: DatagramPort?
    let bulkLoops = BulkLoops()
    let runToken = UInt64.random(in: .min ... .max)
    let finder: Finder
    /// Told when somebody turns up on the network, by the id that is claimed there.
    public var whenFound: @Engine (PeerID) -> Void = { _ in }
    /// Told when a person may have changed what becomes of a peer or what it may do, here or in another program.
    public var whenRightsChange: @Engine (PeerID) -> Void = { _ in }
    /// Another process may have changed what any peer may do, or forgotten one.
    public var whenAnyRightsChange: @Engine () -> Void = {}

    var links: [PeerID: Link] = [:]
    var dials: [DialTarget: Promise<Link>] = [:]
    var returns: [PeerID: Return] = [:]
    /// What peers said of themselves whose links are gone.
    var formerAccounts: [PeerID: PeerAccount] = [:]
    var sessions: [SessionID: Session] = [:]
    var members: [MemberKey: Member] = [:]
    var sentInvitations: [InvitationID: SentInvitation] = [:]
    var intendedInvitations: [IntendedInvitation] = []
    var receivedInvitations: [InvitationID: IncomingRequest] = [:]
    private(set) lazy var strangers = Strangers(self)
    var lanes: [PeerID: LaneBoard] = [:]
    var outgoing: [TransferID: OutgoingResource] = [:]
    var incoming: [TransferID: IncomingResource] = [:]
    let door: Door
    var known = KnownMachines()
    var counted = NodeTally()
    nonisolated let controlTraffic = LaneTraffic()
    nonisolated let streamTraffic = LaneTraffic()
    nonisolated let resourceTraffic = LaneTraffic()
    var isStopping = false
    /// Notes that wait for the disk, and those that were too many.
    private var notes = (unwritten: 0, lost: 0)
    /// Invitations that came while an earlier one of the same peer was being considered.
    var arrivedInvites: [PeerID: [ArrivedInvite]] = [:]
    /// What peers make this machine hold.
    private(set) lazy var shares = PeerShares(
        memory: configuration.memory,
        descriptors: configuration.descriptors
    ) { [weak self] peer in self?.givesWay(peer) }
    /// How many lanes of transfers have their last word on its way. A goodbye must not overtake it.
    private(set) var closingLanes = 0
    /// Whether its run is over for good.
    private var hasEnded = false
    /// Told when the last transfer has ended.
    var whenIdle: @Engine () -> Void = {}

    /// A peer in a session, as the wire names it.
    struct MemberKey: Hashable {
        let peer: PeerID
        let session: SessionID
    }

    /// Opens the folder, makes an identity if there is none, and begins to listen; connections are taken once it runs.
    public static func open(_ configuration: NodeConfiguration) async throws -> Node {
        let (identity, ledger) = try await Self.opened(configuration.folder)
        return try await Node(configuration, identity, ledger, Ear.open(configuration, ledger))
    }

    /// Opens the folder for an identity that is kept elsewhere, or nowhere.
    public static func open(_ configuration: NodeConfiguration, as identity: Identity) async throws -> Node {
        let ledger = try await Ledger.open(at: configuration.folder)
        return try await Node(configuration, identity, ledger, Ear.open(configuration, ledger))
    }

    private static func opened(_ folder: String) async throws -> (Identity, Ledger) {
        let identity = try Identity.loadOrCreate(in: folder)
        return (identity, try await Ledger.open(at: folder))
    }

    private init(_ configuration: NodeConfiguration, _ identity: Identity, _ ledger: Ledger, _ ear: Ear?) {
        self.configuration = configuration
        self.identity = identity
        self.ledger = ledger
        id = identity.peerID
        (listener, datagrams) = (ear?.listener, ear?.datagrams)
        port = listener?.port ?? 0
        door = Door(configuration.admission)
        finder = Finder(configuration, own: identity.peerID, port: port)
    }

    /// Whether another node could listen there once this one has ended: throws what would keep it from that.
    package func tryListening(on address: IPAddress?, _ port: UInt16) throws {
        // What this one has is in nobody's way but its own.
        _ = try Ear(address, port == self.port ? 0 : port)
    }

    /// Takes connections, finds peers and keeps links until the task is cancelled. Then what is under way may finish for a
    /// while, every peer is told, and all ends in order.
    public func run() async {
        // It outlives the cancellation of this task by as long as an orderly end takes.
        let working = Task(executorPreference: Engine.loop.taskExecutor) { await self.crew.run() }
        crew.add {
            // Before the first one comes.
            await self.knowPairedMachines()
            await self.takeConnections()
        }
        crew.add { await self.takeDatagrams() }
        crew.add { await self.followLedger() }
        crew.add { await self.followFinder() }
        crew.add { await self.finder.run() }
        await Self.untilCancelled()
        await ShuttingDown(self).run()
        working.cancel()
        await working.value
        close()
    }

    private static func untilCancelled() async {
        let never = Resumption<Void>()
        // It ends when the task is cancelled, and only then.
        try? await never.valueUnlessCancelled()
    }

    /// Lets go of everything that others could wait for.
    private func close() {
        hasEnded = true
        listener = nil
        datagrams = nil
        for member in Array(members.values) { forget(member, because: .shuttingDown) }
        for session in sessions.values { session.events.finish() }
        // They hold this for as long as somebody holds them.
        (sessions, outgoing, incoming) = ([:], [:], [:])
        events.finish()
    }

    /// Closes the lane of a transfer behind what is on its way over it. Settled when that is over there, or will never be.
    func closeLane(_ channel: LaneChannel) -> Promise<Void> {
        let closed = Promise<Void>()
        closingLanes += 1
        let begins = crew.add {
            await channel.close()
            self.closed(closed)
        }
        if !begins {
            channel.abort()
            self.closed(closed)
        }
        return closed
    }

    private func closed(_ lane: Promise<Void>) {
        closingLanes -= 1
        lane.settle(.success(()))
        if isIdle { whenIdle() }
    }

    // MARK: Sessions

    /// Begins a session that nobody else is in yet.
    public func session(_ configuration: SessionConfiguration) -> Session {
        begin(.random(), configuration, host: id)
    }

    func begin(_ id: SessionID, _ configuration: SessionConfiguration, host: PeerID) -> Session {
        let session = Session(id, configuration, host: host, at: self)
        // After the end nothing comes any more, and nobody would let go of it.
        if hasEnded { session.events.finish() } else { sessions[id] = session }
        return session
    }

    func ended(_ session: Session) {
        sessions[session.id] = nil
    }

    // MARK: What a person is told, and what is written down

    func tell(_ event: NodeEvent) {
        guard events.count < Self.unreadLimit else { return }
        events.add(event)
    }

    /// Strangers come and go as they like; they must not fill the place of what matters.
    func tellOfLink(_ event: NodeEvent) {
        if events.count < Self.unreadLimit / 2 { tell(event) }
    }

    private static let unreadLimit = 1024
    private static let unwrittenNoteLimit = 256

    /// Does something with the ledger when it comes to it, and tells where that went wrong.
    func write(_ work: @escaping @Sendable (Ledger) async throws -> Void) {
        crew.add {
            do {
                try await work(self.ledger)
            } catch let error as any ExplainedError {
                self.tell(.trouble(error))
            } catch {}
        }
    }

    /// Writes something down for the person, when it is its turn.
    package func note(
        _ word: String,
        about peer: PeerID?,
        _ details: [AuditEntry.Detail] = [],
        of origin: Ledger.AuditOrigin = .household
    ) {
        // A peer can make notes faster than a disk takes them. Then some are missing, and a note says so.
        guard notes.unwritten < Self.unwrittenNoteLimit else { return notes.lost += 1 }
        notes.unwritten += 1
        crew.add {
            defer { self.notes.unwritten -= 1 }
            do {
                try await self.ledger.note(word, about: peer, details, of: origin)
                guard self.notes.lost > 0 else { return }
                let lost = self.notes.lost
                self.notes.lost = 0
                try await self.ledger.note("notes-lost", about: nil, [.init("count", "\(lost)")])
            } catch let error as any ExplainedError {
                self.tell(.trouble(error))
            } catch {}
        }
    }
}
