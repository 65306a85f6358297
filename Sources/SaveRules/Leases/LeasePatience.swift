/// The waiting times of the play lock.
public struct LeasePatience: Hashable, Sendable {
    /// The time to wait for objections before this machine grants its own claim.
    public var objection: Duration
    /// The interval at which the playing machine repeats its claim.
    public var renewal: Duration
    /// The time to wait for the next claim of the holder. After it, the holder counts as gone.
    public var expiry: Duration
    /// The time to wait for the holder to stop playing after a user asked for that.
    public var request: Duration
    /// The time after a restart of the daemon to wait for a game that ran before it.
    public var comeback: Duration
    /// The time for which a file of the game may be open for writing before that counts as playing. It is longer than a
    /// game takes to save.
    public var saving: Duration

    /// By default: 1, 15 and 60 seconds, two minutes, and 10 seconds for each of the last two.
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
