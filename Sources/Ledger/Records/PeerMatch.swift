import Vocabulary

/// Which known peers a person may have meant.
public enum PeerMatch: Hashable, Sendable {
    /// No name and no id is like that.
    case none
    /// This one.
    case one(KnownPeer)
    /// More than one; the person has to say more of the id. At most ``limit`` of them are listed.
    case several([KnownPeer])

    /// How many are listed.
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
