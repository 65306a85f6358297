import LinuxPlatform

/// The outcome of a wait for the newest version.
public enum PlayReadiness: Hashable, Sendable {
    /// All versions that are known to be newest are in the folder.
    case ready
    /// The user has to choose between versions first.
    case conflict
    /// It did not come in time.
    case late
}

/// The wait for the newest version between the moment in which this machine gets the play lock and the game: the machine that released the
/// lock saved last.
public struct NewestWait: Sendable {
    let limit: Duration
    let check: @Engine @Sendable (PlayReadiness) throws -> Void

    /// - Parameters:
    ///   - limit: how long to wait for it
    ///   - check: throws if the game must not begin with what there is
    public init(within limit: Duration, _ check: @escaping @Engine @Sendable (PlayReadiness) throws -> Void) {
        (self.limit, self.check) = (limit, check)
    }
}
