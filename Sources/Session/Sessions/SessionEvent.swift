public import Vocabulary

/// An event of a session.
public enum SessionEvent: Sendable {
    /// A peer has joined.
    case joined(PeerID, InstanceName)
    /// A peer is silent, or its link is lost. Messages wait; the peer is expected again.
    case away(PeerID, PartingReason)
    /// A peer that was not connected is connected again. The messages that waited are on their way.
    case returned(PeerID)
    /// A peer has left, with the reason.
    case departed(PeerID, PartingReason)
    /// A message arrived.
    case message(Message)
    /// A peer opened a stream.
    case stream(IncomingStream)
    /// A peer offers a file or a folder; it waits for an answer.
    case resource(IncomingResource)

    /// The peer whose presence has changed.
    var presenceOf: PeerID? {
        switch self {
        case .joined(let peer, _), .away(let peer, _), .returned(let peer), .departed(let peer, _): peer
        case .message, .stream, .resource: nil
        }
    }
}
