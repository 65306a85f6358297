import LinuxPlatform
import Session
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
        /// There was no way to it, with whatever word.
        case unreachable
        /// It has said no, or did not stay.
        case failed
    }

    typealias Attempt = @Engine @Sendable () async -> Outcome

    private struct Meeting {
        /// With which it may come as long as this lasts, also where those who told of it have left by then.
        var tokens: Set<String> = []
        /// By who has told of it.
        var tasks: [PeerID: Task<Void, Never>] = [:]
        /// How often there was no way to it since the last one told of it.
        var vainAttempts = 0
        /// Those who wait for what becomes of another's attempt, and how often something has become of one.
        var waiting: [Resumption<Void>] = []
        var changes = 0
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
    /// Of how many members that tell of the same peer the words count though they have left.
    private static let tokenLimit = 16
    private static let attempts = 6

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

    /// On whose word a peer is tried to be met.
    func tellers(of peer: PeerID) -> Set<PeerID> { Set(meetings[peer].map { Array($0.tasks.keys) } ?? []) }

    func expects(_ peer: PeerID, as token: String) -> Bool { meetings[peer]?.tokens.contains(token) == true }

    /// Begins to try, unless the same teller has this tried already, or too much else.
    ///
    /// - Parameters:
    ///   - token: with which the peer may come by itself meanwhile
    ///   - wait: before the first attempt
    func meet(
        _ peer: PeerID,
        expecting token: String,
        for teller: PeerID,
        after wait: Duration,
        _ attempt: @escaping Attempt
    ) {
        let isNew = meetings[peer]?.tasks[teller] == nil
        if isNew, counts[teller, default: 0] < Self.limit {
            counts[teller, default: 0] += 1
            meetings[peer, default: Meeting()].vainAttempts = 0
            meetings[peer]?.tasks[teller] = Engine.begin {
                await self.keepTrying(peer, for: teller, after: wait, attempt)
                // Whoever is cancelled has been forgotten already, and another may have taken its place.
                if !Task.isCancelled { self.hasEnded(peer, for: teller) }
            }
        }
        if meetings[peer]?.tokens.count ?? Self.tokenLimit < Self.tokenLimit { meetings[peer]?.tokens.insert(token) }
    }

    private func keepTrying(
        _ peer: PeerID,
        for teller: PeerID,
        after first: Duration,
        _ attempt: @escaping Attempt
    ) async {
        let turns = turns
        var (wait, left) = (first, Self.attempts)
        while left > 0, (try? await EventLoop.shared.sleep(for: wait)) != nil {
            let changes = meetings[peer]?.changes
            let outcome = await turns.take(for: teller) { await self.tryOnce(peer, attempt) }
            guard outcome != .settled, !Task.isCancelled else { return }
            if outcome == .underWay {
                await untilItHasChanged(peer, since: changes)
            } else {
                left -= 1
            }
            wait = .seconds(Double.random(in: seconds))
        }
    }

    private func tryOnce(_ peer: PeerID, _ attempt: Attempt) async -> Outcome {
        guard !Task.isCancelled, let meeting = meetings[peer], meeting.vainAttempts < Self.attempts else {
            return .settled
        }
        let outcome = await attempt()
        guard !Task.isCancelled, outcome == .unreachable || outcome == .failed else { return outcome }
        if outcome == .unreachable { meetings[peer]?.vainAttempts += 1 }
        try? await EventLoop.shared.sleep(for: pause)
        return outcome
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
        guard meetings[peer]?.tasks.removeValue(forKey: teller) != nil else { return }
        if meetings[peer]?.tasks.isEmpty == true { meetings[peer] = nil }
        let left = counts[teller, default: 1] - 1
        counts[teller] = left > 0 ? left : nil
    }

    /// Tries to meet a peer no more.
    func stop(_ peer: PeerID) {
        for (teller, task) in meetings[peer]?.tasks ?? [:] {
            task.cancel()
            hasEnded(peer, for: teller)
        }
    }

    /// Tries to meet nobody any more.
    func stopAll() {
        for task in meetings.values.flatMap(\.tasks.values) { task.cancel() }
        (meetings, counts) = ([:], [:])
        turns = Self.newTurns
    }
}
