package import Household
package import Session

/// Carries what happens to the person: calls their own program.
///
/// It harms nothing by failing: what goes wrong is put up as news, and is in the log.
@Engine
package final class Herald {
    private let household: Household
    private let hook: HookProgram?
    private let reader: NewsReader
    private let calls = HookQueue()

    /// Before the household runs; what happens from now on is told.
    package init(_ household: Household, hook: HookProgram?) {
        (self.household, self.hook) = (household, hook)
        reader = household.news.follow()
    }

    /// Until the task is cancelled; a program that runs then is killed.
    package func run() async {
        await withDiscardingTaskGroup { group in
            if let hook { group.addTask { await self.callAll(hook) } }
            while let latest = await reader.next() {
                for news in latest { hear(news) }
            }
            group.cancelAll()
        }
    }

    private func hear(_ news: SessionNews) {
        guard hook != nil, let call = HookCall(news) else { return }
        calls.add(call)
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
        SessionNews("hook-failed", nil, "\(error)") { news in
            news.blame(PassedOnError(error))
            news.isTrouble = true
        }
    }
}
