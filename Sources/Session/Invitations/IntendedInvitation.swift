import LinuxPlatform
import SessionRules
import Vocabulary

/// An invitation that is about to be sent. If the same peer's invitation comes first, the two are one: the users want
/// one session, not two.
@Engine
final class IntendedInvitation {
    let session: Session
    let purpose: InvitationPurpose
    /// The peer; nil while an address is dialled, because the machine there is unknown.
    private(set) var peer: PeerID?
    /// Settles when the peer is known, when no machine answers, or when that takes too long.
    let isKnown = Promise<Void>()
    private var timer: ScheduledTimer?

    /// The time for which invitations of others wait for a dial. An address without a machine must not delay them
    /// longer.
    private static let patience = Duration.seconds(2)

    init(_ target: DialTarget, to session: Session, for purpose: InvitationPurpose) {
        (self.session, self.purpose) = (session, purpose)
        if case .peer(let peer) = target {
            setPeer(peer)
            return
        }
        timer = Engine.schedule(at: .now + Self.patience) { [weak self] in self?.isKnown.settle(.success(())) }
    }

    func setPeer(_ peer: PeerID) {
        self.peer = peer
        close()
    }

    func close() {
        timer?.cancel()
        isKnown.settle(.success(()))
    }
}
