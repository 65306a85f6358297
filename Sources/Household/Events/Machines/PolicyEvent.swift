/// The policy of a machine.
package struct PolicyEvent: EventPayload, Codable {
    package var machine: PeerTag
    /// Policy of its own, or `default`.
    package var policy: String
    /// Words of its permissions; nil if they did not change.
    package var allows: [String]?

    package var event: String { "policy" }

    private enum CodingKeys: String, CodingKey {
        case machine = "peer"
        case policy = "kind"
        case allows
    }
}
