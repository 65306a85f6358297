/// Which datagrams were seen already: each number once, in any order, as long as it is not too far behind the newest.
///
/// Ask only after a datagram has proven to be genuine. Otherwise anybody could push the window forward.
public struct ReplayWindow: Sendable {
    /// How far behind the newest a number may be.
    public static let depth: UInt64 = 1024
    private static let wordCount = 16

    private var newest: UInt64?
    private var seen = [UInt64](repeating: 0, count: wordCount)

    /// Nothing was seen yet.
    public init() {}

    /// Whether a number is new and recent enough; from now on it is not new any more.
    public mutating func admit(_ sequence: UInt64) -> Bool {
        guard let newest else {
            self.newest = sequence
            mark(sequence)
            return true
        }
        if sequence > newest {
            forget(after: newest, through: sequence)
            self.newest = sequence
        } else if newest - sequence >= Self.depth || isMarked(sequence) {
            return false
        }
        mark(sequence)
        return true
    }

    /// The places of the numbers between the newest and the one that comes are those of numbers that fall out.
    private mutating func forget(after newest: UInt64, through sequence: UInt64) {
        guard sequence - newest < Self.depth else {
            seen = [UInt64](repeating: 0, count: Self.wordCount)
            return
        }
        var next = newest
        while next < sequence {
            next += 1
            seen[word(next)] &= ~bit(next)
        }
    }

    private mutating func mark(_ sequence: UInt64) { seen[word(sequence)] |= bit(sequence) }
    private func isMarked(_ sequence: UInt64) -> Bool { seen[word(sequence)] & bit(sequence) != 0 }
    private func word(_ sequence: UInt64) -> Int { Int(sequence / 64 % UInt64(Self.wordCount)) }
    private func bit(_ sequence: UInt64) -> UInt64 { 1 << (sequence % 64) }
}
