/// A machine was accepted.
package struct AcceptedEvent: EventPayload, Codable {
    package var machine: PeerTag
    /// Id of the invitation, if there was one here.
    package var invitation: String?

    package init(_ machine: PeerTag, invitation: String? = nil) {
        (self.machine, self.invitation) = (machine, invitation)
    }

    package var event: String { "let-in" }

    private enum CodingKeys: String, CodingKey {
        case machine = "peer"
        case invitation
    }
}
