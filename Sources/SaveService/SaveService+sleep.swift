import Household
import Ledger
import LinuxPlatform
import SaveRules
import SaveSync
import Vocabulary

/// The last seconds before the machine sleeps or switches off.
extension SaveService {
    /// The pause between two looks. Another machine reports that it holds a version, which is no event of its own here.
    private static let lookPause = Duration.milliseconds(50)

    /// Reads the folders of games that a machine online shares, and waits until those machines hold the newest saves. If the
    /// time is up before, it tells which games are not out.
    package func sendAll(within limit: Duration) async {
        do {
            try await EventLoop.shared.withDeadline(limit, "sleep") { try await self.sendAll() }
        } catch {
            for report in unsent() { household.tell(await wording.notSent(report)) }
        }
    }

    private func sendAll() async throws {
        for report in keeper.reports() where !report.present.isEmpty {
            // A game that saved a moment ago has not settled yet, and its state does not show that. A folder that can't be
            // read has a state that says so.
            try? await keeper.read(report.entry.id)
        }
        while !unsent().isEmpty { try await Engine.loop.sleep(for: Self.lookPause) }
    }

    private func unsent() -> [SaveKeeper.Report] { keeper.reports().filter { $0.facts.status == .sending } }
}

extension SaveWording {
    fileprivate func notSent(_ report: SaveKeeper.Report) async -> SessionNews {
        let machines = await names(report.facts.behind.filter(\.isOnline).map(\.peer))
        let name = report.entry.name
        return SessionNews(
            "save-not-sent",
            nil,
            "the machine sleeps or switches off before \(machines) has all of \(name)"
        ) {
            ($0.set, $0.name, $0.isTrouble) = (report.entry.id.description, name.description, true)
        }
    }
}
