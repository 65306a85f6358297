package import LinuxPlatform
package import Desktop
package import Household

/// Notifies the user: calls the user's hook program, and shows invitations on the desktop.
///
/// Its failures stop no other part: they are reported as events, and in the log.
@Engine
package final class Notifier {
    private let household: Household
    private let hook: HookProgram?
    private let notifications: InvitationNotifications?
    private let removals: RemovalNotifications?
    private let reader: EventReader
    private let calls = HookQueue()

    /// The place to show invitations, and machines that were removed elsewhere.
    package enum Screen: Sendable {
        /// No output, by the user's settings.
        case off
        /// On this desktop, if there is one.
        case desktop(Desktop?)
    }

    /// Call it before the household runs; it receives all events from then on.
    package init(_ household: Household, hook: HookProgram?, screen: Screen) {
        (self.household, self.hook) = (household, hook)
        switch screen {
        case .off: (notifications, removals) = (nil, nil)
        case .desktop(let desktop):
            notifications = InvitationNotifications(household, desktop)
            removals = desktop.map { RemovalNotifications(household, $0) }
        }
        reader = household.events.follow()
    }

    /// Runs until the task is cancelled. Then it kills a running hook, and removes its notices from the desktop.
    package func run() async {
        await withDiscardingTaskGroup { group in
            if let hook { group.addTask { await self.callAll(hook) } }
            while let latest = await reader.next() {
                for line in latest {
                    notifications?.hear(line, in: &group)
                    removals?.hear(line, in: &group)
                    if hook != nil, let call = HookCall(line) { calls.add(call) }
                }
            }
            group.cancelAll()
        }
    }

    private func callAll(_ hook: HookProgram) async {
        await trying { try hook.check() }
        while let call = await calls.next() {
            await trying { try await hook.call(call) }
            let missed = calls.takeMissed()
            if missed > 0 { household.tell(.hookFailed(HookError.missed(missed))) }
        }
    }

    private func trying(_ work: () async throws -> Void) async {
        do {
            try await work()
        } catch is CancellationError {
            return
        } catch {
            household.tell(.hookFailed(error))
        }
    }
}

extension DaemonLine {
    fileprivate static func hookFailed(_ error: any Error) -> DaemonLine {
        let problem = PassedOnError(error)
        return DaemonLine(.hookFailed(HookFailedEvent(problem)), problem.message, isTrouble: true)
    }
}
