import Vocabulary

/// The known peers that a user may have meant.
public enum PeerMatch: Hashable, Sendable {
    /// No name and no id matches.
    case none
    /// Exactly this peer matches.
    case one(KnownPeer)
    /// Several peers match, of which at most ``limit`` are listed. The user must type more of the id.
    case several([KnownPeer])

    /// The greatest number of listed peers.
    public static let limit = 20

    init(_ peers: [KnownPeer]) {
        self =
            switch peers.count {
            case 0: .none
            case 1: .one(peers[0])
            default: .several(peers)
            }
    }
}
