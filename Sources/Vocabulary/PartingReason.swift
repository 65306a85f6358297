/// Why a peer is not, or no longer, connected. Every change of state carries one.
public enum PartingReason: UInt8, CaseIterable, Hashable, Sendable {
    /// A person or the policy there said no.
    case declined = 1
    /// This machine blocks the peer. It is never said to the peer.
    case blocked = 2
    /// Nobody answered in time.
    case timedOut = 3
    /// No connection could be made.
    case unreachable = 4
    /// The two speak no common version.
    case wrongVersion = 5
    /// A known name came with another key.
    case keyChanged = 6
    /// One side has no room for another peer.
    case full = 7
    /// The peer left the session.
    case left = 8
    /// The program there is stopping.
    case shuttingDown = 9
    /// The peer fell silent.
    case lost = 10
    /// The peer said something that the protocol does not allow.
    case brokeProtocol = 11
    /// The codes on the two screens were not the same.
    case wrongCode = 12
    /// Too many wrong codes; it has to wait.
    case lockedOut = 13
    /// The one that invited took it back.
    case withdrawn = 14
    /// Another connection between the same two took this one's place.
    case replaced = 15
    /// The peer is not allowed to do that.
    case notPermitted = 16
    /// This machine has forgotten the peer. It is never said to the peer.
    case forgotten = 17

    /// Whether a peer may hear it. What a person does against a machine, that machine sees as a connection that breaks.
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
