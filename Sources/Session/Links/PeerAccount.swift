public import Ledger
public import Vocabulary

/// What a peer that is or was in a session said of itself. It is a label like its name: nothing is decided by it.
public struct PeerAccount: Sendable {
    /// Which huddle it is.
    public let program: ProgramVersion
    /// What its clock said.
    public let clock: WallTime
    /// When that was heard here.
    public let heard: ContinuousClock.Instant

    /// By how many seconds its clock is ahead of this machine's; less than nothing where it is behind. Where the clock here has been set
    /// since, that counts.
    ///
    /// - Parameters:
    ///   - now: what the clock here says
    ///   - instant: when that is
    public func secondsAhead(
        of now: WallTime = .now,
        at instant: ContinuousClock.Instant = .now
    ) -> Int64 {
        let passed = (instant - heard).components.seconds
        return (clock + passed).secondsSince1970 - now.secondsSince1970
    }
}
