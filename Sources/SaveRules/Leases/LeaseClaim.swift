public import Vocabulary

/// The claim of a peer to play a set: it wants to, or it does.
public struct LeaseClaim: Hashable, Sendable {
    /// Who.
    public let peer: PeerID
    /// How often the lease had been taken by force when this was said. The greater number wins.
    public let term: UInt64
    /// True if it plays; otherwise it asks whether anybody minds.
    public let isHeld: Bool
    /// For how long it has played, by its own measure.
    public let played: Duration

    /// - Parameters:
    ///   - peer: who
    ///   - term: how often the lease had been taken by force
    ///   - isHeld: whether it plays, or only asks to
    ///   - played: for how long it has
    public init(_ peer: PeerID, term: UInt64, isHeld: Bool, played: Duration = .zero) {
        (self.peer, self.term, self.isHeld, self.played) = (peer, term, isHeld, played)
    }

    /// Which of two machines that were apart and both play keeps the lease, or of two that both ask gets it. Everybody who
    /// hears both comes to the same.
    func prevails(over other: LeaseClaim) -> Bool {
        if isHeld != other.isHeld { return isHeld }
        if term != other.term { return term > other.term }
        return peer < other.peer
    }
}
