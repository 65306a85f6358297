import Vocabulary

/// Whom a member has told of, and what it called its side of the session by then.
struct Introductions {
    let token: String
    private(set) var peers: Set<PeerID> = []
    /// In the order in which they were told of. Of too many the first are forgotten: in a session that lasts, they have long come, or never will.
    private var order: [PeerID] = []

    static let limit = 1024

    init(_ token: String) {
        self.token = token
    }

    mutating func add(_ peer: PeerID) {
        guard peers.insert(peer).inserted else { return }
        order.append(peer)
        if order.count > Self.limit { peers.remove(order.removeFirst()) }
    }

    mutating func remove(_ peer: PeerID) {
        if peers.remove(peer) != nil { order.removeAll { $0 == peer } }
    }
}
