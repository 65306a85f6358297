public import History
public import LinuxPlatform
import Ledger
import SaveRules

/// The care for the history of all games: its size, its damage, and the versions that need not stay.
@Engine
public final class HistoryUpkeep {
    private let services: SaveServices
    private let games: GameRegistry

    init(_ services: SaveServices, _ games: GameRegistry) { (self.services, self.games) = (services, games) }

    /// The space that the history takes on the disk.
    public func usage() async throws -> HistoryUsage { try await services.maintenance.usage() }

    /// Reads the whole history, and reports damage.
    /// - Parameter repairing: true to discard damaged data, so that it can be fetched again
    public func check(repairing: Bool = false) async throws -> HistoryCheck {
        let check = try await services.maintenance.check(repairing: repairing)
        guard repairing else { return check }
        let touched = check.touched.map(\.snapshot)
        // This needs no folder, so it comes first: a disk that gives no answer keeps no other game from it.
        for id in games.ids { await games[id]?.repair.noteIncomplete(touched) }
        await games.withEach { await $0.repair.keepAgain(touched) }
        return check
    }

    /// The number of versions that lost data which no folder and no other machine has given back so far.
    public var incompleteCount: Int { games.all.reduce(0) { $0 + $1.machine.downloads.incomplete.count } }

    /// Drops versions that need not stay, and frees their space.
    /// - Parameter left: true to drop also the versions of games that this machine no longer shares
    @discardableResult
    public func cleanUp(alsoLeft left: Bool = false) async throws -> GarbageReport {
        if left { try await games.changing.alone { try await dropLeft() } }
        // A game that is left meanwhile has nothing to drop.
        await games.withEach { set in _ = try? await set.set.alone { await set.pruner.dropOld() } }
        return try await services.maintenance.collect()
    }

    private func dropLeft() async throws {
        let own = services.node.id
        let noted = try await services.ledger.sharing.leftSets(by: own)
        // If leaving a game could not be noted in the ledger, the game is not one of this machine either.
        for set in try await services.store.sets().union(noted).subtracting(try await services.ledger.saveSets.ids()) {
            // A user may be joining it in this moment.
            guard games[set] == nil, games.entering[set] == nil else { continue }
            try await services.store.drop(allOf: set)
            try await services.ledger.sharing.forgetLeft(set, by: own)
        }
    }
}
