public import Ledger
public import Vocabulary

/// The facts that a peer has told about itself. The peer is or was in a session. They are a label like its name: no
/// decision depends on them.
public struct PeerAccount: Sendable {
    /// The release of huddle.
    public let program: ProgramVersion
    /// The time of its clock.
    public let clock: WallTime
    /// The moment at which this machine received them.
    public let heard: ContinuousClock.Instant

    /// The seconds by which its clock is ahead of this machine's; negative if it is behind. If this machine's clock has
    /// been set since, the new time counts.
    ///
    /// - Parameters:
    ///   - now: the time of this machine's clock
    ///   - instant: the moment of that time
    public func secondsAhead(
        of now: WallTime = .now,
        at instant: ContinuousClock.Instant = .now
    ) -> Int64 {
        let passed = (instant - heard).components.seconds
        return (clock + passed).secondsSince1970 - now.secondsSince1970
    }
}

/// The last accounts of peers without a link, up to a limit.
struct FormerAccounts {
    private var accounts: [PeerID: PeerAccount] = [:]

    private static let limit = 128

    subscript(peer: PeerID) -> PeerAccount? { accounts[peer] }

    mutating func keep(_ account: PeerAccount, of peer: PeerID) {
        if accounts.count >= Self.limit, accounts[peer] == nil,
            let oldest = accounts.min(by: { $0.value.heard < $1.value.heard })?.key
        {
            accounts[oldest] = nil
        }
        accounts[peer] = account
    }
}
