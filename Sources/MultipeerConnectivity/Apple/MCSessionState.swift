/// State of a peer in a session.
public enum MCSessionState: Int, Sendable {
    /// It is not in the session: it declined, could not be reached, or has left.
    case notConnected = 0
    /// It is joining, or returning after a lost connection.
    case connecting = 1
    /// It is in the session and receives messages.
    case connected = 2
}
