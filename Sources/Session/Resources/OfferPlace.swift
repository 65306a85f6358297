import LinuxPlatform

/// What is kept of an offer, for as long as it is.
struct OfferPlace {
    /// The offer, the machine that takes it, and what a program keeps of it.
    private static let byteCount = 4 << 10

    let arrival = ContinuousClock.now
    private let share: MemoryShare

    /// Nil where the peer has no room for one more.
    init?(of memory: Allowance) {
        guard let share = MemoryShare(Self.byteCount, of: memory) else { return nil }
        self.share = share
    }
}
