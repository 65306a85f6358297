import Household
import Ledger
import LinuxPlatform
import SaveRules
import SaveSync
import Vocabulary

/// The last seconds before the machine sleeps or switches off.
extension SaveService {
    /// The pause between two checks, since there is no event for another machine's report that it has a version.
    private static let checkPause = Duration.milliseconds(50)

    /// Scans the folders of games that a machine online shares, and waits until those machines have the newest saves.
    /// If the time is up before, it reports the games that are not sent.
    package func sendAll(within limit: Duration) async {
        do {
            try await EventLoop.shared.withDeadline(limit, "sleep") { try await self.sendAll() }
        } catch {
            for report in unsent() { household.tell(await wording.notSent(report)) }
        }
    }

    private func sendAll() async throws {
        for report in keeper.reports() where !report.present.isEmpty {
            // A save of this moment is still in its quiet period, which the state does not show. A folder that can't be
            // read has a state of its own.
            try? await keeper.editor(of: report.entry.id).scan()
        }
        while !unsent().isEmpty { try await Engine.loop.sleep(for: Self.checkPause) }
    }

    private func unsent() -> [GameReport] { keeper.reports().filter { $0.facts.status == .sending } }
}

extension SaveWording {
    fileprivate func notSent(_ report: GameReport) async -> SessionNews {
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
