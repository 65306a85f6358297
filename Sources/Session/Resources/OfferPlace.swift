import LinuxPlatform

/// The memory that an offer takes, for as long as the node keeps it.
struct OfferPlace {
    /// What is remembered of it at its end: names, sizes and the verdict. 256 of them are half of what each peer has for sure, so
    /// that a friend that sends many small files is not the one that has held much for the longest time.
    private static let memory = 1 << 10
    /// The machine that takes it, and what a program keeps of it.
    private static let work = 3 << 10

    let arrival = ContinuousClock.now
    private let remembered: MemoryShare
    private var working: MemoryShare?

    /// Nil if the peer has no room for one more.
    init?(of memory: Allowance) {
        guard let remembered = MemoryShare(Self.memory, of: memory),
            let working = MemoryShare(Self.work, of: memory)
        else { return nil }
        (self.remembered, self.working) = (remembered, working)
    }

    /// Keeps what is remembered alone.
    mutating func shrink() { working = nil }
}
