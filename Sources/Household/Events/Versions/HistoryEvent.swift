/// The disk space of all versions.
package struct HistoryEvent: EventPayload, Codable {
    private struct Counts: Codable, Hashable {
        var garbage: Int
        var remaining: Int
        var pieces: Int
    }

    package var bytes: UInt64
    private var counts: Counts

    /// - Parameters:
    ///   - garbage: bytes that can be freed
    ///   - remaining: unused bytes that are kept
    package init(_ bytes: UInt64, garbage: UInt64, remaining: UInt64, pieces: Int) {
        self.bytes = bytes
        counts = Counts(garbage: Int(clamping: garbage), remaining: Int(clamping: remaining), pieces: pieces)
    }

    package var event: String { "history" }
}
