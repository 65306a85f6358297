public import Vocabulary

/// The rule that chooses one of two connections between the same two peers. Both sides choose the same one without a
/// message.
public enum DuplicateLinks {
    /// The facts that tell connections apart.
    public struct Claim: Hashable, Sendable {
        /// The peer that dialled.
        public var dialler: PeerID
        /// The token of the run of the peer's program, from its Hello.
        public var runToken: UInt64
        /// The time at which it was established.
        public var since: ContinuousClock.Instant

        /// A claim with these values.
        public init(dialler: PeerID, runToken: UInt64, since: ContinuousClock.Instant) {
            self.dialler = dialler
            self.runToken = runToken
            self.since = since
        }
    }

    /// The connection that survives.
    public enum Survivor: Hashable, Sendable {
        /// The older one.
        case existing
        /// The newer one.
        case new
    }

    /// The longest time that a dial takes, and so the longest time between two crossed dials.
    public static let crossing = Duration.seconds(15)

    /// - Parameters:
    ///   - existing: the present link
    ///   - new: the connection whose handshake has just ended
    ///   - other: the peer that is not the dialler of `existing`
    public static func survivor(existing: Claim, new: Claim, other: PeerID) -> Survivor {
        // The peer's program was restarted, so it no longer knows the old link.
        if existing.runToken != new.runToken { return .new }
        // A peer with a link does not dial, so a second dial means that it has lost the old one.
        if existing.dialler == new.dialler || new.since - existing.since > crossing { return .new }
        return existing.dialler < other ? .existing : .new
    }
}
