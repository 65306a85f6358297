/// A set of small numbers from 0 to a fixed limit, at one bit each.
struct BitSet {
    private var words: [UInt64]

    init(count: Int) {
        words = Array(repeating: 0, count: (count + 63) / 64)
    }

    subscript(index: Int) -> Bool { words[index / 64] >> UInt64(index % 64) & 1 == 1 }

    /// Inserts a number; returns true if it was not in the set before.
    mutating func insert(_ index: Int) -> Bool {
        let bit: UInt64 = 1 << UInt64(index % 64)
        guard words[index / 64] & bit == 0 else { return false }
        words[index / 64] |= bit
        return true
    }
}
