/// The versions of a game.
extension SaveSetMachine {
    mutating func handle(_ event: SaveSetEvent.Versions) -> [SaveSetEffect] {
        switch event {
        case .stored(let next, let actions):
            heads = next
            return actions.flatMap { follow($0) } + (actions.isEmpty ? [] : [.work])
        case .notStored(let next, let made):
            heads.forgo(next)
            // After a restart it would otherwise be in conflict with the version that is saved next.
            uncommitted.formUnion(made)
        case .dropped: uncommitted = []
        case .restoring(let versions): restoring = versions
        case .incomplete(let versions): downloads.incomplete = versions
        }
        return []
    }

    private mutating func follow(_ action: VersionState.Action) -> [SaveSetEffect] {
        switch action {
        case .announce: return announce() + search()
        case .apply: folder.retryApplying()
        case .merge(let one, let other): folder.requestMerge(one, other)
        case .tellSplit(let ids): return [.tell(.conflict(ids))]
        case .tellWhole: return [.tell(.whole)]
        }
        return []
    }

    /// The versions that this machine made, that are stored in part, and that the history drops now.
    public mutating func versionsToDrop() -> [SnapshotID] {
        // This machine may have merged the same two versions again, which makes the same version.
        uncommitted.subtract(heads.held)
        return Array(uncommitted)
    }

    /// A version is about to be stored, and must not be dropped as one that was not. Answers whether it was to be dropped.
    public mutating func beginStoring(_ version: SnapshotID) -> Bool { uncommitted.remove(version) != nil }

    /// Retention drops versions. Answers those of them that were on their way.
    public mutating func discard(_ versions: [SnapshotID]) -> [SnapshotID] { downloads.discard(versions) }

    /// Retention is over.
    public mutating func endDiscarding() { downloads.endDiscarding() }
}
