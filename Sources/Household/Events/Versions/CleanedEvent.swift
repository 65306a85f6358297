/// Disk space was freed.
package struct CleanedEvent: EventPayload, Codable {
    private struct Counts: Codable, Hashable {
        var remaining: Int
    }

    package var bytes: UInt64
    private var counts: Counts

    package init(_ bytes: UInt64, remaining: UInt64) {
        (self.bytes, counts) = (bytes, Counts(remaining: Int(clamping: remaining)))
    }

    package var event: String { "cleaned" }
}
