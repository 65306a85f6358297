import Desktop
import Household
import LinuxPlatform
import Vocabulary

/// Shows invitations on the desktop, a few at a time, and removes those that are over.
@Engine
final class InvitationNotifications {
    /// Maximum number of notices, against a flood by unknown machines. Further ones are shown when these are answered.
    private static let shownLimit = 3

    private let household: Household
    private let desktop: Desktop?
    private var waiting: [InvitationNotice] = []
    private var over: [InvitationID: Resumption<Void>] = [:]
    private var showing = 0
    private var hasReportedAbsence = false

    init(_ household: Household, _ desktop: Desktop?) {
        (self.household, self.desktop) = (household, desktop)
    }

    /// Shows or removes a notice as the event requires, as work of the group.
    func hear(_ line: DaemonLine, in group: inout DiscardingTaskGroup) {
        if let notice = InvitationNotice(line) { return show(notice, in: &group) }
        let ended: String?
        switch line.event {
        case .accepted(let event): ended = event.invitation
        case .invitationEnded(let event): ended = event.invitation
        default: return
        }
        guard let invitation = ended.flatMap({ InvitationID(hexadecimal: $0) }) else { return }
        waiting.removeAll { $0.invitation == invitation }
        over[invitation]?.resume(with: .success(()))
    }

    private func show(_ notice: InvitationNotice, in group: inout DiscardingTaskGroup) {
        guard let desktop else { return tellOfAbsence("no session bus is named in the daemon's environment") }
        waiting.append(notice)
        guard showing < Self.shownLimit else { return }
        showing += 1
        group.addTask { await self.showAll(on: desktop) }
    }

    private func showAll(on desktop: Desktop) async {
        while !waiting.isEmpty { await show(waiting.removeFirst(), on: desktop) }
        showing -= 1
    }

    private func show(_ notice: InvitationNotice, on desktop: Desktop) async {
        let over = Resumption<Void>()
        self.over[notice.invitation] = over
        defer { self.over[notice.invitation] = nil }
        do {
            let button = try await withThrowingTaskGroup(of: DesktopNotice.Button?.self) { group in
                defer { group.cancelAll() }
                group.addTask { try await desktop.show(notice.shown) }
                group.addTask {
                    try await over.valueUnlessCancelled()
                    return nil
                }
                return try await group.next() ?? nil
            }
            if let button { try await notice.answer(button, in: household) }
        } catch is CancellationError {
            return
        } catch let error as DesktopError {
            tellOfAbsence("\(error)")
        } catch {
            household.tell(.trouble("the answer to \(notice.peer.full) failed: \(error)"))
        }
    }

    /// Reports once only that there is no desktop: a machine without one is normal.
    private func tellOfAbsence(_ why: String) {
        guard !hasReportedAbsence else { return }
        hasReportedAbsence = true
        household.tell(DaemonLine(.noDesktop(NoDesktopEvent()), "invitations are not shown on a desktop: \(why)"))
    }
}
