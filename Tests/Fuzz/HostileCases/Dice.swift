import TestSupport

/// Random choices that are the same for the same seed.
struct Dice: RandomNumberGenerator {
    private var generator: SeededGenerator

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
    }

    mutating func next() -> UInt64 { generator.next() }

    mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &generator) }

    /// True once in so many times.
    mutating func chance(of times: Int) -> Bool { below(times) == 0 }

    mutating func byte() -> UInt8 { UInt8.random(in: 0...255, using: &generator) }

    mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in byte() } }

    mutating func pick<Choices: RandomAccessCollection>(_ choices: Choices) -> Choices.Element {
        choices[choices.index(choices.startIndex, offsetBy: below(choices.count))]
    }

    /// Mostly small, and at times the limit.
    mutating func size(upTo limit: Int) -> Int {
        chance(of: 12) ? limit : 1 + below(chance(of: 4) ? min(limit, 2_000) : min(limit, 12))
    }
}
