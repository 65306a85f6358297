import LinuxPlatform
import SessionRules
import Vocabulary

/// An invitation that is about to go out. If the same peer's comes first, the two are one: people meant to meet in one session, not in two.
@Engine
final class IntendedInvitation {
    let session: Session
    let purpose: InvitationPurpose
    /// Nil while an address is dialled, for nobody knows yet who is there.
    private(set) var peer: PeerID?
    /// Settled when it is known who is meant, when nobody is there, or when that takes too long.
    let isKnown = Promise<Void>()
    private var timer: ScheduledTimer?

    /// How long others' invitations wait for an address that is dialled. Longer, and one that leads nowhere would hold up everybody's.
    private static let patience = Duration.seconds(2)

    init(_ target: Node.Target, to session: Session, for purpose: InvitationPurpose) {
        (self.session, self.purpose) = (session, purpose)
        if case .peer(let peer) = target {
            leadsTo(peer)
            return
        }
        timer = Engine.schedule(at: .now + Self.patience) { [weak self] in self?.isKnown.settle(.success(())) }
    }

    func leadsTo(_ peer: PeerID) {
        self.peer = peer
        close()
    }

    func close() {
        timer?.cancel()
        isKnown.settle(.success(()))
    }
}
