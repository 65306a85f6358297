public import Vocabulary

/// The life of a game on this machine, and its settings.
extension SaveSetMachine {
    /// Changes of the game's life on this machine.
    public enum LifeEvent: Sendable {
        /// Its settings begin to change: nothing is done to the folder, and no game begins.
        case changes
        /// Its settings have changed, or could not.
        case changed
        /// The folder is another one, or nothing is known of it, as after a start.
        case folderChanged(misplaced: (any ExplainedError)?)
        /// The daemon ends.
        case ends
        /// This machine begins to stop sharing the game.
        case leaves
        /// This machine has stopped sharing the game: nothing is exchanged with any machine.
        case left
    }

    mutating func handle(_ event: LifeEvent) -> [Effect] {
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

    private mutating func disconnectAll() -> [Effect] {
        peers.online.keys.sorted().filter { peers.disconnect($0) }.map { .forgetWants($0) }
    }

    /// This machine has stopped sharing the game. Answers the versions that were on their way.
    public mutating func cancelDownloads() -> [SnapshotID] { downloads.cancelAll() }
}
