/// A figure of a measurement.
package struct MeasuredEvent: EventPayload, Codable {
    package var kind: BenchKind
    package var machine: PeerTag?
    /// Whole numbers by name.
    package var counts: [String: Int]
    /// The slower one of a sum.
    package var slowest: BenchKind?

    package var event: String { "measured" }

    private enum CodingKeys: String, CodingKey {
        case kind
        case machine = "peer"
        case counts
        case slowest = "text"
    }
}
