/// How a peer stands to a session.
public enum MCSessionState: Int, Sendable {
    /// It is not in the session: it declined, could not be reached, or has left.
    case notConnected = 0
    /// It is about to come in, or to come back after its connection broke.
    case connecting = 1
    /// It is in, and can be sent to.
    case connected = 2
}
