/// The rule for which old versions stay if not all can.
///
/// A version stays if its count, its age or the user's mark keeps it. Then the limit of space drops the oldest of
/// those, marked ones last, until there is room. Heads and the version in the folder always stay: the caller protects
/// them.
public struct RetentionRule: Hashable, Sendable {
    /// The number of newest versions that stay.
    public var count: Int
    /// The age up to which versions stay. A day on which no version came does not count. Nil keeps no version for its
    /// age.
    public var age: Duration?
    /// The limit for the bytes of all versions on disk; nil sets no limit.
    public var space: UInt64?

    /// By default: 50 versions, 30 days, and no limit of space.
    public init(count: Int = 50, age: Duration? = .seconds(30 * 86_400), space: UInt64? = nil) {
        precondition(count >= 1, "the newest snapshot is not an old one")
        (self.count, self.age, self.space) = (count, age, space)
    }

    /// A version that the rule judges.
    public struct Candidate: Hashable, Sendable {
        /// The id of the version.
        public let id: SnapshotID
        /// The time of this machine's clock when the version came, in seconds.
        public let cameAt: Int64
        /// True if the user has marked it: it is dropped only for lack of space, and after all others.
        public let isNamed: Bool

        /// - Parameters:
        ///   - id: the id of the version
        ///   - cameAt: the time of this machine's clock when it came, in seconds
        ///   - isNamed: true if the user has marked it
        public init(_ id: SnapshotID, cameAt: Int64, isNamed: Bool = false) {
            (self.id, self.cameAt, self.isNamed) = (id, cameAt, isNamed)
        }
    }

    /// The versions to drop.
    public struct Verdict: Hashable, Sendable {
        /// The versions to drop, the oldest first.
        public let dropped: [SnapshotID]
        /// The bytes of all versions that stay; nil if the rule does not limit space.
        public let remaining: UInt64?
        /// True if the rest is larger than the limit because no further version may be dropped.
        public let isOverLimit: Bool
    }

    /// Returns the versions to drop.
    /// - Parameters:
    ///   - candidates: all versions whose content is here, in the order in which they came, the oldest first
    ///   - now: the time of this machine's clock, in seconds
    ///   - protected: ``VersionState/protected``, and other versions that must stay
    ///   - mostForAge: the number of newest versions among which age alone keeps one
    ///   - stored: returns the pieces of a version, including those of its manifest, and their bytes on disk. A piece
    ///     that several versions share counts once. It is called only if the rule limits space.
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
        // The newest version stays even if it is not protected.
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
    /// Returns the age of each version. The clock may be wrong by years for a while. So the time from one version to
    /// the next counts as at least nothing and at most a day.
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

/// The bytes that some versions take together. Versions share pieces.
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
