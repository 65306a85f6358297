public import Vocabulary

/// The versions of one game on this machine: the heads, the version in the folder, and the effects when a version
/// arrives, the folder changes, or the user decides. `docs/machines/set-heads.md` has its table.
///
/// Normally there is one head and the folder shows it. Two heads are a conflict. Both stay on every machine that knows
/// them, until a version has both as ancestors. No clock decides.
///
/// After a start, create it from what is stored and call ``resume()``.
public struct VersionState: Sendable {
    /// The states of a game's versions.
    public enum State: String, CaseIterable, Hashable, Sendable {
        /// No version was ever captured or received.
        case empty
        /// There is one head, and the folder shows it.
        case level
        /// There is one head, and the folder shows an older version or none yet.
        case behind
        /// There are several heads, and the rules of the game are to merge them.
        case merging
        /// There are several heads, and the user must choose.
        case split
    }

    /// Effects, which the caller carries out in order.
    public enum Action: Hashable, Sendable {
        /// Tell the machines that share the game which heads there are now.
        case announce([SnapshotID])
        /// Apply this version as soon as no game runs, then call ``VersionState/applied(_:)``. If the folder turns out
        /// to have changed, capture it instead.
        case apply(SnapshotID)
        /// Merge these two by the rules of the game, then call ``VersionState/merged(_:_:into:sealedBy:)`` or
        /// ``VersionState/cannotMerge(_:_:)``.
        case merge(SnapshotID, SnapshotID)
        /// Tell the user that these are in conflict.
        case tellSplit([SnapshotID])
        /// Tell the user that the conflict is over.
        case tellWhole
    }

    /// The largest number of sides among which the rules may merge. It is more than a household has, but a peer can
    /// make sides without end.
    private static let mostSides = 16

    /// This machine.
    public let own: PeerID
    /// All known versions.
    public internal(set) var graph: SnapshotGraph
    /// The versions whose content is stored here as a whole.
    public internal(set) var held: Set<SnapshotID>
    /// The heads among the stored versions, by ascending id.
    public internal(set) var heads: [SnapshotID]
    /// The version that the folder shows; nil before the first.
    public internal(set) var applied: SnapshotID?
    /// The highest counter that this machine is known to have used for the game.
    public internal(set) var usedCounter: UInt64
    var unmergeable: Set<[SnapshotID]> = []
    /// True if the user heard of a conflict that is not over.
    var hasReportedSplit = false

    /// - Parameters:
    ///   - own: this machine
    ///   - graph: all known versions
    ///   - held: the versions whose content is stored here as a whole
    ///   - heads: the heads among them, if those were stored; nil to find them by reading all
    ///   - applied: the version that the folder shows
    ///   - usedCounter: the last stored value of ``usedCounter``
    public init(
        own: PeerID,
        graph: SnapshotGraph,
        held: Set<SnapshotID> = [],
        heads: [SnapshotID]? = nil,
        applied: SnapshotID? = nil,
        usedCounter: UInt64 = 0
    ) {
        self.own = own
        self.graph = graph
        self.held = heads == nil ? held.filter { graph[$0] != nil } : held
        self.applied = applied.flatMap { graph[$0]?.id }
        self.usedCounter = max(usedCounter, graph.freshCounter(of: own))
        self.heads = heads ?? graph.heads(among: self.held.sorted())
    }

    /// Notes that the source of the graph stores all new versions now.
    public mutating func noteKept() { graph.noteKept() }

    /// The state, as it follows from the heads.
    public var state: State {
        switch heads.count {
        case 0: .empty
        case 1: heads[0] == applied ? .level : .behind
        case _: nextMerge == nil ? .split : .merging
        }
    }

    /// The version that must be applied to the folder: the only head, or in a conflict the newest version of this
    /// machine's own side if that side went on elsewhere.
    ///
    /// Nil if the folder shows the right version, or if only the user can decide. An older version never replaces the
    /// one in the folder, even if the newest is damaged here.
    public var pending: SnapshotID? {
        if heads.count == 1 {
            guard let applied else { return heads[0] }
            return applied != heads[0] && graph.holds(heads[0], applied) ? heads[0] : nil
        }
        guard let applied, !heads.contains(applied) else { return nil }
        let following = heads.filter { graph.holds($0, applied) }
        return following.count == 1 ? following[0] : nil
    }

    /// The versions that retention never drops: the heads, with all sides of a conflict, and the version in the folder.
    public var protected: Set<SnapshotID> { Set(heads).union(applied.map { [$0] } ?? []) }

    /// The heads in the form that peers receive.
    public var announcement: [SnapshotHead] {
        heads.prefix(SnapshotHead.maximumCount).compactMap { id in
            graph[id].map { SnapshotHead(id, $0.version) }
        }
    }

    /// The two heads that the rules are to merge next; nil if there are none.
    public var nextMerge: [SnapshotID]? {
        let sides = heads.prefix(Self.mostSides)
        for (place, one) in sides.enumerated() {
            for other in sides[(place + 1)...] where !unmergeable.contains([one, other]) { return [one, other] }
        }
        return nil
    }

    /// Returns the actions after a start.
    public mutating func resume() -> [Action] {
        var actions: [Action] = heads.isEmpty ? [] : [.announce(heads)]
        actions += standing()
        return actions
    }

    /// Makes a change and returns the actions that follow from it.
    mutating func changing(_ change: (inout VersionState) -> Void) -> [Action] {
        let (headsBefore, pendingBefore, mergeBefore) = (heads, pending, nextMerge)
        change(&self)
        adopt()
        unmergeable = unmergeable.filter { $0.allSatisfy(heads.contains) }
        var actions: [Action] = []
        if heads != headsBefore { actions.append(.announce(heads)) }
        let following = standing()
        actions += following.filter { action in
            switch action {
            case .apply(let id): id != pendingBefore
            case .merge(let one, let other): [one, other] != mergeBefore
            case .tellSplit: heads != headsBefore || mergeBefore != nil
            case .announce, .tellWhole: true
            }
        }
        return actions
    }

    private mutating func standing() -> [Action] {
        var actions: [Action] = []
        if heads.count < 2, hasReportedSplit {
            hasReportedSplit = false
            actions.append(.tellWhole)
        }
        if let pending { actions.append(.apply(pending)) }
        if let pair = nextMerge {
            actions.append(.merge(pair[0], pair[1]))
        } else if heads.count > 1 {
            hasReportedSplit = true
            actions.append(.tellSplit(heads))
        }
        return actions
    }

    /// Notes another version as shown if the folder already has its content. Then nothing must be applied.
    private mutating func adopt() {
        guard let next = pending, let applied, let wanted = graph[next], let shown = graph[applied] else { return }
        if wanted.manifest == shown.manifest { self.applied = next }
    }

    /// Returns the counter of a machine in the newest versions; 0 if it has saved none of them.
    func counter(of peer: PeerID) -> UInt64 { heads.reduce(0) { max($0, graph[$1]?.version[peer] ?? 0) } }

    /// A head whose content is stored here as a whole; nil if there is none.
    public var newestHeld: Snapshot? { heads.first(where: held.contains).flatMap { graph[$0] } }

    /// Returns the stored versions that may share most content with one that comes: itself if it is being repaired, the
    /// one that the folder shows, and the heads.
    public func relatives(of version: SnapshotID) -> [Snapshot] {
        ([version, applied].compactMap { $0 } + heads).filter(held.contains).compactMap { graph[$0] }
    }
}
