import Control
package import Household
package import LinuxPlatform
package import SaveSync
import Session
import Vocabulary

/// The games of a household, for peers and for programs.
@Engine
package final class SaveService {
    let household: Household
    let keeper: SaveSyncEngine
    let historyFolder: String?
    private var autoJoin: AutoJoin?

    /// Call it before the household runs.
    ///
    /// - Parameter historyFolder: the folder of the versions, whose space is a metric
    package init(_ keeper: SaveSyncEngine, in household: Household, historyIn historyFolder: String? = nil) {
        (self.keeper, self.household, self.historyFolder) = (keeper, household, historyFolder)
        household.register(SaveTaking(keeper: keeper) { [weak self] in self?.autoJoin?.wake() })
        household.register(StateTaking(keeper, household))
        household.whenWorked { [weak keeper] in keeper?.hasWorked() }
        household.count { [weak self] in await self?.metrics() ?? [] }
        household.listGames { [weak self] in await self?.states() ?? [] }
        joinVouching()
    }

    /// Joins games of the household by itself from now on. Call it before the household runs.
    package func joinsGames(of machine: any AutoJoin.LocalGames) {
        autoJoin = AutoJoin(machine)
    }

    /// Syncs games until the task is cancelled.
    package func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.tell() }
            if let autoJoin { group.addTask { await autoJoin.run(for: self) } }
            await keeper.run()
            group.cancelAll()
        }
    }

    private func tell() async {
        while let news = await keeper.news.next() {
            if case .offered = news.event { autoJoin?.wake() }
            household.tell(await SaveWording(household).news(news))
        }
    }
}

/// Accepts the sessions that peers open to sync games.
private struct SaveTaking: SessionTaker {
    let keeper: SaveSyncEngine
    let isReached: @Engine @Sendable () -> Void

    var context: [UInt8] { SaveConfiguration.context }

    func take(_ session: Session, from peer: PeerID) async { await keeper.connections.take(session, from: peer) }

    func reaches(_ peer: PeerID) {
        keeper.connections.sees(peer)
        isReached()
    }
}
