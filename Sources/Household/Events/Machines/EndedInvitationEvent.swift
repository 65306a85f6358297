/// An invitation that ended without a result.
package struct EndedInvitationEvent: EventPayload, Codable {
    package var machine: PeerTag
    package var invitation: String
    package var reason: String

    package var event: String { "invitation-over" }

    private enum CodingKeys: String, CodingKey {
        case machine = "peer"
        case invitation, reason
    }
}
