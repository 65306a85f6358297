import Vocabulary

/// The TXT records of one service in Avahi's caches, and the rule that selects the current one.
///
/// Avahi keeps a replaced record for one second. It keeps a record for 75 minutes if the replacement came within a
/// second of its last announcement (RFC 6762 section 10.2). A new query returns all of them, the oldest last. The run
/// token tells the records of different program runs apart.
struct CachedTXTRecords {
    typealias Instant = ContinuousClock.Instant

    private struct Text {
        let bytes: [UInt8]
        let link: UInt32
        let record: TXTRecord
        let run: RunToken?
    }

    /// In order of arrival, once for each link and address family.
    private var texts: [Text] = []
    /// The runs that said goodbye. Their other records can stay in a cache for longer than the goodbye.
    private var ended: Set<RunToken> = []
    /// True if a TXT query reports the records as they come and go.
    private var areFollowed = false
    /// The last record that counted.
    private var believed: TXTRecord?
    /// The time at which the newest record counts although records of two runs are present.
    private var settleBy: Instant?

    /// Avahi drops a replaced record within a second, or after the next announcement, which follows within another
    /// second.
    static let patience: Duration = .seconds(3)
    /// One record for each link and family, and as many that are being replaced. The limit bounds the memory that a
    /// hostile service can use.
    static let limit = 32

    var count: Int { texts.count }

    /// True if a query for the records is open and no record has counted yet.
    var areAwaited: Bool { areFollowed && believed == nil }

    /// Notes that a query for the records is open. From now on a record that a resolver reports no longer counts.
    mutating func follow() { areFollowed = true }

    mutating func add(_ bytes: [UInt8], on link: UInt32) {
        let record = TXTRecord.read(bytes).record
        let run = RunToken(in: record)
        texts.append(Text(bytes: bytes, link: link, record: record, run: run))
        if texts.count > Self.limit { texts.removeFirst() }
        if let run, LeavingMark.stands(in: record), ended.count < Self.limit { ended.insert(run) }
    }

    mutating func remove(_ bytes: [UInt8], on link: UInt32) {
        if let place = texts.firstIndex(where: { $0.link == link && $0.bytes == bytes }) { texts.remove(at: place) }
    }

    /// Notes that the query is closed: Avahi no longer reports changes.
    mutating func forget() { self = CachedTXTRecords() }

    /// The record that counts; nil if there is none yet. While records of two runs are present, the previous one stays.
    ///
    /// Records on links without a sighting don't count. An old record can stay for long on the loopback of a machine
    /// whose name now belongs to another machine.
    mutating func current(on links: some Sequence<Link>, at now: Instant) -> TXTRecord? {
        let seen = Set(links.map(\.index))
        let candidates = texts.filter { seen.contains($0.link) }
        let living = candidates.filter { text in text.run.map { !ended.contains($0) } ?? true }
        let isDisputed = Set(living.map(\.run)).count > 1
        settleBy = isDisputed ? settleBy ?? now + Self.patience : nil
        if isDisputed, !isDue(at: now), let believed, living.contains(where: { $0.record == believed }) {
            return believed
        }
        believed = (living.last ?? candidates.last { LeavingMark.stands(in: $0.record) })?.record ?? believed
        return believed
    }

    /// The next moment at which ``current(on:at:)`` changes its result without a new record.
    func deadline(after now: Instant) -> Instant? { settleBy.flatMap { $0 > now ? $0 : nil } }

    /// True if that moment has passed.
    func isDue(at now: Instant) -> Bool { settleBy.map { $0 <= now } ?? false }
}
