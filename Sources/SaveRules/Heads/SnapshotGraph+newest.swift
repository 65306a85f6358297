extension SnapshotGraph {
    /// Clocks of machines that ask the time of the same place differ by less, and so do the times at which people remember to have played.
    private static let doubt: Int64 = 120_000

    /// Which of some heads people would call the newest: the only one, or the one that was saved last. Nothing is decided by it.
    /// - Parameters:
    ///   - heads: at least one
    ///   - came: when each came here, in milliseconds since 1970 by the clock here
    /// - Returns: nil where clocks leave a doubt: two were saved at about the same time, one before what it follows, or one after it came
    public func newest(of heads: [SnapshotID], came: (SnapshotID) -> Int64?) -> SnapshotID? {
        guard heads.count > 1 else { return heads.first }
        let known = heads.compactMap { self[$0] }.sorted { $0.time > $1.time }
        guard known.count == heads.count, known.allSatisfy({ isPlausible($0, came: came($0.id)) }),
            let latest = known.first, !Self.isLater(known[1].time, than: latest.time, by: -Self.doubt)
        else { return nil }
        return latest.id
    }

    private func isPlausible(_ snapshot: Snapshot, came: Int64?) -> Bool {
        let parents = snapshot.parents.compactMap { self[$0]?.time }
        return !parents.contains { Self.isLater($0, than: snapshot.time, by: Self.doubt) }
            && !(came.map { Self.isLater(snapshot.time, than: $0, by: Self.doubt) } ?? false)
    }

    /// Times come from peers, and may be any.
    private static func isLater(_ one: Int64, than other: Int64, by count: Int64) -> Bool {
        let (bound, overflow) = other.addingReportingOverflow(count)
        return overflow ? count < 0 : one > bound
    }
}
