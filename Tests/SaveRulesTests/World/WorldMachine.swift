import SaveProperties
import SaveRules
import Vocabulary

/// One machine of a world, with the state that survives a restart and the state that does not.
struct WorldMachine {
    let id: PeerID
    /// The rules by which it merges; nil if it can't.
    let rules: String?
    private let seal: VersionSeal
    private var check = SaveProperties.check
    // The state that survives a restart:
    var heads: VersionState
    var pieces: Set<PieceID> = []
    /// The contents of the folder; nil if it is empty.
    var folder: [PieceReference]?
    /// The versions that each other machine last said it has.
    private var named: [PeerID: [SnapshotID]] = [:]
    // The state that a restart loses:
    private(set) var exchanges: [PeerID: Exchange] = [:]
    private var fetches: [SnapshotID: SnapshotFetch] = [:]
    private var offers: [PeerID: [SnapshotID]] = [:]
    private(set) var merges: [[SnapshotID]] = []
    private(set) var refusals: [SaveRefusal] = []
    /// The messages to send, in order.
    var outbox: [(to: PeerID, message: WorldMessage)] = []

    init(_ id: PeerID, rules: String?) {
        (self.id, self.rules) = (id, rules)
        seal = Sample.seal(of: id)
        heads = VersionState(own: id, graph: SnapshotGraph(Sample.celeste))
    }

    /// True if this machine knows of no work that is left.
    var isQuiet: Bool { merges.isEmpty && heads.pending == nil && outbox.isEmpty && folderIsCaptured }

    var folderIsCaptured: Bool { folder == heads.applied.flatMap { heads.graph[$0]?.manifest } }

    /// The facts from which the state of the game follows, as the daemon collects them.
    var facts: GameFacts {
        let newest: GameFacts.Newest =
            switch heads.state {
            case .split: .conflict
            case .behind, .merging: .arriving
            case .level, .empty:
                fetches.isEmpty && named.values.allSatisfy { heads.graph.covers(heads.heads, $0) }
                    ? folderIsCaptured ? .shown : .unread : .arriving
            }
        let sharers = named.keys.sorted().map { peer in
            let isOnline = exchanges[peer].map { $0.state != .apart } ?? false
            let holds = heads.graph.covers(named[peer] ?? [], heads.heads)
            return GameSharer(peer, isOnline: isOnline, holds ? .holdsNewest : .behind)
        }
        return GameFacts(folder: .usable, newest: newest, sharers: sharers)
    }

    // MARK: - Events

    mutating func restart(_ library: WorldLibrary) {
        (exchanges, fetches, offers, merges, outbox) = ([:], [:], [:], [], [])
        heads = VersionState(own: id, graph: heads.graph, held: heads.held, applied: heads.applied)
        perform(heads.resume(), library)
    }

    mutating func meets(_ peer: PeerID) {
        let announcement = heads.announcement
        perform(exchanges[peer, default: Exchange(Sample.celeste)].met(takesPart: true, heads: announcement), peer)
    }

    mutating func loses(_ peer: PeerID, _ library: WorldLibrary) {
        exchanges[peer]?.linkLost()
        offers[peer] = nil
        outbox.removeAll { $0.to == peer }
        for id in fetches.keys.sorted() { perform(fetches[id]?.lost(peer) ?? [], of: id, library) }
        refetch(library)
    }

    mutating func captures(at time: Int64, _ library: WorldLibrary) -> Snapshot? {
        guard let folder else { return nil }
        let made = heads.capture(folder, at: time, sealedBy: seal)
        pieces.formUnion((folder + library.contents(of: folder)).map(\.id))
        perform(made.actions, library)
        return made.snapshot
    }

    /// Applies the pending version, unless the folder has changed meanwhile.
    mutating func applies(_ library: WorldLibrary) {
        guard let pending = heads.pending, folderIsCaptured else { return }
        folder = heads.graph[pending]?.manifest
        perform(heads.applied(pending), library)
    }

    mutating func asksRules(_ library: inout WorldLibrary) -> Snapshot? {
        guard !merges.isEmpty else { return nil }
        let pair = merges.removeFirst()
        guard let rules, let one = heads.graph[pair[0]], let other = heads.graph[pair[1]] else {
            perform(heads.cannotMerge(pair[0], pair[1]), library)
            return nil
        }
        let texts = [one, other].flatMap { library.contents(of: $0.manifest) }.map(\.id.short).sorted()
        let shelved = library.shelve([rules + texts.joined()])
        pieces.formUnion((shelved.manifest + shelved.contents).map(\.id))
        let made = heads.merged(pair[0], pair[1], into: shelved.manifest, sealedBy: seal)
        perform(made.actions, library)
        return made.snapshot
    }

    mutating func decides(_ choice: ConflictChoice, at time: Int64, _ library: WorldLibrary) -> [Snapshot] {
        guard let made = try? heads.resolve(choice, at: time, sealedBy: seal) else { return [] }
        perform(made.actions, library)
        return made.snapshots
    }

    mutating func restores(_ old: SnapshotID, at time: Int64, _ library: WorldLibrary) -> [Snapshot] {
        guard let made = try? heads.restore(old, at: time, sealedBy: seal) else { return [] }
        perform(made.actions, library)
        return made.snapshots
    }

    /// Drops the pieces of a snapshot, as retention does, except those that other snapshots need.
    mutating func drops(_ old: SnapshotID, _ library: WorldLibrary) {
        guard heads.held.contains(old), !heads.protected.contains(old) else { return }
        heads.drop([old])
        let kept = heads.held.compactMap { heads.graph[$0]?.manifest }
        pieces.formIntersection(kept.flatMap { $0 + library.contents(of: $0) }.map(\.id))
        fetches = [:]
        refetch(library)
    }

    mutating func receives(_ message: WorldMessage, from peer: PeerID, _ library: WorldLibrary) {
        switch message {
        case .heads(let theirs):
            named[peer] = theirs.map(\.id)
            perform(exchanges[peer]?.received(theirs, heads.graph, own: heads.heads) ?? [], peer, library)
        case .ask(let request): perform(exchanges[peer]?.received(request) ?? [], peer, library)
        case .history(let encoded):
            let snapshots = encoded.compactMap { try? Snapshot(decoding: $0, checkedBy: &check) }
            precondition(snapshots.count == encoded.count, "honest machines send sound snapshots")
            perform(exchanges[peer]?.received(snapshots, heads.graph, own: heads.heads) ?? [], peer, library)
        case .wantPieces(let wanted):
            for piece in wanted {
                outbox.append((peer, pieces.contains(piece.id) ? .piece(piece) : .isWithout(piece.id)))
            }
        case .piece(let piece):
            pieces.insert(piece.id)
            for id in fetches.keys.sorted() where fetches[id]?.expects(piece.id, from: peer) == true {
                perform(fetches[id]?.received(piece.id, from: peer) ?? [], of: id, library)
            }
        case .isWithout(let piece):
            for id in fetches.keys.sorted() where fetches[id]?.expects(piece, from: peer) == true {
                perform(fetches[id]?.isWithout(piece, peer) ?? [], of: id, library)
            }
        }
    }

    // MARK: - Effects

    private mutating func perform(_ actions: [VersionState.Action], _ library: WorldLibrary) {
        for action in actions {
            switch action {
            case .announce:
                let announcement = heads.announcement
                for peer in exchanges.keys.sorted() { perform(exchanges[peer]?.changed(announcement) ?? [], peer) }
                refetch(library)
            case .merge(let one, let other): merges.append([one, other])
            case .apply, .tellSplit, .tellWhole: break
            }
        }
    }

    private mutating func perform(_ actions: [Exchange.Action], _ peer: PeerID, _ library: WorldLibrary? = nil) {
        for action in actions {
            switch action {
            case .sendHeads(let heads): outbox.append((peer, .heads(heads)))
            case .ask(let request): outbox.append((peer, .ask(request)))
            case .answer(let request):
                outbox.append((peer, .history(heads.graph.answer(to: request, limit: 3).map(\.encoded))))
            case .learn(let snapshots):
                do throws(SaveRefusal) { try heads.learn(snapshots) } catch {
                    perform(exchanges[peer]?.refuse(error) ?? [], peer)
                }
            case .offers(let ids):
                offers[peer] = ids
                if let library { refetch(library) }
            case .refuse(let refusal): refusals.append(refusal)
            }
        }
    }

    private mutating func perform(_ actions: [SnapshotFetch.Action], of id: SnapshotID, _ library: WorldLibrary) {
        for action in actions {
            switch action {
            case .ask(let peer, let wanted): outbox.append((peer, .wantPieces(wanted)))
            case .readManifest:
                let contents = library.contents(of: heads.graph[id]?.manifest ?? [])
                let missing = contents.filter { !pieces.contains($0.id) }
                perform(fetches[id]?.manifestRead(missing: missing) ?? [], of: id, library)
            case .complete:
                fetches[id] = nil
                perform(heads.hold(id), library)
            case .starved: break
            case .refuse(_, let refusal): refusals.append(refusal)
            }
        }
    }

    /// Fetches the offered versions that are still needed, and abandons all other fetches.
    private mutating func refetch(_ library: WorldLibrary) {
        let wanted = heads.missing(among: Set(offers.values.joined()).sorted())
        for id in fetches.keys where !wanted.contains(id) { fetches[id] = nil }
        for id in wanted {
            if fetches[id] == nil {
                let missing = (heads.graph[id]?.manifest ?? []).filter { !pieces.contains($0.id) }
                fetches[id] = SnapshotFetch(id, missing: missing)
                perform(fetches[id]?.begin() ?? [], of: id, library)
            }
            for peer in offers.keys.sorted() { perform(fetches[id]?.found(peer) ?? [], of: id, library) }
        }
    }
}
