public import Vocabulary

/// What happens in a session, in order.
public enum SessionEvent: Sendable {
    /// A peer is in.
    case joined(PeerID, InstanceName)
    /// Nothing is heard of a peer, or its link is gone. Messages wait; it is expected back.
    case away(PeerID, PartingReason)
    /// A peer that was away is back; what waited is on its way.
    case returned(PeerID)
    /// A peer is out, and why.
    case departed(PeerID, PartingReason)
    /// A message came.
    case message(Message)
    /// A peer opened a stream.
    case stream(IncomingStream)
    /// A peer offers a file or a folder; it waits for an answer.
    case resource(IncomingResource)

    /// Whose presence it is about.
    var presenceOf: PeerID? {
        switch self {
        case .joined(let peer, _), .away(let peer, _), .returned(let peer), .departed(let peer, _): peer
        case .message, .stream, .resource: nil
        }
    }
}
