public import Vocabulary

/// The reason why a stranger without an open question can't ask now.
public enum StrangersClosing: Hashable, Sendable {
    /// The number of open questions has reached its limit.
    case untilAnswered
    /// A pause of this many seconds is in effect.
    case pause(Int64)
}

/// The costs of all strangers together for the user and the disk. Keys and names are free for a stranger, and some
/// addresses are. So none of them has an allowance of its own.
///
/// - The user gets one open question of each stranger, and ten open ones in all. Ten arrive at once; then a pause of a
///   minute follows. Each further question doubles the pause, up to an hour. A question that ends before the user sees
///   it costs nothing.
/// - An address with no question within the last hour has one also during a pause. There are ten such places an hour.
///   If the machine hangs up, the place is free again, but not for its address. So one attacker can't use up the
///   places, and one with many addresses causes 64 questions an hour.
/// - Ten notes in ten minutes are written down; the others are counted, and one note says how many there were.
public struct StrangerAllowance<Address: Hashable & Sendable>: Sendable {
    /// The limits of an allowance.
    public struct Limits: Hashable, Sendable {
        /// The most open questions of strangers at a time, and the number before the first pause.
        public var questions = 10
        /// The most addresses of questions that are distinguished. Once there are so many, none has a place during a
        /// pause.
        public var visitors = 64
        /// The seconds that an address waits for a further question during a pause.
        public var visit: Int64 = 3600
        /// The most notes about strangers in one span.
        public var notes = 10
        /// The length of a span of notes.
        public var span = Duration.seconds(600)
        /// The most addresses that are distinguished while notes are counted.
        public var addresses = 256

        /// The limits for a household.
        public init() {}

        var pauses: LockOut.Rule {
            LockOut.Rule(free: Int64(questions) - 1, first: 60, longest: 3600, memory: 3600)
        }
    }

    /// The end of a question.
    public enum End: Hashable, Sendable {
        /// The machine took it back, or its connection ended, before the user gave an answer.
        case hungUp
        /// The user took the machine's code, which may have been wrong.
        case taken
        /// The user declined, or gave no answer in time.
        case unwanted
    }

    private struct Question {
        let peer: PeerID
        let address: Address
        /// True if it has one of the places for addresses without a question.
        let isVisit: Bool
        /// True if the user has seen it.
        var isShown = false
    }

    private struct Visit {
        let time: Int64
        /// True if it takes up a place.
        var isCharged: Bool
    }

    private let limits: Limits
    private var asked: LockOut
    private var open: [InvitationID: Question] = [:]
    /// The last questions during which an address waits for a further one.
    private var visits: [Address: Visit] = [:]
    private var noted = 0
    private var spanEnd: ContinuousClock.Instant?
    private var folded = FoldedNotes()

    /// An allowance without questions and notes.
    public init(_ limits: Limits = Limits()) {
        self.limits = limits
        asked = LockOut(limits.pauses)
    }

    // MARK: Questions

    /// True if a stranger's invitation may be shown to the user.
    ///
    /// - Parameters:
    ///   - address: the address of the stranger, or its network if a machine has all of it
    ///   - now: seconds on a clock that only goes forward
    public func mayAsk(_ peer: PeerID, from address: Address, at now: Int64) -> Bool {
        guard !open.values.contains(where: { $0.peer == peer }) else { return false }
        return closing(at: now) == nil || mayVisit(from: address, at: now)
    }

    /// The reason why no stranger at an address that has asked may ask now; nil if one may ask.
    ///
    /// - Parameter now: seconds on a clock that only goes forward
    public func closing(at now: Int64) -> StrangersClosing? {
        let shared = open.values.filter { !$0.isVisit }
        if shared.count >= limits.questions { return .untilAnswered }
        let left = asked.secondsLeft(at: now)
        if left > 0 { return .pause(left) }
        // Questions that the user is about to see count, too. Otherwise all of them would arrive at the end of a pause.
        let (hidden, count) = (shared.count { !$0.isShown }, asked.isForgotten(at: now) ? 0 : Int(asked.count))
        return hidden > 0 && count + hidden >= limits.questions ? .untilAnswered : nil
    }

    private func mayVisit(from address: Address, at now: Int64) -> Bool {
        let latest = visits.filter { isLatest($0.value, at: now) }
        let hidden = open.values.filter { $0.isVisit && !$0.isShown }
        guard latest[address] == nil, !open.values.contains(where: { $0.address == address }) else { return false }
        return latest.count + hidden.count < limits.visitors
            && latest.values.count(where: \.isCharged) + hidden.count < limits.questions
    }

    private func isLatest(_ visit: Visit, at now: Int64) -> Bool { now - visit.time < limits.visit }

    /// Holds the invitation's place among the questions. The user sees it in a moment.
    public mutating func ask(_ invitation: InvitationID, of peer: PeerID, from address: Address, at now: Int64) {
        open[invitation] = Question(peer: peer, address: address, isVisit: closing(at: now) != nil)
    }

    /// Counts the question, which the user sees now.
    public mutating func isShown(_ invitation: InvitationID, at now: Int64) {
        guard let question = open[invitation], !question.isShown else { return }
        open[invitation]?.isShown = true
        if !question.isVisit { asked.count(at: now) }
        visits = visits.filter { isLatest($0.value, at: now) }
        guard visits.count < limits.visitors || visits[question.address] != nil else { return }
        visits[question.address] = Visit(time: now, isCharged: question.isVisit)
    }

    /// Ends a question.
    public mutating func isOver(_ invitation: InvitationID, _ end: End) {
        guard let question = open.removeValue(forKey: invitation), question.isShown else { return }
        switch end {
        case .hungUp: visits[question.address]?.isCharged = false
        // After a mistyped code the user needs the next one, and has acted for this machine.
        case .taken: visits[question.address] = nil
        case .unwanted: break
        }
    }

    /// Forgets the costs of strangers: the user has paired with one, so the questions were wanted.
    public mutating func paired() {
        asked.forget()
        visits = [:]
    }

    // MARK: Notes

    /// Notes that were counted and not written.
    public struct FoldedNotes: Hashable, Sendable {
        /// The number of notes.
        public internal(set) var count = 0
        /// The number of addresses, as far as they are distinguished.
        public var addressCount: Int { addresses.count }
        var addresses: Set<Address> = []
    }

    /// The outcome for a note.
    public enum Verdict: Hashable, Sendable {
        /// It is written.
        case write
        /// It is counted. If the moment is set, ``takeFolded()`` is due then.
        case fold(ContinuousClock.Instant?)
    }

    /// Decides about a note about a stranger.
    public mutating func note(from address: Address?, at now: ContinuousClock.Instant) -> Verdict {
        if let end = spanEnd, now < end {
            noted += 1
            guard noted > limits.notes else { return .write }
            folded.count += 1
            if let address, folded.addresses.count < limits.addresses { folded.addresses.insert(address) }
            return .fold(folded.count == 1 ? end : nil)
        }
        (noted, spanEnd) = (1, now + limits.span)
        return .write
    }

    /// The notes that were counted since the last call; nil if there were none.
    public mutating func takeFolded() -> FoldedNotes? {
        defer { folded = FoldedNotes() }
        return folded.count > 0 ? folded : nil
    }
}
