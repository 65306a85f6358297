import Database
public import Vocabulary

/// An invitation that waits for the user's decision.
public struct WaitingInvitation: Hashable, Sendable {
    /// The id of the invitation.
    public let id: InvitationID
    /// The peer that invites.
    public let peer: PeerID
    /// The inviter's name.
    public let name: InstanceName?
    /// The session.
    public let session: SessionID
    /// The inviter's name for the session.
    public let sessionName: Label
    /// Bytes that the inviting application adds for the invited one.
    public let context: [UInt8]
    /// The need to type the code that the inviter shows.
    public let codeNeed: CodeNeed
    /// The time of its arrival.
    public let cameAt: WallTime
    /// The time until which the inviter waits.
    public let patienceUntil: WallTime

    /// Takes everything that is known about it.
    public init(
        id: InvitationID,
        peer: PeerID,
        name: InstanceName?,
        session: SessionID,
        sessionName: Label,
        context: [UInt8] = [],
        codeNeed: CodeNeed,
        cameAt: WallTime = .now,
        patienceUntil: WallTime
    ) {
        self.id = id
        self.peer = peer
        self.name = name
        self.session = session
        self.sessionName = sessionName
        self.context = context
        self.codeNeed = codeNeed
        self.cameAt = cameAt
        self.patienceUntil = patienceUntil
    }

    init(_ row: Row) throws(UnreadableValue) {
        id = try row.id("id")
        peer = try row.peer("peer")
        name = try row.optionalName("name")
        session = try row.id("session")
        sessionName = try row.required(try row.optionalLabel("session_name"), "session_name")
        context = try row.bytes("context")
        codeNeed = try row.required(CodeNeed(rawValue: try row.integer("code_need")), "code_need")
        cameAt = try row.time("came_at")
        patienceUntil = try row.time("patience_until")
    }
}
