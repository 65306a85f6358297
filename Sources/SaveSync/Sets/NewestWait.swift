import LinuxPlatform

/// The outcome of a wait for the newest version.
public enum PlayReadiness: Hashable, Sendable {
    /// All versions that are known to be newest are in the folder.
    case ready
    /// The user must choose between versions first.
    case conflict
    /// The newest version did not arrive in time.
    case late
}

/// The wait for the newest version before a game begins, once this machine has the play lock. The machine that released
/// the lock saved last.
public struct NewestWait: Sendable {
    let limit: Duration
    let check: @Engine @Sendable (PlayReadiness) throws -> Void

    /// - Parameters:
    ///   - limit: the longest wait
    ///   - check: throws if the game must not begin with this outcome
    public init(within limit: Duration, _ check: @escaping @Engine @Sendable (PlayReadiness) throws -> Void) {
        (self.limit, self.check) = (limit, check)
    }
}
