import Household
import LinuxPlatform
import Vocabulary

/// Stands by while the daemon has not begun to answer, and tells one that is busy from one that is stopped or stuck.
///
/// How long work takes says nothing: reading a large folder may take an hour. So something is asked beside it that needs no disk and no network.
/// A daemon that does not answer even that does not take what was asked either.
package struct AnswerVigil: Sendable {
    /// How a person hears that it takes long.
    package typealias Word = @Sendable (String) async -> Void

    /// After how much silence it is asked whether it is there.
    package var first: Duration = .seconds(3)
    /// How long after that a person hears of it.
    package var word: Duration = .seconds(2)
    /// How long after that it counts as silent.
    package var last: Duration = .seconds(5)
    /// How often one that is there is asked again, while it works.
    package var pause: Duration = .seconds(10)
    /// How long one may be silent that is only being started.
    package static let starting: Duration = .seconds(60)
    package var tell: Word

    package init(tell: @escaping Word = { _ in }) {
        self.tell = tell
    }

    /// Answered from memory, by every daemon.
    static let proof = ControlQuestion("GET", ["v1", "settings"])

    /// Returns never: what is stood by for ends first, or this throws.
    @Engine
    func stand(
        by question: ControlQuestion,
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
            // What only looks is soon answered, but where it stands behind the reading of a large folder or of the whole history, or a disk hangs: which of
            // them it is nobody knows from here, and to give up in the middle of work helps nobody.
            if question.method == "GET" {
                if isSlow { await tell(Self.busy(for: silence)) }
                isSlow.toggle()
            }
            try await EventLoop.shared.sleep(for: pause)
        }
    }

    private static func busy(for silence: Duration) -> String {
        """
        huddled is there, but has not answered this for \(silence.words): it may be reading a large folder or checking the \
        history, or wait for a disk; Ctrl-C ends the wait
        """
    }

    /// Whether it says anything at all. That it refuses, or has just gone, shows in the answer that is waited for.
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
                await tell("huddled has not answered for \(began.duration(to: .now).words); it is waited for")
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
            huddled is there, but has not answered for \(silence.words) (it was stopped, waits for a disk that hangs, or the \
            machine has too much to do)
            """,
            nextStep: "`huddle doctor` looks for what is wrong, `systemctl --user restart huddled` starts it anew"
        )
    }
}
