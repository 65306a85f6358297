import Household
import LinuxPlatform
import Vocabulary

/// Watches a request until its response begins. It distinguishes a busy daemon from one that is stopped or stuck.
///
/// A request may take any time: reading a large folder may take an hour. So a second request runs beside it, which
/// needs no disk and no network. A daemon that does not respond even to that one is silent.
package struct ResponseWatchdog: Sendable {
    /// Reports a long wait to the user.
    package typealias Word = @Sendable (String) async -> Void

    /// The time until the first probe.
    package var first: Duration = .seconds(3)
    /// The further time until the user gets a message.
    package var word: Duration = .seconds(2)
    /// The further time until the daemon counts as silent.
    package var last: Duration = .seconds(5)
    /// The interval between probes while the daemon works.
    package var pause: Duration = .seconds(10)
    /// The time limit for a daemon that is starting.
    package static let starting: Duration = .seconds(60)
    package var tell: Word

    package init(tell: @escaping Word = { _ in }) {
        self.tell = tell
    }

    /// The request of the probe, to which every daemon responds from memory.
    static let proof = Endpoint.settings.request()

    /// Watches until the caller cancels it. Throws if the daemon is silent.
    @Engine
    func stand(
        by request: APIRequest,
        asking proof: @escaping @Engine @Sendable () async throws -> Void
    ) async throws -> Never {
        let began = ContinuousClock.now
        var isSlow = false
        try await EventLoop.shared.sleep(for: first)
        while true {
            let silence = began.duration(to: .now)
            guard try await isThere(since: began, proof) else {
                throw HouseholdError.silent(for: began.duration(to: .now))
            }
            // A request that only reads usually ends soon. It can wait behind the scan of a large folder, a check of
            // the whole history, or a hanging disk. The command can't tell which, and ending in the middle of work
            // would not help.
            if request.method == "GET" {
                if isSlow { await tell(Self.busy(for: silence)) }
                isSlow.toggle()
            }
            try await EventLoop.shared.sleep(for: pause)
        }
    }

    private static func busy(for silence: Duration) -> String {
        """
        huddled runs, but has not answered this for \(silence.words): it may be reading a large folder, checking the \
        history, or waiting for a disk; Ctrl-C ends the wait
        """
    }

    /// Returns true if the daemon sends any response. If it refuses or has stopped, the main request reports that.
    @Engine
    private func isThere(
        since began: ContinuousClock.Instant,
        _ proof: @escaping @Engine @Sendable () async throws -> Void
    ) async throws -> Bool {
        let (word, last, tell) = (word, last, tell)
        return try await withThrowingTaskGroup(of: Bool.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                try? await proof()
                return true
            }
            group.addTask {
                try await EventLoop.shared.sleep(for: word)
                await tell("huddled has not answered for \(began.duration(to: .now).words); still waiting")
                try await EventLoop.shared.sleep(for: last)
                return false
            }
            return try await group.next() ?? true
        }
    }
}

extension Duration {
    fileprivate var words: String { "\(components.seconds) s" }
}

extension HouseholdError {
    static func silent(for silence: Duration) -> HouseholdError {
        HouseholdError(
            ErrorCode(.unavailable, "control.silent"),
            """
            huddled has its socket, but has not answered for \(silence.words) (it was stopped, a disk hangs, or the \
            machine is overloaded)
            """,
            nextStep: "`huddle doctor` finds the cause, `systemctl --user restart huddled` restarts it"
        )
    }
}
