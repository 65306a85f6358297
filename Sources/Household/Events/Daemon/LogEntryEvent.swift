/// An entry of the log.
package struct LogEntryEvent: EventPayload, Codable {
    /// Word of the decision.
    package var event: String
    package var machine: PeerTag?
    /// Seconds since 1970.
    package var time: Int64
    package var details: [String: String]

    private enum CodingKeys: String, CodingKey {
        case event
        case machine = "peer"
        case time, details
    }
}
