/// Which old snapshots stay, when not all can. What any of the first two wants to keep, stays, and so does what a person has named; then the
/// third drops the oldest of that too, what is named last, until there is room. What is newest, shown, or a side of a conflict stays whatever
/// the rule says.
public struct RetentionRule: Hashable, Sendable {
    /// So many of the newest stay.
    public var count: Int
    /// Versions that came within this time stay. A day on which no version came does not count. Nil keeps no version for its age.
    public var age: Duration?
    /// How much all may take on the disk, in bytes; nil sets no limit.
    public var space: UInt64?

    /// Fifty, 30 days, and no limit of space, if nothing else is said.
    public init(count: Int = 50, age: Duration? = .seconds(30 * 86_400), space: UInt64? = nil) {
        precondition(count >= 1, "the newest snapshot is not an old one")
        (self.count, self.age, self.space) = (count, age, space)
    }

    /// A snapshot that retention looks at.
    public struct Candidate: Hashable, Sendable {
        /// Which.
        public let id: SnapshotID
        /// The time of this machine's clock when the version came, in seconds.
        public let cameAt: Int64
        /// True if a person has given it a name: it goes only for want of space, and after all others.
        public let isNamed: Bool

        /// - Parameters:
        ///   - id: which
        ///   - cameAt: what the clock said when it came to this machine, in seconds
        ///   - isNamed: whether a person has given it a name
        public init(_ id: SnapshotID, cameAt: Int64, isNamed: Bool = false) {
            (self.id, self.cameAt, self.isNamed) = (id, cameAt, isNamed)
        }
    }

    /// The versions to drop.
    public struct Verdict: Hashable, Sendable {
        /// The oldest first.
        public let dropped: [SnapshotID]
        /// The bytes of all versions that stay; nil if the rule does not limit space.
        public let remaining: UInt64?
        /// True if that is more than the limit, because what stays must.
        public let isOverLimit: Bool
    }

    /// Says what is to be dropped.
    /// - Parameters:
    ///   - candidates: all whose contents are here, in the order in which they came, the oldest first
    ///   - now: what the clock says, in seconds
    ///   - protected: ``VersionState/protected``, and what else is to stay
    ///   - mostForAge: of how many of the newest any stays for its age alone
    ///   - stored: the pieces of a snapshot, its manifest's own included, and what each takes on the disk. A piece that
    ///     several snapshots share is counted once. It is asked only where there is a limit of space.
    public func verdict(
        on candidates: [Candidate],
        at now: Int64,
        protected: Set<SnapshotID>,
        mostForAge: Int = .max,
        stored: (SnapshotID) -> [(piece: PieceID, byteCount: UInt64)]
    ) -> Verdict {
        var (dropped, staying) = ([SnapshotID](), [Candidate]())
        let ages = Self.ages(of: candidates, at: now)
        for (place, candidate) in candidates.enumerated() {
            let isNew = candidates.count - place <= count
            let isYoung = candidates.count - place <= mostForAge && age.map { ages[place] < $0 } ?? false
            if isNew || isYoung || candidate.isNamed || protected.contains(candidate.id) {
                staying.append(candidate)
            } else {
                dropped.append(candidate.id)
            }
        }
        guard let space else { return Verdict(dropped: dropped, remaining: nil, isOverLimit: false) }
        var ledger = SpaceLedger(staying.map { stored($0.id) })
        // The newest of all stays, also if it is not protected.
        let old = staying.dropLast().enumerated()
        for (place, candidate) in old.filter({ !$0.element.isNamed }) + old.filter({ $0.element.isNamed })
        where ledger.total > space && !protected.contains(candidate.id) {
            ledger.drop(place)
            dropped.append(candidate.id)
        }
        let order = Dictionary(uniqueKeysWithValues: candidates.enumerated().map { ($1.id, $0) })
        dropped.sort { order[$0, default: 0] < order[$1, default: 0] }
        return Verdict(dropped: dropped, remaining: ledger.total, isOverLimit: ledger.total > space)
    }
}

extension RetentionRule {
    /// The age of each version, by a clock that may be years off for a while. Of the time between a version and the next, at most a day counts, and
    /// at least nothing.
    private static func ages(of candidates: [Candidate], at now: Int64) -> [Duration] {
        var (ages, age, next) = ([Duration](), Int64(0), now)
        for candidate in candidates.reversed() {
            let (gap, isFar) = next.subtractingReportingOverflow(candidate.cameAt)
            age += isFar ? 0 : min(max(gap, 0), 86_400)
            next = candidate.cameAt
            ages.append(.seconds(age))
        }
        return ages.reversed()
    }
}

/// How much some snapshots take together, where they share pieces.
private struct SpaceLedger {
    private var pieces: [[(piece: PieceID, byteCount: UInt64)]]
    private var uses: [PieceID: Int] = [:]
    private(set) var total: UInt64 = 0

    init(_ pieces: [[(piece: PieceID, byteCount: UInt64)]]) {
        self.pieces = pieces
        for (piece, byteCount) in pieces.joined() {
            if uses[piece] == nil { total += byteCount }
            uses[piece, default: 0] += 1
        }
    }

    mutating func drop(_ place: Int) {
        for (piece, byteCount) in pieces[place] {
            uses[piece, default: 0] -= 1
            if uses[piece] == 0 { total -= byteCount }
        }
        pieces[place] = []
    }
}
