import Database
public import SaveRules

/// The last claim of a peer that plays a set.
public struct KeptClaim: Hashable, Sendable {
    /// The claim.
    public let claim: LeaseClaim
    /// The time when it was received.
    public let heardAt: WallTime

    init(_ row: Row) throws(UnreadableValue) {
        claim = LeaseClaim(
            try row.peer("peer"),
            term: UInt64(bitPattern: try row.integer("term")),
            isHeld: true,
            played: .seconds(try row.integer("played_seconds"))
        )
        heardAt = try row.time("heard_at")
    }

    /// The time since the claim was received. If the clock was set back meanwhile, this is too short, but never
    /// negative.
    public func silence(at now: WallTime) -> Duration {
        let (seconds, overflow) = now.secondsSince1970.subtractingReportingOverflow(heardAt.secondsSince1970)
        return .seconds(overflow ? (now > heardAt ? .max : 0) : max(seconds, 0))
    }
}
