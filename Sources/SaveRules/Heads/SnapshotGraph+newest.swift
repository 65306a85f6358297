extension SnapshotGraph {
    /// The tolerance for times, in milliseconds. Clocks of machines that use the same time server differ by less, and
    /// so do the times at which users remember that they played.
    private static let doubt: Int64 = 120_000

    /// Returns the head that users would call the newest: the only one, or the one that was saved last. Nothing depends
    /// on it.
    /// - Parameters:
    ///   - heads: at least one head
    ///   - came: returns the time at which a head came here, in milliseconds since 1970 by this machine's clock
    /// - Returns: nil if the clocks leave a doubt: two were saved at about the same time, one was saved before its
    ///   parent, or one was saved after it came
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

    /// Compares without overflow: times come from peers, and may have any value.
    private static func isLater(_ one: Int64, than other: Int64, by count: Int64) -> Bool {
        let (bound, overflow) = other.addingReportingOverflow(count)
        return overflow ? count < 0 : one > bound
    }
}
