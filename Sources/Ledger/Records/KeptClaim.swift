import Database
public import SaveRules

/// What a peer that plays a set said last of it.
public struct KeptClaim: Hashable, Sendable {
    /// What it said.
    public let claim: LeaseClaim
    /// When.
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

    /// For how long nothing more had been heard by then. A clock that was set back meanwhile makes that less, but never less than nothing.
    public func silence(at now: WallTime) -> Duration {
        let (seconds, overflow) = now.secondsSince1970.subtractingReportingOverflow(heardAt.secondsSince1970)
        return .seconds(overflow ? (now > heardAt ? .max : 0) : max(seconds, 0))
    }
}
