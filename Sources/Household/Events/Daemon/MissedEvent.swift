/// The lines that a slow reader missed.
package struct MissedEvent: EventPayload, Codable {
    package var count: Int64

    package var event: String { "missed" }

    private enum CodingKeys: String, CodingKey {
        case count = "number"
    }
}
