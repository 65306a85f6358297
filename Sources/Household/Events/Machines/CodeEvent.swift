/// The code that the user types at the other machine.
package struct CodeEvent: EventPayload, Codable {
    package var machine: PeerTag
    package var invitation: String
    package var code: String

    package var event: String { "code" }

    private enum CodingKeys: String, CodingKey {
        case machine = "peer"
        case invitation, code
    }
}
