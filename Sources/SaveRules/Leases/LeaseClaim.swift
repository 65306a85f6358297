public import Vocabulary

/// The claim of a machine that plays a game, or wants to.
public struct LeaseClaim: Hashable, Sendable {
    /// The machine that plays or wants to.
    public let peer: PeerID
    /// The number of times that the play lock was taken by force before this claim. The greater number wins.
    public let term: UInt64
    /// True if the machine plays; false if it only asks for objections.
    public let isHeld: Bool
    /// The time for which the machine has played, by its own clock.
    public let played: Duration

    /// - Parameters:
    ///   - peer: the machine that plays or wants to
    ///   - term: the number of times that the play lock was taken by force
    ///   - isHeld: true if the machine plays; false if it only asks to
    ///   - played: the time for which it has played
    public init(_ peer: PeerID, term: UInt64, isHeld: Bool, played: Duration = .zero) {
        (self.peer, self.term, self.isHeld, self.played) = (peer, term, isHeld, played)
    }

    /// True if this claim wins over the other. Two machines that were cut off from each other may both play, or both
    /// ask. All machines that hear both claims come to the same result.
    func prevails(over other: LeaseClaim) -> Bool {
        if isHeld != other.isHeld { return isHeld }
        if term != other.term { return term > other.term }
        return peer < other.peer
    }
}
