public import Vocabulary

/// A pause of a game's sync, by the user of this machine.
public struct SyncPause: Hashable, Sendable {
    /// The time at which it ends by itself, in seconds since 1970; nil if only the user ends it.
    public let end: Int64?
    /// True if it is a pause of all games.
    public let isOfAll: Bool

    /// - Parameters:
    ///   - end: the time at which it ends by itself, in seconds since 1970; nil if only the user ends it
    ///   - isOfAll: true if all games are paused
    public init(end: Int64?, isOfAll: Bool) { (self.end, self.isOfAll) = (end, isOfAll) }
}

/// The pauses of this machine. A pure value; ``text`` is stored to survive a restart.
public struct SyncPauses: Hashable, Sendable {
    /// The end of each pause in seconds since 1970, by game; the key nil is for all games.
    private var ends: [SaveSetID?: Int64] = [:]

    /// The end of a pause that only the user ends.
    private static let never = Int64.max

    /// Creates a value without pauses.
    public init() {}

    /// The pause of a game; nil if it syncs. If it and all games are paused, the later end counts.
    public subscript(set: SaveSetID) -> SyncPause? {
        let (own, all) = (ends[set], ends[nil])
        guard let end = [own, all].compactMap(\.self).max() else { return nil }
        return SyncPause(end: end == Self.never ? nil : end, isOfAll: end == all)
    }

    /// True if all games are paused, including those that are shared later.
    public var areOfAll: Bool { ends.keys.contains(nil) }

    /// True if nothing is paused.
    public var isEmpty: Bool { ends.isEmpty }

    /// The time at which the next pause ends by itself, in seconds since 1970; nil if none does.
    public var nextEnd: Int64? { ends.values.min().flatMap { $0 == Self.never ? nil : $0 } }

    /// Pauses a game, or all games. A new pause replaces an earlier one.
    /// - Parameters:
    ///   - set: the game; nil for all
    ///   - end: the time at which it ends by itself, in seconds since 1970; nil if only the user ends it
    public mutating func pause(_ set: SaveSetID?, until end: Int64?) { ends[set] = end ?? Self.never }

    /// Ends the pause of a game, or every pause.
    /// - Parameter set: the game; nil for all pauses
    public mutating func resume(_ set: SaveSetID?) {
        if let set { ends[set] = nil } else { ends = [:] }
    }

    /// Ends the pauses whose time is over.
    public mutating func endDue(at now: Int64) { ends = ends.filter { $0.value > now } }

    /// The pauses as text, one a line.
    public var text: String {
        ends.map { "\($0.key?.description ?? "all") \($0.value)" }.sorted().joined(separator: "\n")
    }

    /// Parses ``text``; nil if it is not valid.
    public init?(_ text: String) {
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: " ")
            guard parts.count == 2, let end = Int64(parts[1]) else { return nil }
            if parts[0] == "all" {
                ends[nil] = end
            } else {
                guard parts[0].utf8.count == 32, let high = UInt64(parts[0].prefix(16), radix: 16),
                    let low = UInt64(parts[0].suffix(16), radix: 16)
                else { return nil }
                ends[SaveSetID(high: high, low: low)] = end
            }
        }
    }
}
