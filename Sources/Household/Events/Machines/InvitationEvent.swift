/// An invitation that waits for the user.
package struct InvitationEvent: EventPayload, Codable {
    package var machine: PeerTag
    /// Name of the session.
    package var session: String
    /// Id of the invitation.
    package var invitation: String
    /// True if the user types the code that the other machine shows.
    package var needsCode: Bool

    package init(_ machine: PeerTag, session: String, invitation: String, needsCode: Bool) {
        (self.machine, self.session) = (machine, session)
        (self.invitation, self.needsCode) = (invitation, needsCode)
    }

    package var event: String { "invited" }

    private enum CodingKeys: String, CodingKey {
        case machine = "peer"
        case session, invitation, needsCode
    }
}
