/// How long to wait in the matter of a lease.
public struct LeasePatience: Hashable, Sendable {
    /// For objections, before one's own claim is granted.
    public var objection: Duration
    /// Between one word that one still plays and the next.
    public var renewal: Duration
    /// For the next claim of the holder, before it counts as dead.
    public var expiry: Duration
    /// For the holder to stop playing when asked.
    public var request: Duration
    /// For a game that ran here when the program ended to be heard of again.
    public var comeback: Duration
    /// For a file of the set that is open for writing to be closed, before that counts as playing: longer than saving takes.
    public var saving: Duration

    /// One second, 15 and 60 seconds, two minutes, and twice ten seconds, if nothing else is said.
    public init(
        objection: Duration = .seconds(1),
        renewal: Duration = .seconds(15),
        expiry: Duration = .seconds(60),
        request: Duration = .seconds(120),
        comeback: Duration = .seconds(10),
        saving: Duration = .seconds(10)
    ) {
        precondition(.zero < renewal && renewal < expiry, "a lease is renewed before it runs out")
        (self.objection, self.renewal, self.expiry, self.request) = (objection, renewal, expiry, request)
        (self.comeback, self.saving) = (comeback, saving)
    }
}
