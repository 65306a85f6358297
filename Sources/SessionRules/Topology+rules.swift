public import Vocabulary

extension Topology {
    /// How long the larger of two ids leaves it to the smaller to dial, before it dials too. Between the two there may be a
    /// firewall that lets connections through in one direction only.
    public static let stepInAfter = Duration.seconds(5)

    /// How many members there may be; nil where the topology sets no limit.
    public var capacity: Int? {
        switch self {
        case .pair: 2
        case .star, .mesh: nil
        }
    }

    /// Whether two members are to be connected.
    /// - Parameter host: who made the session
    public func connects(_ one: PeerID, _ other: PeerID, host: PeerID) -> Bool {
        guard one != other else { return false }
        switch self {
        case .pair, .star: return one == host || other == host
        case .mesh: return true
        }
    }

    /// Whom a member is connected to.
    public func neighbours(of own: PeerID, host: PeerID, members: some Sequence<PeerID>) -> [PeerID] {
        members.filter { connects(own, $0, host: host) }
    }

    /// Whom a member tells about all members when somebody joins; the others find no one to connect to in such a list.
    public func isTold(_ member: PeerID, host: PeerID) -> Bool {
        switch self {
        case .pair, .star: member == host
        case .mesh: true
        }
    }

    /// When a member dials another that it is to be connected to and is not yet: at once, or after a while.
    public static func waitBeforeDialling(from own: PeerID, to other: PeerID) -> Duration {
        own < other ? .zero : stepInAfter
    }
}
