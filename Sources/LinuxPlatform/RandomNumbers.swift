import Synchronization

/// The program's random numbers: the system's, or in a simulation those that a seed determines.
///
/// The system's own generator is a value without a byte, and the thread sanitizer ends the program if one is passed as
/// an inout argument. This one has a byte.
public struct RandomNumbers: RandomNumberGenerator, Sendable {
    private static let isSeeded = Atomic<Bool>(false)
    private static let seeded = Mutex<UInt64>(0)

    private var system = SystemRandomNumberGenerator()
    private var isUsed = false

    /// Creates a generator.
    public init() {}

    /// The next number.
    public mutating func next() -> UInt64 {
        isUsed = true
        guard Self.isSeeded.load(ordering: .relaxed) else { return system.next() }
        return Self.seeded.withLock { $0.nextOfSplitMix() }
    }

    /// One number.
    package static func next() -> UInt64 {
        var numbers = RandomNumbers()
        return numbers.next()
    }

    /// Makes all numbers of the program follow from a seed from now on: only for a simulated program.
    package static func seed(_ seed: UInt64) {
        seeded.withLock { $0 = seed }
        isSeeded.store(true, ordering: .relaxed)
    }
}

extension UInt64 {
    /// Advances the state of a SplitMix64 generator, and returns its next number.
    package mutating func nextOfSplitMix() -> UInt64 {
        self &+= 0x9E37_79B9_7F4A_7C15
        var mixed = self
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
