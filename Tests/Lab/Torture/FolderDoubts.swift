/// Folders at rest that are not the version which their daemon said they show, both before they were looked at and
/// afterwards.
///
/// Nobody writes any more, so there is one reason for that which is no fault: a game has saved last, and its daemon has
/// not read that yet. Then the folder is whole, and soon another version than before is said to be shown.
struct FolderDoubts: Sendable {
    /// How long a daemon may need to read what was saved: a third of a second until it counts as settled, then the
    /// reading, on a machine that others keep busy as well.
    static let patience = Duration.seconds(10)

    /// Of which folder, and which version it should be.
    struct Doubt: Hashable, Sendable, CustomStringConvertible {
        let host: String
        let kind: String
        let head: String
        /// Whether what is in it is right, and its modes or times are not.
        var isInFactsAlone = false

        var description: String {
            "\(host): " + (isInFactsAlone ? "modes or times in " : "")
                + "the folder of \(kind) \(isInFactsAlone ? "are" : "is") not \(isInFactsAlone ? "those of " : "")"
                + "\(head.prefix(10)), which is said to be shown"
        }
    }

    private var since: [Doubt: ContinuousClock.Instant] = [:]
    /// How many there were.
    private(set) var count = 0
    /// For how long one lasted at most, from the first look to the first at which it was over.
    private(set) var longest = Duration.zero

    /// Takes in what one look found, with the game's own words for what is wrong with the folder.
    /// - Parameter excused: whether the power has interrupted the game in what it saved, and no version was made of
    ///   that yet
    /// - Throws: where it can't be that a game has saved and nobody has read it yet
    mutating func take(_ found: [(doubt: Doubt, fault: String, excused: Bool)], at now: ContinuousClock.Instant) throws
    {
        let before = since
        since = [:]
        for (doubt, fault, excused) in found {
            if fault != SetLook.whole, !excused { throw TortureError("\(doubt), and torn: \(fault)") }
            if before[doubt] == nil { count += 1 }
            let begin = before[doubt] ?? now
            if now - begin >= Self.patience { throw TortureError("\(doubt), for \(now - begin)") }
            since[doubt] = begin
        }
        for (doubt, begin) in before where since[doubt] == nil { longest = max(longest, now - begin) }
    }
}
