public import Vocabulary

/// Which of two connections between the same two peers survives. Both sides come to the same answer without asking.
public enum DuplicateLinks {
    /// What tells connections apart.
    public struct Claim: Hashable, Sendable {
        /// Who dialled.
        public var dialler: PeerID
        /// Which run of the peer's program said Hello.
        public var runToken: UInt64
        /// When it was established.
        public var since: ContinuousClock.Instant

        /// Takes the three as they are.
        public init(dialler: PeerID, runToken: UInt64, since: ContinuousClock.Instant) {
            self.dialler = dialler
            self.runToken = runToken
            self.since = since
        }
    }

    /// Which one survives.
    public enum Survivor: Hashable, Sendable {
        /// The one that was there.
        case existing
        /// The one that came.
        case new
    }

    /// How long a dial can take at most, so how far crossed dials can lie apart.
    public static let crossing = Duration.seconds(15)

    /// - Parameters:
    ///   - existing: the link there is
    ///   - new: the connection that was just greeted
    ///   - other: whichever of the two peers is not the dialler of `existing`
    public static func survivor(existing: Claim, new: Claim, other: PeerID) -> Survivor {
        // The peer was started anew, so it knows nothing of the old one any more.
        if existing.runToken != new.runToken { return .new }
        // Nobody dials who has a link: dialling again means that the old one is dead over there.
        if existing.dialler == new.dialler || new.since - existing.since > crossing { return .new }
        return existing.dialler < other ? .existing : .new
    }
}
