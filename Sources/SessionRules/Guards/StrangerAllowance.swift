public import Vocabulary

/// Why a stranger that has no open question can't ask now.
public enum StrangersClosing: Hashable, Sendable {
    /// As many questions are open as may be.
    case untilAnswered
    /// The pause lasts for so many seconds.
    case pause(Int64)
}

/// What all strangers together may cost a person and a disk. Keys, names and addresses are free for a stranger, so none of them has an
/// allowance of its own.
///
/// - A person gets one open question of a stranger, and ten open ones in all. Ten come at once; then comes a pause of a minute, and after each
///   further question one of twice the length, up to an hour.
/// - Ten notes in ten minutes are written down; the others are counted, and one note says how many there were.
public struct StrangerAllowance<Address: Hashable & Sendable>: Sendable {
    /// How much there is of each.
    public struct Limits: Hashable, Sendable {
        /// How many questions of strangers are open at a time, and how many come before the first pause.
        public var questions = 10
        /// How many notes about strangers are written in one span.
        public var notes = 10
        /// How long a span of notes is.
        public var span = Duration.seconds(600)
        /// How many addresses are told apart while notes are counted.
        public var addresses = 256

        /// What is right for a household.
        public init() {}

        var pauses: LockOut.Rule {
            LockOut.Rule(free: Int64(questions) - 1, first: 60, longest: 3600, memory: 3600)
        }
    }

    private let limits: Limits
    private var asked: LockOut
    private var open: [InvitationID: PeerID] = [:]
    private var noted = 0
    private var spanEnd: ContinuousClock.Instant?
    private var folded = FoldedNotes()

    /// Nothing was asked or noted yet.
    public init(_ limits: Limits = Limits()) {
        self.limits = limits
        asked = LockOut(limits.pauses)
    }

    // MARK: Questions

    /// Whether a stranger's invitation may be put before a person.
    /// - Parameter now: seconds on a clock that only goes forward
    public func mayAsk(_ peer: PeerID, at now: Int64) -> Bool {
        !open.values.contains(peer) && closing(at: now) == nil
    }

    /// Why no stranger's invitation is put before a person now; nil if one may be.
    /// - Parameter now: seconds on a clock that only goes forward
    public func closing(at now: Int64) -> StrangersClosing? {
        if open.count >= limits.questions { return .untilAnswered }
        let left = asked.secondsLeft(at: now)
        return left > 0 ? .pause(left) : nil
    }

    /// The invitation is put before a person.
    public mutating func ask(_ invitation: InvitationID, of peer: PeerID, at now: Int64) {
        open[invitation] = peer
        asked.count(at: now)
    }

    /// The question is over.
    public mutating func isOver(_ invitation: InvitationID) { open[invitation] = nil }

    /// A person has paired with a stranger, so the questions were wanted.
    public mutating func paired() { asked.forget() }

    // MARK: Notes

    /// Notes that were counted and not written.
    public struct FoldedNotes: Hashable, Sendable {
        /// How many.
        public internal(set) var count = 0
        /// From how many addresses, as far as they are told apart.
        public var addressCount: Int { addresses.count }
        var addresses: Set<Address> = []
    }

    /// What becomes of a note.
    public enum Verdict: Hashable, Sendable {
        /// It is written.
        case write
        /// It is counted. Where the moment is set, ``takeFolded(at:)`` is due then.
        case fold(ContinuousClock.Instant?)
    }

    /// A stranger gave a reason for a note.
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

    /// The notes that were counted since the last time; nil where there were none.
    public mutating func takeFolded() -> FoldedNotes? {
        defer { folded = FoldedNotes() }
        return folded.count > 0 ? folded : nil
    }
}
