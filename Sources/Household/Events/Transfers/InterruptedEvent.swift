/// The receiver of a transfer does not answer.
package struct InterruptedEvent: EventPayload, Codable {
    package var machine: PeerTag
    package var name: String
    package var transfer: Int
    package var reason: String
    /// Seconds since 1970.
    package var since: Int64

    package var event: String { "interrupted" }

    private enum CodingKeys: String, CodingKey {
        case machine = "peer"
        case name, transfer, reason
        case since = "time"
    }
}
