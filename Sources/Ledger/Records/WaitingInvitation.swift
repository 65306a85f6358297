import Database
public import Vocabulary

/// An invitation that a person has to decide on.
public struct WaitingInvitation: Hashable, Sendable {
    /// Its own id.
    public let id: InvitationID
    /// Who invites.
    public let peer: PeerID
    /// What the inviter calls itself.
    public let name: InstanceName?
    /// The session.
    public let session: SessionID
    /// What the inviter calls the session.
    public let sessionName: Label
    /// What the inviting application adds, for the invited one to understand.
    public let context: [UInt8]
    /// Whether the person has to type the code that the inviter shows.
    public let codeNeed: CodeNeed
    /// When it came.
    public let cameAt: WallTime
    /// Until when the inviter waits.
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
