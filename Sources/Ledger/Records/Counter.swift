import Database
public import Vocabulary

/// A counter of failures, with the time until which further attempts are refused. It outlives restarts, so that a
/// restart gives no further attempts.
public struct Counter: Hashable, Sendable {
    /// The number of failures since it was last reset.
    public var count: Int
    /// The end of the lock; nil while nothing is locked.
    public var lockedUntil: WallTime?

    /// Makes a counter (default: zero and unlocked).
    public init(count: Int = 0, lockedUntil: WallTime? = nil) {
        self.count = count
        self.lockedUntil = lockedUntil
    }

    init(_ row: Row) throws(UnreadableValue) {
        count = try row.required(Int(exactly: try row.integer("count")).flatMap { $0 >= 0 ? $0 : nil }, "count")
        lockedUntil = try row.optionalTime("locked_until")
    }
}

/// A kind of failure that is counted.
public struct CounterScope: Hashable, Sendable {
    let word: String

    /// Wrong codes from any machine.
    public static let wrongCodes = CounterScope(word: "wrong-codes")

    /// Wrong codes from the machine with one key.
    public static func wrongCodes(of peer: PeerID) -> CounterScope { CounterScope(word: "wrong-codes/\(peer.column)") }
}
