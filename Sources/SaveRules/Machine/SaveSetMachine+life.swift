import Vocabulary

/// The life of a game on this machine, and its settings.
extension SaveSetMachine {
    mutating func handle(_ event: SaveSetEvent.Life) -> [SaveSetEffect] {
        switch event {
        case .changes:
            life = .changing
            return []
        case .changed:
            if life == .changing { life = .open }
            return [.work]
        case .folderChanged(let misplaced):
            problems.folderChanged(misplaced: misplaced)
            folder.folderChanged()
            play.folderChanged()
            return played([]) + (misplaced == nil ? [] : disconnectAll())
        case .paused(let new):
            let isOver = pause != nil && new == nil
            pause = new
            guard isOver else { return [] }
            // Versions that came in the pause are applied now.
            folder.retryApplying()
            return [.work] + search()
        case .ends:
            if life != .leaving, life != .left { life = .ending }
            return []
        case .leaves:
            life = .leaving
            return []
        case .left:
            life = .left
            return disconnectAll()
        }
    }

    private mutating func disconnectAll() -> [SaveSetEffect] {
        peers.online.keys.sorted().filter { peers.disconnect($0) }.map { .forgetWants($0) }
    }

    /// Cancels all downloads after this machine has stopped sharing the game.
    /// - Returns: the versions that were coming
    public mutating func cancelDownloads() -> [SnapshotID] { downloads.cancelAll() }
}
