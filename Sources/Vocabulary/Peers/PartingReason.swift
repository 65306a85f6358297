/// The reason why a peer is not connected. Every change of state has one.
public enum PartingReason: UInt8, CaseIterable, Hashable, Sendable {
    /// The user or the policy of the peer declined.
    case declined = 1
    /// This machine blocks the peer. It is never sent to the peer.
    case blocked = 2
    /// No answer came in time.
    case timedOut = 3
    /// No connection could be made.
    case unreachable = 4
    /// The two have no common version of the protocol.
    case wrongVersion = 5
    /// A known name has another key.
    case keyChanged = 6
    /// One side has reached its limit of peers.
    case full = 7
    /// The peer left the session.
    case left = 8
    /// The peer's program is stopping.
    case shuttingDown = 9
    /// The peer stopped answering.
    case lost = 10
    /// The peer broke the protocol.
    case brokeProtocol = 11
    /// The codes on the two screens differ.
    case wrongCode = 12
    /// Too many wrong codes; the peer must wait.
    case lockedOut = 13
    /// The inviter cancelled the invitation.
    case withdrawn = 14
    /// Another connection between the same two replaced this one.
    case replaced = 15
    /// The peer has no permission.
    case notPermitted = 16
    /// This machine has removed the peer. It is never sent to the peer.
    case forgotten = 17

    /// True if a peer may learn it. To a blocked or removed machine it looks like a lost connection.
    public var isSaid: Bool { self != .blocked && self != .forgotten }

    /// A stable word for programs.
    public var word: String {
        switch self {
        case .declined: "declined"
        case .blocked: "blocked"
        case .timedOut: "timed-out"
        case .unreachable: "unreachable"
        case .wrongVersion: "wrong-version"
        case .keyChanged: "key-changed"
        case .full: "full"
        case .left: "left"
        case .shuttingDown: "shutting-down"
        case .lost: "lost"
        case .brokeProtocol: "broke-protocol"
        case .wrongCode: "wrong-code"
        case .lockedOut: "locked-out"
        case .withdrawn: "withdrawn"
        case .replaced: "replaced"
        case .notPermitted: "not-permitted"
        case .forgotten: "forgotten"
        }
    }
}
