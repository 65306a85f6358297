/// Which bytes of a file belong to something already: one bit for each.
struct ByteClaims {
    private var words: [UInt64]

    init(count: Int) {
        words = Array(repeating: 0, count: count / 64 + 1)
    }

    /// Takes a range that is not empty, or says that some of it is taken. All that is ever taken costs no more than the file is long.
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
