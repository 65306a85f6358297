/// Reliability of a message.
public enum MCSessionSendDataMode: Int, Sendable {
    /// Completely, once, and in order, while the peer stays in the session.
    case reliable = 0
    /// Immediately or not at all, in no order.
    case unreliable = 1
}
