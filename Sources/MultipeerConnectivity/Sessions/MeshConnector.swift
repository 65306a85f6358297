import LinuxPlatform
import SessionRules
import Vocabulary

/// Connects to introduced peers. A member that introduces many peers must not delay the peers that others introduce,
/// nor decide the token that is used for them.
@Engine
final class MeshConnector {
    /// Result of an attempt.
    enum Outcome {
        /// The peer has joined, or can't join; the attempts end.
        case settled
        /// Another attempt is connecting it.
        case underWay
        /// This attempt is connecting it.
        case begun
        /// The peer could not be reached, with any token.
        case unreachable
        /// The peer declined.
        case failed
    }

    /// The tokens of an introduction.
    struct Word: Equatable {
        /// Token with which the peer may come by itself while this side tries to reach it, even if the introducing
        /// member has left.
        let expected: String
        /// Token with which this side invites it.
        let said: String
    }

    typealias Attempt = @Engine @Sendable (_ said: String) async -> Outcome

    /// The attempts of one introduction; it stays after all attempts were made.
    private struct Trial {
        var word: Word
        var left = MeshConnector.attempts
        var task: Task<Void, Never>?
    }

    private struct Introduction {
        /// By introducing member.
        var trials: [PeerID: Trial] = [:]
        /// Number of attempts that did not reach it.
        var failedAttempts = 0
        /// Tasks that wait for the result of another attempt, and the number of results so far.
        var waiting: [Resumption<Void>] = []
        var changes = 0

        var isOver: Bool { trials.values.allSatisfy { $0.task == nil } }
    }

    private var introductions: [PeerID: Introduction] = [:]
    /// Number of peers introduced by each member.
    private var counts: [PeerID: Int] = [:]
    private lazy var semaphore = MeshConnector.newSemaphore

    /// If all attempts ran at once, none would be done in time in a large group. Unreachable peers delay others of the
    /// same introducing member for the time of a connection.
    private static var newSemaphore: FairSemaphore { FairSemaphore(4, patience: .seconds(5)) }
    /// Maximum number of simultaneous peers per introducing member. More may still come by themselves.
    private static let limit = 1024
    private nonisolated static let attempts = 6

    private let pause: Duration
    private let seconds: ClosedRange<Double>

    /// - Parameters:
    ///   - pause: time for which a failed attempt keeps its permit. An attempt fails at once if no program listens: a
    ///     thousand of them would use all of this side's time
    ///   - seconds: wait before the next attempt, in seconds
    nonisolated init(pause: Duration = .milliseconds(100), between seconds: ClosedRange<Double> = 0.5...2) {
        (self.pause, self.seconds) = (pause, seconds)
    }

    /// The peers to reach.
    var peers: Set<PeerID> { Set(introductions.keys) }

    func contains(_ peer: PeerID) -> Bool { introductions[peer] != nil }

    /// The members whose introduction of a peer is being tried. For tests.
    func tellers(of peer: PeerID) -> Set<PeerID> {
        Set((introductions[peer]?.trials ?? [:]).filter { $0.value.task != nil }.keys)
    }

    func expects(_ peer: PeerID, as token: String) -> Bool {
        introductions[peer]?.trials.values.contains { $0.word.expected == token } == true
    }

    /// Starts attempts, unless this member's introduction is tried already or the limit is reached. A new introduction
    /// replaces the member's previous one.
    ///
    /// - Parameter wait: wait before the first attempt
    func begin(
        _ peer: PeerID,
        on word: Word,
        of teller: PeerID,
        after wait: Duration,
        _ attempt: @escaping Attempt
    ) {
        let before = introductions[peer]?.trials[teller]
        let isFull = counts[teller, default: 0] >= Self.limit
        guard before?.task == nil || before?.word != word, introductions[peer] != nil || !isFull else { return }
        var trial = Trial(word: word, task: before?.task)
        if trial.task == nil, !isFull {
            counts[teller, default: 0] += 1
            trial.task = Engine.begin {
                await self.keepTrying(peer, for: teller, after: wait, attempt)
                // A cancelled task was removed already, and another may have replaced it.
                if !Task.isCancelled { self.hasEnded(peer, for: teller) }
            }
        }
        introductions[peer, default: Introduction()].trials[teller] = trial
    }

    private func keepTrying(
        _ peer: PeerID,
        for teller: PeerID,
        after first: Duration,
        _ attempt: @escaping Attempt
    ) async {
        let semaphore = semaphore
        var (wait, failedAttempts) = (first, introductions[peer]?.failedAttempts ?? 0)
        while (try? await EventLoop.shared.sleep(for: wait)) != nil {
            let changes = introductions[peer]?.changes
            let outcome = await semaphore.take(for: teller) { [failedAttempts] in
                await self.tryOnce(peer, for: teller, since: failedAttempts, attempt)
            }
            guard !Task.isCancelled, outcome != .settled else { return }
            if outcome == .underWay || outcome == .begun { await untilItHasChanged(peer, since: changes) }
            if outcome != .underWay {
                guard useUp(peer, for: teller) else { return }
                failedAttempts = introductions[peer]?.failedAttempts ?? 0
            }
            wait = .seconds(Double.random(in: seconds))
        }
    }

    /// - Parameter failedAttempts: number of failed attempts before it waited for its permit. If one failed since, that
    ///   counts for this one, too. So members that introduce the same unreachable peer cause no additional attempts,
    ///   and don't use up each other's time.
    private func tryOnce(
        _ peer: PeerID,
        for teller: PeerID,
        since failedAttempts: Int,
        _ attempt: Attempt
    ) async -> Outcome {
        guard !Task.isCancelled, let introduction = introductions[peer], let trial = introduction.trials[teller] else {
            return .settled
        }
        guard introduction.failedAttempts == failedAttempts else { return .unreachable }
        let outcome = await attempt(trial.word.said)
        guard !Task.isCancelled, outcome == .unreachable || outcome == .failed else { return outcome }
        if outcome == .unreachable { introductions[peer]?.failedAttempts += 1 }
        try? await EventLoop.shared.sleep(for: pause)
        return outcome
    }

    /// Uses up one attempt. Returns true if any are left.
    private func useUp(_ peer: PeerID, for teller: PeerID) -> Bool {
        introductions[peer]?.trials[teller]?.left -= 1
        return (introductions[peer]?.trials[teller]?.left ?? 0) > 0
    }

    /// - Parameter changes: number of results before the attempt started
    private func untilItHasChanged(_ peer: PeerID, since changes: Int?) async {
        guard introductions[peer]?.changes == changes else { return }
        let change = Resumption<Void>()
        introductions[peer]?.waiting.append(change)
        try? await change.valueUnlessCancelled()
    }

    /// Notes that the peer has joined, or that its attempt has ended.
    func hasChanged(_ peer: PeerID) {
        guard let waiting = introductions[peer]?.waiting else { return }
        introductions[peer]?.changes += 1
        introductions[peer]?.waiting = []
        for one in waiting { one.resume(with: .success(())) }
    }

    private func hasEnded(_ peer: PeerID, for teller: PeerID) {
        guard introductions[peer]?.trials[teller]?.task != nil else { return }
        introductions[peer]?.trials[teller]?.task = nil
        if introductions[peer]?.isOver == true { introductions[peer] = nil }
        let left = counts[teller, default: 1] - 1
        counts[teller] = left > 0 ? left : nil
    }

    /// Stops the attempts to reach a peer.
    func stop(_ peer: PeerID) {
        for (teller, trial) in introductions[peer]?.trials ?? [:] {
            trial.task?.cancel()
            hasEnded(peer, for: teller)
        }
    }

    /// Stops all attempts.
    func stopAll() {
        for trial in introductions.values.flatMap(\.trials.values) { trial.task?.cancel() }
        (introductions, counts) = ([:], [:])
        semaphore = Self.newSemaphore
    }
}
