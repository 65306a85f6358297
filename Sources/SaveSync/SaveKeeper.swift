import Digests
package import History
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
    /// Work on a set's folder goes by way of ``atDesk(for:_:)``.
    let desk: SaveDesk
    /// The sets whose folders are worked on or are to be, in that order.
    var waiting: [DeskWork] = []
    var lastWork = 0
    let historyPath: String
    let care: HistoryCare
    let reader: VersionReader
    let places: any SavePlaces
    let bounds: SaveBounds
    let patience: LeasePatience
    /// As each was found when the program began, so that their disks are asked again only where that matters.
    private(set) var reserved: [ReservedPlace]
    let refusal: @Sendable (SaveSetEntry, [ReservedPlace]) -> SaveSyncError?
    private let look: @Sendable (ReservedPlace) -> ReservedPlace
    let clock: @Sendable () -> Int64
    let crew = Crew()
    private(set) var sets: [SaveSetID: KeptSet] = [:]
    var peers: [PeerID: SavePeer] = [:]
    var dialling: Set<PeerID> = []
    var wantedAgain: Set<PeerID> = []
    /// Who may have part in sets, as far as was looked since the start.
    var welcome: Set<PeerID> = []
    /// Those who have part in a set, and were blocked or forgotten here: nobody else is told of them.
    var barred: Set<PeerID> = []
    /// Settings are changed one after the other.
    let changing = Turn()
    /// What is about to be a set, and is none yet.
    var entering: [SaveSetID: SaveSetEntry] = [:]
    /// How many wait for the lease of a set.
    var takers: [SaveSetID: Int] = [:]
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
        /// What no set may have in it.
        public var reserved: [ReservedPlace] = []
        /// How the history changes what is on the disk.
        package var storeCalls = StoreCalls.kernel
        /// Why a set can't lie where it is to lie. Waits for the disk.
        var refusal: @Sendable (SaveSetEntry, [ReservedPlace]) -> SaveSyncError? = ReservedPlace.refusal
        /// Finds out where one of those places is. Waits for the disk.
        var look: @Sendable (ReservedPlace) -> ReservedPlace = { $0.resolved }
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
        let store = try await SaveStore.open(at: configuration.history, by: configuration.storeCalls)
        let keeper = SaveKeeper(configuration, node, store, places)
        do {
            try await keeper.load()
            for peer in Set(keeper.sets.values.flatMap(\.sharers)) { await keeper.bar(peer) }
        } catch {
            keeper.letGo()
            throw error
        }
        return keeper
    }

    private init(_ configuration: Configuration, _ node: Node, _ store: SaveStore, _ places: any SavePlaces) {
        (self.node, ledger, self.store, self.places) = (node, node.ledger, store, places)
        (desk, care, reader) = (
            SaveDesk(store.history), HistoryCare(store.history), VersionReader(history: store.history)
        )
        (reserved, refusal, look) = (configuration.reserved, configuration.refusal, configuration.look)
        historyPath = configuration.history
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
            node.whenAnyRightsChange = { [weak self] in self?.looksAgainAtSharers() }
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
        letGo()
        news.finish()
    }

    /// Of all that holds this.
    private func letGo() { (sets, peers) = ([:], [:]) }

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

    /// Finds where what no set may have in it is; a disk that gives no answer, as one of an inbox elsewhere, holds up no set.
    func findReserved() async throws {
        let questions = reserved.map { [look] place in (place, DiskQuestion { look(place) }) }
        let patience = ContinuousClock.now + bounds.diskSilence
        var found: [ReservedPlace] = []
        for (place, question) in questions { found.append(try await question.answer(by: patience) ?? place.unresolved) }
        reserved = found
    }

    /// What was found wrong with the history when it was opened.
    public var historyDamage: [any ExplainedError] {
        let lost = store.history.lostSnapshots.count
        return (store.history.setAside.map { [SaveSyncError.historySetAside(at: $0)] } ?? [])
            + (lost > 0 ? [SaveSyncError.versionsLost(lost)] : [])
    }

    func tell(_ news: SaveNews) {
        if self.news.count < Self.unreadLimit { self.news.add(news) }
    }

    // MARK: Sets

    /// A set is here from now on.
    @discardableResult
    func add(
        _ entry: SaveSetEntry,
        _ known: KeptSet.Known,
        insteadOf before: KeptSet? = nil
    ) async throws -> KeptSet {
        // Nobody would let go of it.
        guard !isEnding else { throw CancellationError() }
        let place = try places.place(of: entry)
        let set = KeptSet(entry, at: place, known, self)
        sets[entry.id] = set
        if let before {
            set.isMovingIn = true
            set.takeOver(before)
        }
        guard set.misplaced == nil else { return set }
        do {
            _ = try await atDesk(for: entry.id) { try await $0.recover(place) }
        } catch {
            // A folder that is not there, or can't be mended now, keeps no other set from its peers.
            set.tell(trouble: error, in: \.reading)
        }
        await set.resumeFetching()
        return set
    }

    /// Lets a set's worker run, and watches its folder.
    func begin(_ set: KeptSet) {
        crew.add { [weak self] in
            guard let self else { return }
            guard set.misplaced == nil else { return await self.follow(set) }
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

    /// A set is here no more, or not as it was.
    func stop(_ set: KeptSet) async {
        set.rest()
        await places.unwatch(set.id)
        let task = following[set.id]
        task?.cancel()
        await task?.value
    }

    /// Does something with a set while nothing else is done to its folder, with the settings that it has by then.
    func alone<Value>(_ id: SaveSetID, _ body: @Engine (KeptSet) async throws -> Value) async throws -> Value {
        while true {
            let set = try await present(id)
            let done: Value? = try await set.work.alone {
                guard sets[id] === set, !set.isRetired else { return nil }
                return try await body(set)
            }
            if let done { return done }
        }
    }

    /// The set that a person means, once its settings are not being changed.
    func present(_ id: SaveSetID) async throws(SaveSyncError) -> KeptSet {
        await untilChanged(id)
        return try set(id)
    }

    private func untilChanged(_ id: SaveSetID) async {
        while let set = sets[id], set.isRetired || set.isMovingIn { await changing.alone {} }
    }

    /// The set that a person means.
    func set(_ id: SaveSetID) throws(SaveSyncError) -> KeptSet {
        guard let set = sets[id] else { throw .unknownSet(id.description) }
        return set
    }

    // MARK: What peers say

    /// There is a session with a peer: it hears of the sets that it may have, and of no others.
    func meets(_ peer: SavePeer) {
        guard peers[peer.id] === peer else { return }
        let shared = sets.values.filter { $0.sharers.contains(peer.id) }.sorted { $0.entry.name < $1.entry.name }
        for set in shared { offer(set, to: peer) }
        // It may have been away when that was said.
        for set in sets.values where set.withdrawn.contains(peer.id) { peer.withdraw(set.id) }
    }

    /// What it was asked for did not come, though it is there: both begin anew.
    func meetsAgain(_ peer: SavePeer) {
        meets(peer)
        for set in sets.values where set.parts[peer.id] != nil {
            set.parts(from: peer.id)
            set.meets(peer)
        }
    }

    /// A peer is back that may not have been away for itself: what it has offered in this session, and not taken back, is still offered.
    func meetsWhatWasOffered(by peer: SavePeer) {
        for set in sets.values where peer.offered.contains(set.id) && set.sharers.contains(peer.id) && !set.isRetired {
            set.meets(peer)
        }
    }

    func parts(from peer: SavePeer) {
        guard peers[peer.id] === peer else { return }
        for set in sets.values { set.parts(from: peer.id) }
    }

    func offer(_ set: KeptSet, to peer: SavePeer) {
        let offer = offer(of: set.entry, to: set.sharers.subtracting(barred).subtracting([peer.id]))
        if peer.offer(offer) { set.greetsAgain(peer) }
    }

    /// A peer says that it has a set and that this machine may have it.
    func take(_ offer: SaveOffer, from peer: SavePeer) async {
        resting.worked()
        await untilChanged(offer.set)
        if let set = sets[offer.set], set.sharers.contains(peer.id) {
            set.parted.remove(peer.id)
            await introduce(offer.fellows, to: set)
            if let set = sets[offer.set], set.sharers.contains(peer.id), peer.isThere { set.meets(peer) }
            return
        }
        guard sets[offer.set]?.misplaced == nil else { return }
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
            guard await mayExchange(with: fellow), sets[set.id]?.withdrawn.contains(fellow) == false else { continue }
            guard (try? await ledger.share(set.id, with: fellow)) != nil else { continue }
            // Its settings may have changed meanwhile, or a person have taken it back.
            guard let set = sets[set.id] else { return }
            guard !set.withdrawn.contains(fellow) else {
                try? await ledger.share(set.id, with: fellow, false)
                continue
            }
            isChanged = set.sharers.insert(fellow).inserted || isChanged
            if let there = peers[fellow], there.offered.contains(set.id) { set.meets(there) }
        }
        guard isChanged, let set = sets[set.id] else { return }
        spread(set)
    }

    /// Tells everybody who may have a set that it is here, and looks for those who are not there. They can't know yet that they
    /// may, so nobody is waited for.
    func spread(_ set: KeptSet) {
        for sharer in set.sharers {
            if let peer = peers[sharer], !peer.isEnding {
                offer(set, to: peer)
            } else {
                look(for: sharer, after: .zero)
            }
        }
    }

    func takeWithdrawal(of set: SaveSetID, from peer: SavePeer) async {
        sets[set]?.parts(from: peer.id)
        sets[set]?.parted.insert(peer.id)
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

    /// Whether a peer was asked for history and has not answered.
    func awaitsHistory(from peer: SavePeer) -> Bool {
        sets.values.contains { $0.parts[peer.id]?.isAsked == true }
    }

    func isSilent(_ peer: SavePeer) {
        for set in sets.values where set.parts[peer.id] != nil { set.isSilent(peer) }
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
        node.note("saves-refused", about: peer, details)
    }
}
