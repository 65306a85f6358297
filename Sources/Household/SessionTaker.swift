package import LinuxPlatform
package import Session
package import Vocabulary

/// Takes the sessions that peers open here for a purpose of their own, such as keeping saves in step. They say which by
/// the context of their invitation.
///
/// Only peers that policy accepts without a question reach a taker, so no person is asked about these sessions.
@Engine
package protocol SessionTaker: Sendable {
    /// The exact context of such an invitation.
    nonisolated var context: [UInt8] { get }

    /// Reads the session's events until it is over or the task is cancelled.
    func take(_ session: Session, from peer: PeerID) async

    /// There is a link to a peer, so it can be reached now.
    func reaches(_ peer: PeerID)
}
