import Desktop
import Household
import LinuxPlatform
import Vocabulary

/// Shows on the desktop the machines that others removed from the household, one at a time. They are few, because only
/// machines of the household can remove one.
@Engine
final class RemovalNotifications {
    private let household: Household
    private let desktop: Desktop
    private var waiting: [RemovalNotice] = []
    private var isShowing = false

    init(_ household: Household, _ desktop: Desktop) { (self.household, self.desktop) = (household, desktop) }

    /// Shows a notice if the event requires one, as work of the group.
    func hear(_ line: DaemonLine, in group: inout DiscardingTaskGroup) {
        guard let notice = RemovalNotice(line) else { return }
        waiting.append(notice)
        guard !isShowing else { return }
        isShowing = true
        group.addTask { await self.showAll() }
    }

    private func showAll() async {
        while !waiting.isEmpty { await show(waiting.removeFirst()) }
        isShowing = false
    }

    private func show(_ notice: RemovalNotice) async {
        do {
            if let button = try await desktop.show(notice.shown) { try await notice.answer(button, in: household) }
        } catch is CancellationError {
            return
        } catch is DesktopError {
            // A machine without a desktop is normal. `InvitationNotifications` reports it.
            return
        } catch {
            household.tell(.trouble("the answer about \(notice.peer.full) failed: \(error)"))
        }
    }
}
