public import Vocabulary

extension Topology {
    /// The time that the peer with the larger ID waits for the other one to dial, before it dials as well. A firewall
    /// between the two may allow connections in one direction only.
    public static let stepInAfter = Duration.seconds(5)

    /// The most members; nil if the topology has no limit.
    public var capacity: Int? {
        switch self {
        case .pair: 2
        case .star, .mesh: nil
        }
    }

    /// Returns true if two members connect with each other.
    ///
    /// - Parameter host: the peer that made the session
    public func connects(_ one: PeerID, _ other: PeerID, host: PeerID) -> Bool {
        guard one != other else { return false }
        switch self {
        case .pair, .star: return one == host || other == host
        case .mesh: return true
        }
    }

    /// The members that a member connects with.
    public func neighbours(of own: PeerID, host: PeerID, members: some Sequence<PeerID>) -> [PeerID] {
        members.filter { connects(own, $0, host: host) }
    }

    /// Returns true for a member that gets the list of all members when a peer joins. The others would find no further
    /// peer to connect with in that list.
    public func isReported(_ member: PeerID, host: PeerID) -> Bool {
        switch self {
        case .pair, .star: member == host
        case .mesh: true
        }
    }

    /// The wait before a member dials another one that it connects with.
    public static func waitBeforeDialling(from own: PeerID, to other: PeerID) -> Duration {
        own < other ? .zero : stepInAfter
    }
}
