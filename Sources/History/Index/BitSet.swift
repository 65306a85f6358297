/// A mark for each of many things that are numbered from 0: an eighth of a byte each.
struct BitSet {
    private var words: [UInt64]

    init(count: Int) {
        words = Array(repeating: 0, count: (count + 63) / 64)
    }

    subscript(index: Int) -> Bool { words[index / 64] >> UInt64(index % 64) & 1 == 1 }

    /// Marks one, and says whether it was not marked before.
    mutating func insert(_ index: Int) -> Bool {
        let bit: UInt64 = 1 << UInt64(index % 64)
        guard words[index / 64] & bit == 0 else { return false }
        words[index / 64] |= bit
        return true
    }
}
