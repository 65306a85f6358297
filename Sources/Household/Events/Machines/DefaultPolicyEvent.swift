/// The policy of machines without one of their own.
package struct DefaultPolicyEvent: EventPayload, Codable {
    package var policy: String

    package var event: String { "default-policy" }

    private enum CodingKeys: String, CodingKey {
        case policy = "kind"
    }
}
