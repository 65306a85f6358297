import Control
package import Household
package import LinuxPlatform
package import SaveSync
import Session
import Vocabulary

/// The save sets of a household: what peers and programs have to do with them.
@Engine
package final class SaveService {
    let household: Household
    let keeper: SaveKeeper
    let historyFolder: String?

    /// Before the household runs.
    ///
    /// - Parameter historyFolder: where the versions are, so that it can be said what they take
    package init(_ keeper: SaveKeeper, in household: Household, historyIn historyFolder: String? = nil) {
        (self.keeper, self.household, self.historyFolder) = (keeper, household, historyFolder)
        household.register(SaveTaking(keeper: keeper))
        household.register(StateTaking(keeper, household))
        household.whenWorked { [weak keeper] in keeper?.hasWorked() }
        household.count { [weak self] in await self?.metrics() ?? [] }
    }

    /// Keeps sets in step until the task is cancelled.
    package func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.tell() }
            await keeper.run()
            group.cancelAll()
        }
    }

    private func tell() async {
        while let news = await keeper.news.next() {
            household.tell(await SaveWording(household).news(news))
        }
    }
}

/// Takes the sessions that peers open to exchange sets.
private struct SaveTaking: SessionTaker {
    let keeper: SaveKeeper

    var context: [UInt8] { SaveKeeper.context }

    func take(_ session: Session, from peer: PeerID) async { await keeper.take(session, from: peer) }

    func reaches(_ peer: PeerID) { keeper.sees(peer) }
}
