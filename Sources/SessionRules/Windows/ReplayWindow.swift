/// The numbers of datagrams that were seen already. Each number passes once, in any order, unless it is far behind the
/// newest.
///
/// Check only datagrams that are authenticated. Otherwise any machine could move the window forward.
public struct ReplayWindow: Sendable {
    /// The most that a number may be behind the newest.
    public static let depth: UInt64 = 1024
    private static let wordCount = 16

    private var newest: UInt64?
    private var seen = [UInt64](repeating: 0, count: wordCount)

    /// A window without numbers.
    public init() {}

    /// Returns true if a number is new and recent enough, and marks it as seen.
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

    /// Clears the places of the numbers after the old newest one, which still hold numbers that leave the window.
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
