/// The versions of a game.
extension SaveSetMachine {
    mutating func handle(_ event: SaveSetEvent.Versions) -> [SaveSetEffect] {
        switch event {
        case .stored(let next, let actions):
            heads = next
            return actions.flatMap { follow($0) } + (actions.isEmpty ? [] : [.work])
        case .notStored(let next, let made):
            heads.forgo(next)
            // Otherwise, after a restart, these versions would be in conflict with the next save.
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

    /// Returns the versions that this machine made and stored in part. The history drops them now.
    public mutating func versionsToDrop() -> [SnapshotID] {
        // This machine may have merged the same two versions again, which makes the same version.
        uncommitted.subtract(heads.held)
        return Array(uncommitted)
    }

    /// Notes that a version is about to be stored, so that it is not dropped as incomplete.
    /// - Returns: true if it was to be dropped
    public mutating func beginStoring(_ version: SnapshotID) -> Bool { uncommitted.remove(version) != nil }

    /// Notes that retention drops versions.
    /// - Returns: the versions among them that were coming
    public mutating func discard(_ versions: [SnapshotID]) -> [SnapshotID] { downloads.discard(versions) }

    /// Notes that retention is over.
    public mutating func endDiscarding() { downloads.endDiscarding() }
}
