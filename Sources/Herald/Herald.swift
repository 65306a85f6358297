package import LinuxPlatform
package import Desktop
package import Household

/// Carries what happens to the person: calls their own program, and puts those who ask to come in on the desktop.
///
/// It harms nothing by failing: what goes wrong is put up as news, and is in the log.
@Engine
package final class Herald {
    private let household: Household
    private let hook: HookProgram?
    private let desk: InvitationDesk?
    private let reader: NewsReader
    private let calls = HookQueue()

    /// Where those who ask to come in are shown.
    package enum Screen: Sendable {
        /// Nowhere; the person does not want it.
        case off
        /// On this desktop, or on none where none is there.
        case desktop(Desktop?)
    }

    /// Before the household runs; what happens from now on is told.
    package init(_ household: Household, hook: HookProgram?, screen: Screen) {
        (self.household, self.hook) = (household, hook)
        desk =
            switch screen {
            case .off: nil
            case .desktop(let desktop): InvitationDesk(household, desktop)
            }
        reader = household.news.follow()
    }

    /// Until the task is cancelled; a program that runs then is killed, and what is on the desktop is taken off it.
    package func run() async {
        await withDiscardingTaskGroup { group in
            if let hook { group.addTask { await self.callAll(hook) } }
            while let latest = await reader.next() {
                for news in latest {
                    desk?.hear(news, in: &group)
                    if hook != nil, let call = HookCall(news) { calls.add(call) }
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

extension SessionNews {
    fileprivate static func hookFailed(_ error: any Error) -> SessionNews {
        let fault = PassedOnError(error)
        return SessionNews("hook-failed", nil, fault.message) { news in
            news.blame(fault)
            news.isTrouble = true
        }
    }
}
