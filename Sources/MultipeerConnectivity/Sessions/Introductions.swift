import Vocabulary

/// The peers that a member has introduced, with the member's token.
struct Introductions {
    let token: String
    private(set) var peers: Set<PeerID> = []
    /// In the order of introduction. Beyond the limit, the first are dropped: in a long session they have joined
    /// already, or never will.
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
