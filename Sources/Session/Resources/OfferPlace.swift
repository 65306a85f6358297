import LinuxPlatform

/// The memory of an offer, for as long as the node keeps it.
struct OfferPlace {
    /// The part that stays after the offer's end: names, sizes and the verdict. 256 of them are half of each peer's
    /// floor. So a paired machine that sends many small files is not the one that has held much for the longest time.
    private static let memory = 1 << 10
    /// The part for the offer's state machine and for the program that takes it.
    private static let work = 3 << 10

    let arrival = ContinuousClock.now
    private let remembered: MemoryShare
    private var working: MemoryShare?

    /// Takes the memory; nil if the peer has no room for one more.
    init?(of memory: Allowance) {
        guard let remembered = MemoryShare(Self.memory, of: memory),
            let working = MemoryShare(Self.work, of: memory)
        else { return nil }
        (self.remembered, self.working) = (remembered, working)
    }

    /// Keeps only the part that stays.
    mutating func shrink() { working = nil }
}
