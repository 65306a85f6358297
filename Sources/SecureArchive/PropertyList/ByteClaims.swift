/// The bytes of a file that already belong to an object: one bit for each.
struct ByteClaims {
    private var words: [UInt64]

    init(count: Int) {
        words = Array(repeating: 0, count: count / 64 + 1)
    }

    /// Claims a range that is not empty; false if an object has a part of it already. The size of the file
    /// bounds the cost of all claims.
    mutating func claim(_ range: Range<Int>) -> Bool {
        let (first, last) = (range.lowerBound / 64, (range.upperBound - 1) / 64)
        let (head, tail) = (UInt64.max << (range.lowerBound % 64), UInt64.max >> (63 - (range.upperBound - 1) % 64))
        if first == last { return take(head & tail, at: first) }
        guard take(head, at: first), take(tail, at: last) else { return false }
        for word in (first + 1)..<last {
            guard take(.max, at: word) else { return false }
        }
        return true
    }

    private mutating func take(_ mask: UInt64, at word: Int) -> Bool {
        guard words[word] & mask == 0 else { return false }
        words[word] |= mask
        return true
    }
}
