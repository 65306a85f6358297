package import Control
package import Household
package import LinuxPlatform
package import SaveSync
import Session
import Vocabulary

/// The games of a household, for peers and for programs.
@Engine
package final class SaveService {
    let games: GameAccess
    private var autoJoin: AutoJoin?
    var foundSharing: FoundSharing?

    /// Call it before the household runs.
    ///
    /// - Parameter historyFolder: the folder of the versions, whose space is a metric
    package init(_ engine: SaveSyncEngine, in household: Household, historyIn historyFolder: String? = nil) {
        games = GameAccess(household: household, engine: engine, historyFolder: historyFolder)
        household.register(SaveTaking(engine: engine) { [weak self] in self?.lookAtOffers() })
        household.register(StateTaking(engine, household))
        household.whenWorked { [weak engine] in engine?.hasWorked() }
        household.count { [weak self] in await self?.metrics() ?? [] }
        household.listGames { [weak self] in await self?.states() ?? [] }
        joinVouching()
    }

    var household: Household { games.household }
    var engine: SaveSyncEngine { games.engine }
    var wording: SaveWording { games.wording }

    /// The requests about games.
    package var routes: [ControlRoute] {
        let parts: [any GameRoutes] = [
            SharingRoutes(games: games), JoinRoutes(games: games), VersionRoutes(games: games),
            ConflictRoutes(games: games), HistoryRoutes(games: games), PlayRoutes(games: games),
            PauseRoutes(games: games), ArchiveRoutes(games: games), StateRoutes(games: games),
        ]
        return parts.flatMap(\.table)
    }

    /// Joins games of the household by itself from now on. Call it before the household runs.
    package func joinsGames(of machine: any AutoJoin.LocalGames) {
        autoJoin = AutoJoin(machine)
    }

    /// Syncs games until the task is cancelled.
    package func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.tell() }
            if let autoJoin { group.addTask { await autoJoin.run(for: self.games) } }
            if let foundSharing { group.addTask { await foundSharing.run(for: self.games) } }
            await engine.run()
            group.cancelAll()
        }
    }

    private func lookAtOffers() {
        autoJoin?.wake()
        foundSharing?.wake()
    }

    private func tell() async {
        while let event = await engine.events.next() {
            if case .offered = event.change { lookAtOffers() }
            household.tell(await GameEventWording(household).line(event))
        }
    }
}

/// Accepts the sessions that peers open to sync games.
private struct SaveTaking: SessionHandler {
    let engine: SaveSyncEngine
    let isReached: @Engine @Sendable () -> Void

    var context: [UInt8] { SaveConfiguration.context }

    func take(_ session: Session, from peer: PeerID) async { await engine.connections.take(session, from: peer) }

    func reaches(_ peer: PeerID) {
        engine.connections.sees(peer)
        engine.connections.linkChanged()
        isReached()
    }

    func loses(_ peer: PeerID) { engine.connections.linkChanged() }
}
