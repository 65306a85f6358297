import Digests
import Ledger
import LinuxPlatform
public import SaveRules
public import Session
import SessionRules
public import Vocabulary

/// Keeps save sets: every version of them on this machine, and the newest on all machines that have part in them.
///
/// Open it beside a node, keep ``run()`` going, and read ``news``. It dials peers that sets are shared with (``sees(_:)``), and
/// takes the sessions that they open (``take(_:from:)``).
@Engine
public final class SaveKeeper {
    /// What the invitations to its sessions carry.
    public nonisolated static let context = Array("huddle-saves/1".utf8)

    /// What happens, for one reader. Where nobody reads, the latest is lost.
    public let news = EventQueue<SaveNews>()

    let node: Node
    nonisolated let ledger: Ledger
    let store: SaveStore
    let desk: SaveDesk
    let places: any SavePlaces
    let bounds: SaveBounds
    let patience: LeasePatience
    let clock: @Sendable () -> Int64
    let crew = Crew()
    private(set) var sets: [SaveSetID: KeptSet] = [:]
    private(set) var peers: [PeerID: SavePeer] = [:]
    private var dialling: Set<PeerID> = []
    private var wantedAgain: Set<PeerID> = []
    /// Who may have part in sets, as far as was looked since the start.
    private var welcome: Set<PeerID> = []
    private var following: [SaveSetID: Task<Void, Never>] = [:]

    /// Whether it runs no more, or is about to.
    private(set) var isEnding = false

    /// Much work takes much memory, which nobody needs afterwards.
    private(set) lazy var resting = Resting { [weak self] in self?.rest() }

    private static let unreadLimit = 1024

    /// What a keeper is to be like.
    public struct Configuration: Sendable {
        /// The folder of the history, made where there is none.
        public var history: String
        /// What peers may make this machine take.
        public var bounds = SaveBounds()
        /// How long to wait in the matter of leases.
        public var leases = LeasePatience()
        /// Milliseconds since 1970, for people to read.
        public var clock: @Sendable () -> Int64 = {
            let now = FileTime.now
            return now.seconds * 1_000 + Int64(now.nanoseconds / 1_000_000)
        }

        /// The usual bounds and patience.
        public init(history: String) { self.history = history }
    }

    /// Opens the history, and all sets that the node's ledger knows.
    /// - Parameter places: the folders of this machine
    public static func open(
        _ configuration: Configuration,
        beside node: Node,
        places: any SavePlaces
    ) async throws -> SaveKeeper {
        let store = try await SaveStore.open(at: configuration.history)
        let keeper = SaveKeeper(configuration, node, store, places)
        for entry in try await node.ledger.saveSets().values { try await keeper.load(entry) }
        return keeper
    }

    private init(_ configuration: Configuration, _ node: Node, _ store: SaveStore, _ places: any SavePlaces) {
        (self.node, ledger, self.store, self.places) = (node, node.ledger, store, places)
        desk = SaveDesk(store.history)
        (bounds, patience, clock) = (configuration.bounds, configuration.leases, configuration.clock)
    }

    /// Watches, reads, exchanges and applies until the task is cancelled.
    public func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.crew.run() }
            group.addTask { await self.runPlaces() }
            for set in sets.values { begin(set) }
            // Starting takes much by itself.
            resting.worked()
            node.whenFound = { [weak self] peer in self?.sees(peer) }
            node.whenRightsChange = { [weak self] peer in self?.looksAgain(at: peer) }
            // Some may be where they were last, seen or not.
            for peer in Set(sets.values.flatMap(\.sharers)) { sees(peer) }
            let never = Resumption<Void>()
            // It ends when the task is cancelled, and only then.
            try? await never.valueUnlessCancelled()
            isEnding = true
            resting.cancel()
            for peer in peers.values { peer.hangUp() }
            group.cancelAll()
        }
        for set in sets.values {
            set.rest()
            await places.unwatch(set.id)
            // What it would have saved is found out by reading more at the next start.
            try? await desk.rest(set.place)
        }
        news.finish()
    }

    private func runPlaces() async {
        do {
            try await places.run()
        } catch {
            for set in sets.values { set.tell(trouble: error) }
        }
    }

    private func rest() {
        guard !isEnding else { return }
        crew.add {
            await self.store.rest()
            await self.desk.rest()
        }
    }

    func tell(_ news: SaveNews) {
        if self.news.count < Self.unreadLimit { self.news.add(news) }
    }

    // MARK: Sets

    /// A set is here from now on.
    @discardableResult
    func add(_ entry: SaveSetEntry, _ known: KeptSet.Known) async throws -> KeptSet {
        let place = try places.place(of: entry)
        let set = KeptSet(entry, at: place, known, self)
        sets[entry.id] = set
        do {
            try await desk.recover(place)
        } catch {
            // A folder that is not there, or can't be mended now, keeps no other set from its peers.
            set.tell(trouble: error)
        }
        return set
    }

    /// Lets a set's worker run, and watches its folder.
    func begin(_ set: KeptSet) {
        crew.add { [weak self] in
            guard let self else { return }
            // What is told too late, of a set or a program that is no more, is not heard.
            await self.places.watch(set.place, of: set.entry) { [weak self, id = set.id] event in
                Engine.loop.perform { @Sendable [weak self] in Engine.assumeIsolated { self?.hears(event, of: id) } }
            }
            // It may have been left, or put elsewhere, meanwhile.
            guard self.sets[set.id] === set else { return await self.places.unwatch(set.id) }
            await self.follow(set)
        }
    }

    private func hears(_ event: PlaceEvent, of set: SaveSetID) {
        guard !isEnding else { return }
        sets[set]?.hears(event)
    }

    private func follow(_ set: KeptSet) async {
        let task = Task(executorPreference: Engine.loop.taskExecutor) { await set.run() }
        following[set.id] = task
        await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        following[set.id] = nil
    }

    func forget(_ set: SaveSetID) { sets[set] = nil }

    /// A set is here no more.
    func remove(_ set: KeptSet) async {
        sets[set.id] = nil
        set.rest()
        await places.unwatch(set.id)
        let task = following[set.id]
        task?.cancel()
        await task?.value
    }

    /// The set that a person means.
    func set(_ id: SaveSetID) throws(SaveSyncError) -> KeptSet {
        guard let set = sets[id] else { throw .unknownSet(id.description) }
        return set
    }

    // MARK: Peers

    /// A peer is about. If a set is shared with it, a session is opened: at once by the one of the two whose id is smaller, a
    /// while later by the other where that has not come.
    public func sees(_ peer: PeerID) {
        guard shares(with: peer), !dialling.contains(peer) else { return }
        look(for: peer, after: Topology.waitBeforeDialling(from: node.id, to: peer))
    }

    /// Opens a session with a peer, unless there is one. Where one is being opened and that fails, it is tried once more: something has
    /// changed since it was begun.
    private func look(for peer: PeerID, after wait: Duration) {
        guard peers[peer] == nil else { return }
        guard dialling.insert(peer).inserted else {
            wantedAgain.insert(peer)
            return
        }
        crew.add {
            let session = await self.dial(peer, after: wait)
            self.dialling.remove(peer)
            let isWantedAgain = self.wantedAgain.remove(peer) != nil
            if let session {
                await self.follow(session, with: peer)
            } else if isWantedAgain {
                self.look(for: peer, after: wait)
            }
        }
    }

    private func shares(with peer: PeerID) -> Bool { sets.values.contains { $0.sharers.contains(peer) } }

    /// How long an invitation may take that no person answers, and how long to wait at least and at most before the next.
    private static let patience = (
        answer: Duration.seconds(5), relink: Duration.milliseconds(500), again: Duration.seconds(160)
    )

    /// How many connections may break before it is left to be seen anew.
    private static let mostBreaks = 10

    private func dial(_ peer: PeerID, after wait: Duration) async -> Session? {
        var (wait, breaks) = (wait, 0)
        while wait <= Self.patience.again, breaks < Self.mostBreaks {
            guard await mayExchange(with: peer) else { return nil }
            guard (try? await Engine.loop.sleep(for: wait)) != nil, peers[peer] == nil else { return nil }
            let session = node.session(
                SessionConfiguration(name: Self.sessionName, topology: .pair, invitesAgain: false)
            )
            do {
                try await node.invite(.peer(peer), to: session, context: Self.context, patience: Self.patience.answer)
                // Where the peer's own has come meanwhile, both sides decide by the same rule which of the two stays.
                return session
            } catch {
                session.leave()
                switch (error as? SessionError)?.reason {
                // Its own may have gone out while it got no answer here, and each waited for the other's.
                case .timedOut: wait = max(wait * 2, Self.patience.answer)
                // The connection broke just then, or another took its place; of that nobody tells who only sees it.
                case .lost, .replaced:
                    breaks += 1
                    wait = min(max(wait * 2, Self.patience.relink), Self.patience.answer)
                // Whoever can't be reached is tried again when it is seen again.
                default: return nil
                }
            }
        }
        return nil
    }

    /// Takes a session that a peer has opened to exchange sets, and returns when it is over.
    public func take(_ session: Session, from peer: PeerID) async {
        guard await mayExchange(with: peer) else {
            note(SaveRefusal(.notPermitted), by: peer, in: nil)
            return session.leave()
        }
        await follow(session, with: peer)
    }

    private func follow(_ session: Session, with peer: PeerID) async {
        if let other = peers[peer] {
            // Where each side has begun one, both keep that of the smaller id. Else the later takes the place of the earlier, which
            // the other side has forgotten or is about to.
            let stays = min(node.id, peer)
            guard session.host == stays || other.host != stays || !other.isThere else { return session.leave() }
            other.hangUp()
        }
        let new = SavePeer(peer, session, self)
        peers[peer] = new
        if !shares(with: peer), session.host == node.id { waitForOffer(from: new) }
        await new.run()
        guard peers[peer] === new else { return }
        peers[peer] = nil
        // Its program was started anew and knows nothing of the session.
        if new.wasForgotten { sees(peer) }
    }

    /// Ends a session that was opened because the peer might have something to offer, if it has nothing.
    private func waitForOffer(from peer: SavePeer) {
        crew.add {
            guard (try? await Engine.loop.sleep(for: self.bounds.firstOffer)) != nil, self.peers[peer.id] === peer,
                peer.offered.isEmpty, !self.shares(with: peer.id)
            else { return }
            peer.hangUp()
        }
    }

    /// A person may have changed what a peer may do: what it may no more ends at once, what it may now begins.
    private func looksAgain(at peer: PeerID) {
        let there = peers[peer]
        crew.add {
            guard await self.mayExchange(with: peer) else {
                self.welcome.remove(peer)
                if self.peers[peer] === there { there?.hangUp() }
                return
            }
            // While it was not welcome here, it could offer nothing.
            guard self.welcome.insert(peer).inserted || self.shares(with: peer) else { return }
            self.look(for: peer, after: Topology.waitBeforeDialling(from: self.node.id, to: peer))
        }
    }

    /// Whether policy lets a peer in without a question, and it may have part in save sets.
    private func mayExchange(with peer: PeerID) async -> Bool {
        guard let known = try? await ledger.peer(peer) else { return false }
        return known.policy == .accept && known.isPinned && known.permissions.contains(.saveSets)
    }

    private static let sessionName: Label = {
        guard let label = try? Label("saves") else { preconditionFailure("a word is a label") }
        return label
    }()

    // MARK: What peers say

    /// There is a session with a peer: it hears of the sets that it may have, and of no others.
    func meets(_ peer: SavePeer) {
        guard peers[peer.id] === peer else { return }
        for set in sets.values where set.sharers.contains(peer.id) { offer(set, to: peer) }
    }

    /// What it was asked for did not come, though it is there: both begin anew.
    func meetsAgain(_ peer: SavePeer) {
        meets(peer)
        for set in sets.values where set.parts[peer.id] != nil {
            set.parts(from: peer.id)
            set.meets(peer)
        }
    }

    func parts(from peer: SavePeer) {
        guard peers[peer.id] === peer else { return }
        for set in sets.values { set.parts(from: peer.id) }
    }

    func offer(_ set: KeptSet, to peer: SavePeer) {
        let entry = set.entry
        peer.send(
            .offer(
                SaveOffer(
                    set.id,
                    named: entry.name,
                    ignored: entry.scope.ignored,
                    chosen: entry.chosen,
                    rules: entry.rules,
                    fellows: set.sharers.subtracting([peer.id])
                )
            )
        )
        set.greetsAgain(peer)
    }

    /// A peer says that it has a set and that this machine may have it.
    func take(_ offer: SaveOffer, from peer: SavePeer) async {
        if let set = sets[offer.set], set.sharers.contains(peer.id) {
            await introduce(offer.fellows, to: set)
            if set.sharers.contains(peer.id), peer.isThere { set.meets(peer) }
            return
        }
        do {
            let isNews = try await ledger.noteOffer(offer, from: peer.id)
            if isNews { tell(SaveNews(set: offer.set, name: offer.name, event: .offered(peer.id))) }
        } catch {
            tell(SaveNews(set: offer.set, name: offer.name, event: .trouble(error)))
        }
    }

    /// Who has part in a set names others that have. Those that are friends here as well may have it from here, too.
    private func introduce(_ fellows: [PeerID], to set: KeptSet) async {
        var isChanged = false
        for fellow in fellows where fellow != node.id && !set.sharers.contains(fellow) {
            guard await mayExchange(with: fellow) else { continue }
            guard (try? await ledger.share(set.id, with: fellow)) != nil else { continue }
            isChanged = set.sharers.insert(fellow).inserted || isChanged
            if let there = peers[fellow], there.offered.contains(set.id) { set.meets(there) }
        }
        guard isChanged else { return }
        spread(set)
    }

    /// Tells everybody who may have a set that it is here, and looks for those who are not there. They can't know yet that they
    /// may, so nobody is waited for.
    func spread(_ set: KeptSet) {
        for sharer in set.sharers {
            if let peer = peers[sharer] { offer(set, to: peer) } else { look(for: sharer, after: .zero) }
        }
    }

    func takeWithdrawal(of set: SaveSetID, from peer: SavePeer) async {
        sets[set]?.parts(from: peer.id)
        try? await ledger.removeOffer(of: set, from: peer.id)
    }

    /// The set, if a peer has part in it.
    func part(of peer: SavePeer, in set: SaveSetID) -> KeptSet? {
        guard let kept = sets[set], kept.sharers.contains(peer.id), kept.parts[peer.id]?.peer === peer else {
            return nil
        }
        return kept
    }

    /// A peer speaks of a set that it has no part in. It gets no answer, whether there is such a set or not.
    func notPermitted(_ peer: SavePeer, _ set: SaveSetID) {
        // What was on its way while a set was left or taken back is no offence.
        guard sets[set]?.sharers.contains(peer.id) != true else { return }
        note(SaveRefusal(.notPermitted), by: peer.id, in: nil)
    }

    func isSilent(_ peer: SavePeer) {
        for set in sets.values where set.parts[peer.id] != nil { crew.add { await set.isSilent(peer) } }
    }

    /// A peer was caught at what no set can be blamed for: nothing more is taken from it in this session.
    func caught(_ peer: SavePeer, _ refusal: SaveRefusal, at set: SaveSetName?) {
        note(refusal, by: peer.id, in: set)
        for kept in sets.values where kept.parts[peer.id] != nil { kept.tell(.refused(peer.id, refusal)) }
        peer.hangUp()
    }

    func note(_ refusal: SaveRefusal, by peer: PeerID, in set: SaveSetName?) {
        var details = [AuditEntry.Detail("reason", refusal.code.description)]
        if let set { details.append(.init("set", set.description)) }
        crew.add { [ledger] in
            // A note that can't be written is told by whatever else can't be.
            try? await ledger.note("saves-refused", about: peer, details)
        }
    }
}
