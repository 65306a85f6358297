public import Vocabulary

/// The versions of one save set on this machine: its newest snapshots, which of them the folder shows, and what follows when
/// another arrives, the folder changes, or a person decides. `docs/machines/set-heads.md` has its table.
///
/// Normally there is one head and the folder shows it. Two heads are a conflict: both stay whole, on every machine that
/// knows them, until a snapshot follows that has both as its ancestors. No clock is asked.
///
/// After a start, build it from what is kept and call ``resume()``.
public struct VersionState: Sendable {
    /// The state.
    public enum State: String, CaseIterable, Hashable, Sendable {
        /// Nothing was ever captured or received.
        case empty
        /// There is one head, and the folder shows it.
        case level
        /// There is one head, and the folder shows something older, or nothing yet.
        case behind
        /// There are several heads, and the set's rules are asked whether they can be merged.
        case merging
        /// There are several heads, and a person has to choose.
        case split
    }

    /// Effects, which the caller carries out in order.
    public enum Action: Hashable, Sendable {
        /// Tell the peers that take part which heads there are now.
        case announce([SnapshotID])
        /// Make the folder hold this, as soon as no game runs; then call ``VersionState/applied(_:)``. If the folder turns out
        /// to have changed, capture it instead.
        case apply(SnapshotID)
        /// Ask the set's rules to merge these two; then call ``VersionState/merged(_:_:into:sealedBy:)`` or
        /// ``VersionState/cannotMerge(_:_:)``.
        case merge(SnapshotID, SnapshotID)
        /// Tell that there is a conflict of these.
        case tellSplit([SnapshotID])
        /// Tell that the conflict is over.
        case tellWhole
    }

    /// Among how many sides it is tried which can be merged: more than a household has, and what a peer can make without end.
    private static let mostSides = 16

    /// This machine.
    public let own: PeerID
    /// All snapshots that are known.
    public internal(set) var graph: SnapshotGraph
    /// The snapshots whose contents are all here.
    public internal(set) var held: Set<SnapshotID>
    /// The newest of those, by ascending name.
    public internal(set) var heads: [SnapshotID]
    /// The version that the folder shows; nil before the first.
    public internal(set) var applied: SnapshotID?
    /// The highest number that this machine has used for the set, as far as anybody remembers.
    public internal(set) var usedCounter: UInt64
    var unmergeable: Set<[SnapshotID]> = []
    /// True if a person was told of a conflict that is not over.
    var hasToldSplit = false

    /// - Parameters:
    ///   - own: who we are
    ///   - graph: all snapshots that are known
    ///   - held: the snapshots whose contents are all here
    ///   - heads: the newest of those, if that was kept; nil if it is to be found out by looking at all of them
    ///   - applied: what the folder shows
    ///   - usedCounter: what ``usedCounter`` was when it was last kept
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

    /// All that was taken in is kept where the graph is read from.
    public mutating func noteKept() { graph.noteKept() }

    /// The state.
    public var state: State {
        switch heads.count {
        case 0: .empty
        case 1: heads[0] == applied ? .level : .behind
        case _: nextMerge == nil ? .split : .merging
        }
    }

    /// The version that the folder should show and does not: the one head, or in a conflict in which this machine's own side went on
    /// elsewhere, the newest of that side. Nil if it shows the right version, or if only the user can decide. A version in the folder is never
    /// followed by an older one, also if the newest is damaged here.
    public var pending: SnapshotID? {
        if heads.count == 1 {
            guard let applied else { return heads[0] }
            return applied != heads[0] && graph.holds(heads[0], applied) ? heads[0] : nil
        }
        guard let applied, !heads.contains(applied) else { return nil }
        let following = heads.filter { graph.holds($0, applied) }
        return following.count == 1 ? following[0] : nil
    }

    /// The versions that retention never drops: the heads, and with them every side of a conflict, and the version in the folder.
    public var protected: Set<SnapshotID> { Set(heads).union(applied.map { [$0] } ?? []) }

    /// The heads as peers hear of them.
    public var announcement: [SnapshotHead] {
        heads.prefix(SnapshotHead.maximumCount).compactMap { id in
            graph[id].map { SnapshotHead(id, $0.version) }
        }
    }

    /// The two heads that the rules are to be asked about next.
    public var nextMerge: [SnapshotID]? {
        let sides = heads.prefix(Self.mostSides)
        for (place, one) in sides.enumerated() {
            for other in sides[(place + 1)...] where !unmergeable.contains([one, other]) { return [one, other] }
        }
        return nil
    }

    /// The actions after a start.
    public mutating func resume() -> [Action] {
        var actions: [Action] = heads.isEmpty ? [] : [.announce(heads)]
        actions += standing()
        return actions
    }

    /// Changes something, and says what follows.
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
        if heads.count < 2, hasToldSplit {
            hasToldSplit = false
            actions.append(.tellWhole)
        }
        if let pending { actions.append(.apply(pending)) }
        if let pair = nextMerge {
            actions.append(.merge(pair[0], pair[1]))
        } else if heads.count > 1 {
            hasToldSplit = true
            actions.append(.tellSplit(heads))
        }
        return actions
    }

    /// If the folder already has the right contents under another snapshot's name, nothing is done to it.
    private mutating func adopt() {
        guard let next = pending, let applied, let wanted = graph[next], let shown = graph[applied] else { return }
        if wanted.manifest == shown.manifest { self.applied = next }
    }

    /// A newest version that is here whole.
    public var newestHeld: Snapshot? { heads.first(where: held.contains).flatMap { graph[$0] } }

    /// The versions here that may have most in common with one that comes: itself if it is repaired, the one that the
    /// folder shows, and the newest.
    public func relatives(of version: SnapshotID) -> [Snapshot] {
        ([version, applied].compactMap { $0 } + heads).filter(held.contains).compactMap { graph[$0] }
    }
}
