/// Inputs with random changes, the same for the same seed.
public struct Mutants {
    private let originals: [[UInt8]]
    private let rounds: Int
    private let seed: UInt64

    /// - Parameters:
    ///   - originals: the inputs to change by a few bytes each
    ///   - rounds: the number of changed inputs
    public init(of originals: [[UInt8]], rounds: Int, seed: UInt64) {
        precondition(!originals.isEmpty)
        (self.originals, self.rounds, self.seed) = (originals, rounds, seed)
    }

    /// The first violation, with its round and seed; nil if there is none.
    ///
    /// - Parameters:
    ///   - change: one of one to four changes
    ///   - violation: the violation of an input; nil if there is none
    public func firstViolation(
        changing change: (inout [UInt8], inout SeededGenerator) -> Void = Self.change,
        _ violation: ([UInt8]) -> String?
    ) -> String? {
        var dice = SeededGenerator(seed: seed)
        for round in 0..<rounds {
            var bytes = originals[Int.random(in: 0..<originals.count, using: &dice)]
            for _ in 0..<Int.random(in: 1...4, using: &dice) { change(&bytes, &dice) }
            if let violation = violation(bytes) { return "round \(round) of seed \(seed): \(violation)" }
        }
        return nil
    }

    /// Changes, removes or adds one byte.
    public static func change(_ bytes: inout [UInt8], _ dice: inout SeededGenerator) {
        guard !bytes.isEmpty else { return }
        let place = Int.random(in: 0..<bytes.count, using: &dice)
        switch Int.random(in: 0..<6, using: &dice) {
        case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &dice)
        case 1: bytes[place] = .random(in: .min ... .max, using: &dice)
        case 2: bytes[place] = bytes[Int.random(in: 0..<bytes.count, using: &dice)]
        case 3: bytes[place] &+= 1
        case 4: bytes.remove(at: place)
        default: bytes.insert(.random(in: .min ... .max, using: &dice), at: place)
        }
    }
}
