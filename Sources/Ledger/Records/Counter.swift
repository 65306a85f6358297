import Database
public import Vocabulary

/// How often something went wrong, and until when nothing more of it is taken. It outlives restarts, so that starting again
/// gives nobody further attempts.
public struct Counter: Hashable, Sendable {
    /// How often, since it was last set back.
    public var count: Int
    /// Until when; nil while nothing is locked.
    public var lockedUntil: WallTime?

    /// A counter that has not counted anything unless told otherwise.
    public init(count: Int = 0, lockedUntil: WallTime? = nil) {
        self.count = count
        self.lockedUntil = lockedUntil
    }

    init(_ row: Row) throws(UnreadableValue) {
        count = try row.required(Int(exactly: try row.integer("count")).flatMap { $0 >= 0 ? $0 : nil }, "count")
        lockedUntil = try row.optionalTime("locked_until")
    }
}

/// What is counted.
public struct CounterScope: Hashable, Sendable {
    let word: String

    /// Wrong codes, whoever they came from.
    public static let wrongCodes = CounterScope(word: "wrong-codes")

    /// Wrong codes with one key.
    public static func wrongCodes(of peer: PeerID) -> CounterScope { CounterScope(word: "wrong-codes/\(peer.column)") }
}
