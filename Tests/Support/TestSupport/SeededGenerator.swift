/// Random numbers in the same order for the same seed (SplitMix64), so that a failure can be repeated.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Starts the sequence of a seed.
    public init(seed: UInt64) {
        state = seed
    }

    /// The next number of the sequence.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// The next bytes of the sequence, eight from each number.
    ///
    /// In a debug build, three million calls of `random(in:using:)` take seconds, and under a sanitizer a minute.
    public mutating func bytes(_ count: Int) -> [UInt8] {
        var words: [UInt64] = []
        words.reserveCapacity(count / 8 + 1)
        for _ in 0...(count / 8) { words.append(next().bigEndian) }
        return words.withUnsafeBytes { Array($0.prefix(count)) }
    }
}
