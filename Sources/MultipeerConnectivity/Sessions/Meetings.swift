import LinuxPlatform
import SessionRules
import Vocabulary

/// Tries to meet those whom others have told of. One who tells of many must not let those wait of whom others tell, nor decide with which word they are met.
@Engine
final class Meetings {
    /// What came of an attempt.
    enum Outcome {
        /// It is in, or can't come in; nothing more is to be tried.
        case settled
        /// It is about to come in, or not, by another's attempt.
        case underWay
        /// The same by this one.
        case begun
        /// There was no way to it, with whatever word.
        case unreachable
        /// It has said no.
        case failed
    }

    /// What somebody says of a peer.
    struct Word: Equatable {
        /// With which the peer may come by itself as long as it is tried to be met, also where the one that told of it has left by then.
        let expected: String
        /// With which it is asked in.
        let said: String
    }

    typealias Attempt = @Engine @Sendable (_ said: String) async -> Outcome

    /// What is done about a word, which stays when all was tried.
    private struct Trial {
        var word: Word
        var left = Meetings.attempts
        var task: Task<Void, Never>?
    }

    private struct Meeting {
        /// By who has told of it.
        var trials: [PeerID: Trial] = [:]
        /// How often there was no way to it.
        var vainAttempts = 0
        /// Those who wait for what becomes of another's attempt, and how often something has become of one.
        var waiting: [Resumption<Void>] = []
        var changes = 0

        var isOver: Bool { trials.values.allSatisfy { $0.task == nil } }
    }

    private var meetings: [PeerID: Meeting] = [:]
    /// How many of them there are on each member's word.
    private var counts: [PeerID: Int] = [:]
    private lazy var turns = Meetings.newTurns

    /// All at once, and in a large group none would be done in time. As long as a connection may take, peers that are not there keep others waiting of
    /// whom the same member has told.
    private static var newTurns: Turns { Turns(4, patience: .seconds(5)) }
    /// How many this side tries to meet at once on one member's word. Whoever else it tells of may still come by itself.
    private static let limit = 1024
    private nonisolated static let attempts = 6

    private let pause: Duration
    private let seconds: ClosedRange<Double>

    /// - Parameters:
    ///   - pause: how long a turn is held after an attempt that failed, as it does at once where nobody listens: a thousand such would keep this side from everything else
    ///   - seconds: how long it is until the next attempt
    nonisolated init(pause: Duration = .milliseconds(100), between seconds: ClosedRange<Double> = 0.5...2) {
        (self.pause, self.seconds) = (pause, seconds)
    }

    /// Who is tried to be met.
    var peers: Set<PeerID> { Set(meetings.keys) }

    func contains(_ peer: PeerID) -> Bool { meetings[peer] != nil }

    /// On whose word a peer is tried to be met. Only tests ask.
    func tellers(of peer: PeerID) -> Set<PeerID> {
        Set((meetings[peer]?.trials ?? [:]).filter { $0.value.task != nil }.keys)
    }

    func expects(_ peer: PeerID, as token: String) -> Bool {
        meetings[peer]?.trials.values.contains { $0.word.expected == token } == true
    }

    /// Begins to try, unless the same teller has this tried already, or too much else. What it says now takes the place of what it said before.
    ///
    /// - Parameter wait: before the first attempt
    func meet(
        _ peer: PeerID,
        on word: Word,
        of teller: PeerID,
        after wait: Duration,
        _ attempt: @escaping Attempt
    ) {
        let before = meetings[peer]?.trials[teller]
        let isFull = counts[teller, default: 0] >= Self.limit
        guard before?.task == nil || before?.word != word, meetings[peer] != nil || !isFull else { return }
        var trial = Trial(word: word, task: before?.task)
        if trial.task == nil, !isFull {
            counts[teller, default: 0] += 1
            trial.task = Engine.begin {
                await self.keepTrying(peer, for: teller, after: wait, attempt)
                // Whoever is cancelled has been forgotten already, and another may have taken its place.
                if !Task.isCancelled { self.hasEnded(peer, for: teller) }
            }
        }
        meetings[peer, default: Meeting()].trials[teller] = trial
    }

    private func keepTrying(
        _ peer: PeerID,
        for teller: PeerID,
        after first: Duration,
        _ attempt: @escaping Attempt
    ) async {
        let turns = turns
        var (wait, vainAttempts) = (first, meetings[peer]?.vainAttempts ?? 0)
        while (try? await EventLoop.shared.sleep(for: wait)) != nil {
            let changes = meetings[peer]?.changes
            let outcome = await turns.take(for: teller) { [vainAttempts] in
                await self.tryOnce(peer, for: teller, since: vainAttempts, attempt)
            }
            guard !Task.isCancelled, outcome != .settled else { return }
            if outcome == .underWay || outcome == .begun { await untilItHasChanged(peer, since: changes) }
            if outcome != .underWay {
                guard useUp(peer, for: teller) else { return }
                vainAttempts = meetings[peer]?.vainAttempts ?? 0
            }
            wait = .seconds(Double.random(in: seconds))
        }
    }

    /// - Parameter vainAttempts: how many there had been before it waited for this one. Where there was one meanwhile, that was this one's too: so those who tell of a peer
    ///   to whom there is no way neither have it tried all the more often, nor use up each other's time.
    private func tryOnce(
        _ peer: PeerID,
        for teller: PeerID,
        since vainAttempts: Int,
        _ attempt: Attempt
    ) async -> Outcome {
        guard !Task.isCancelled, let meeting = meetings[peer], let trial = meeting.trials[teller] else {
            return .settled
        }
        guard meeting.vainAttempts == vainAttempts else { return .unreachable }
        let outcome = await attempt(trial.word.said)
        guard !Task.isCancelled, outcome == .unreachable || outcome == .failed else { return outcome }
        if outcome == .unreachable { meetings[peer]?.vainAttempts += 1 }
        try? await EventLoop.shared.sleep(for: pause)
        return outcome
    }

    /// Whether any attempts are left.
    private func useUp(_ peer: PeerID, for teller: PeerID) -> Bool {
        meetings[peer]?.trials[teller]?.left -= 1
        return (meetings[peer]?.trials[teller]?.left ?? 0) > 0
    }

    /// - Parameter changes: how many there had been before it was under way
    private func untilItHasChanged(_ peer: PeerID, since changes: Int?) async {
        guard meetings[peer]?.changes == changes else { return }
        let change = Resumption<Void>()
        meetings[peer]?.waiting.append(change)
        try? await change.valueUnlessCancelled()
    }

    /// The peer is in now, or is not about to be any more.
    func hasChanged(_ peer: PeerID) {
        guard let waiting = meetings[peer]?.waiting else { return }
        meetings[peer]?.changes += 1
        meetings[peer]?.waiting = []
        for one in waiting { one.resume(with: .success(())) }
    }

    private func hasEnded(_ peer: PeerID, for teller: PeerID) {
        guard meetings[peer]?.trials[teller]?.task != nil else { return }
        meetings[peer]?.trials[teller]?.task = nil
        if meetings[peer]?.isOver == true { meetings[peer] = nil }
        let left = counts[teller, default: 1] - 1
        counts[teller] = left > 0 ? left : nil
    }

    /// Tries to meet a peer no more.
    func stop(_ peer: PeerID) {
        for (teller, trial) in meetings[peer]?.trials ?? [:] {
            trial.task?.cancel()
            hasEnded(peer, for: teller)
        }
    }

    /// Tries to meet nobody any more.
    func stopAll() {
        for trial in meetings.values.flatMap(\.trials.values) { trial.task?.cancel() }
        (meetings, counts) = ([:], [:])
        turns = Self.newTurns
    }
}
