package import LinuxPlatform
package import Session
package import Vocabulary

/// Takes the sessions that peers open here for a purpose of their own, such as syncing saves. The context of their
/// invitation names the purpose.
///
/// Only peers that policy accepts without a question reach a taker, so the user is not asked about these sessions.
@Engine
package protocol SessionHandler: Sendable {
    /// The exact context of such an invitation.
    nonisolated var context: [UInt8] { get }

    /// Reads the session's events until it is over or the task is cancelled.
    func take(_ session: Session, from peer: PeerID) async

    /// Notes that a link to a peer exists, so the peer can be reached now.
    func reaches(_ peer: PeerID)

    /// Notes that the link to a peer is gone.
    func loses(_ peer: PeerID)
}
