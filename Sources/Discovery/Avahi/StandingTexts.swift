import Vocabulary

/// The TXT records of one service that stand in Avahi's caches, and which of them is the service's own now.
///
/// Avahi keeps a replaced record for a second, and one that was replaced within a second of its last announcement for 75 minutes (RFC 6762
/// section 10.2). A new question gets them all, and the last one to come is the oldest. Its run token tells each from those of
/// another life.
struct StandingTexts {
    typealias Instant = ContinuousClock.Instant

    private struct Text {
        let bytes: [UInt8]
        let link: UInt32
        let record: TXTRecord
        let run: RunToken?
    }

    /// In the order in which they came, once for each link and family.
    private var texts: [Text] = []
    /// Who has said goodbye. Its other records can stay in a cache for longer than the goodbye.
    private var ended: Set<RunToken> = []
    /// Whether somebody tells of the records as they come and go.
    private var areFollowed = false
    /// The record that counted last.
    private var believed: TXTRecord?
    /// When records of two lives that stand side by side will have done so for too long to wait for one of them to go.
    private var settleBy: Instant?

    /// Avahi drops what was replaced a second later, or after the next announcement, which comes within another.
    static let patience: Duration = .seconds(3)
    /// One for each link and family, and for as many again that are being replaced; a service that sends more is a burden.
    static let limit = 32

    var count: Int { texts.count }

    /// Whether the records are asked for, and none of them has counted yet.
    var areAwaited: Bool { areFollowed && believed == nil }

    /// The records are asked for: none counts that anybody else tells of.
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

    /// Avahi no longer says when they change.
    mutating func forget() { self = StandingTexts() }

    /// The record that counts; nil where none has yet. While those of two lives stand, it stays the one that counted before.
    ///
    /// On a link on which the service is not seen, an old record can stay for long: on the loopback of a machine whose name another machine has now.
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

    /// The next moment at which ``current(on:at:)`` answers something else by itself.
    func deadline(after now: Instant) -> Instant? { settleBy.flatMap { $0 > now ? $0 : nil } }

    /// Whether that moment has come.
    func isDue(at now: Instant) -> Bool { settleBy.map { $0 <= now } ?? false }
}
