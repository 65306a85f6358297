/// The entries of a folder that can't be sent.
package struct SkippedEvent: EventPayload, Codable {
    package var path: String
    package var count: Int64

    package var event: String { "left-out" }

    private enum CodingKeys: String, CodingKey {
        case path
        case count = "number"
    }
}
