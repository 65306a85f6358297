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
    /// If the time is up earlier, it reports the games that are not sent.
    package func sendAll(within limit: Duration) async {
        do {
            try await EventLoop.shared.withDeadline(limit, "sleep") { try await self.sendAll() }
        } catch {
            for report in unsent() { household.tell(await GameEventWording(household).notSent(report)) }
        }
    }

    private func sendAll() async throws {
        for report in engine.reports() where !report.present.isEmpty {
            // A save of this moment is still in its quiet period, which the state does not show. A folder that can't be
            // read has a state of its own.
            try? await engine.editor(of: report.entry.id).scan()
        }
        while !unsent().isEmpty { try await Engine.loop.sleep(for: Self.checkPause) }
    }

    private func unsent() -> [GameReport] { engine.reports().filter { $0.facts.status == .sending } }
}
