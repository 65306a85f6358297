import LinuxPlatform
import SaveRules
import Session
import Vocabulary

/// Reports each change of the facts from which the status of a game follows. Without it, a command or a page would have
/// to ask again and again.
@Engine
final class StatusChanges {
    private let services: SaveServices
    private let games: GameRegistry
    private let heldOff: @Engine () -> [PeerID: SyncObstacle]
    /// The facts at the last look.
    private var seen: [SaveSetID: GameFacts] = [:]
    /// The games whose facts may have changed since.
    private var waiting: Set<SaveSetID> = []

    /// - Parameter heldOff: the obstacle to saves on the side of each machine
    init(_ services: SaveServices, _ games: GameRegistry, heldOff: @escaping @Engine () -> [PeerID: SyncObstacle]) {
        (self.services, self.games, self.heldOff) = (services, games, heldOff)
    }

    /// Notes that the facts of a game may have changed. A game is looked at once for all changes of one moment.
    func note(_ set: SaveSetID) {
        if waiting.isEmpty { services.tasks.add { [weak self] in self?.look() } }
        waiting.insert(set)
    }

    /// Notes that the facts of all games may have changed, since they depend on a machine.
    func noteAll() { for set in games.ids { note(set) } }

    private func look() {
        let heldOff = heldOff()
        // In order, so that a simulation has the same events each time.
        for set in waiting.sorted(by: { $0.words < $1.words }) {
            guard let game = games[set], game.machine.isShared else {
                seen[set] = nil
                continue
            }
            let facts = game.facts(heldOff: heldOff)
            // The first facts are those that a reader finds when it begins to read.
            if let before = seen.updateValue(facts, forKey: set), before != facts { game.tell(.status(facts.status)) }
        }
        waiting = []
    }
}
