/// How a message is to travel.
public enum MCSessionSendDataMode: Int, Sendable {
    /// Whole, once, and in order, as long as the peer stays in the session.
    case reliable = 0
    /// At once or not at all, and in no order.
    case unreliable = 1
}
