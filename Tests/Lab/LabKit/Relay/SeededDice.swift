import LinuxPlatform

/// Random numbers that repeat with the same seed: SplitMix64, by Sebastiano Vigna, in the public domain.
public struct SeededDice: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Starts a sequence.
    public init(seed: UInt64) {
        state = seed
    }

    /// The next number of the sequence.
    public mutating func next() -> UInt64 { state.nextOfSplitMix() }
}
