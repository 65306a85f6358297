/// A measurement that failed.
package struct NotMeasuredEvent: EventPayload, Codable {
    package var kind: BenchKind
    package var machine: PeerTag
    package var problem: PassedOnError

    package var event: String { "not-measured" }

    private enum CodingKeys: String, CodingKey {
        case kind
        case machine = "peer"
        case problem
    }
}
