/// Folders at rest that differ from the version that their daemon reported, both before and after they were read.
///
/// No program writes now, so there is one harmless reason: a game has saved last, and its daemon has not scanned that
/// yet. Then the folder is whole, and the daemon soon reports another version.
struct FolderDoubts: Sendable {
    /// The time that a daemon may need to scan a save: a quiet period of 300 ms, then the scan, on a busy machine.
    static let patience = Duration.seconds(10)

    /// The folder, and the version that it should have.
    struct Doubt: Hashable, Sendable, CustomStringConvertible {
        let host: String
        let kind: String
        let head: String
        /// True if its contents are right but its modes or times are not.
        var isInFactsAlone = false

        var description: String {
            "\(host): " + (isInFactsAlone ? "modes or times in " : "")
                + "the folder of \(kind) \(isInFactsAlone ? "are" : "is") not \(isInFactsAlone ? "those of " : "")"
                + "\(head.prefix(10)), which is said to be shown"
        }
    }

    private var since: [Doubt: ContinuousClock.Instant] = [:]
    /// The number of such folders.
    private(set) var count = 0
    /// The longest time from the first reading of one to the first at which it was right.
    private(set) var longest = Duration.zero

    /// Adds the result of one reading, with the game's own description of the fault.
    ///
    /// - Parameter excused: true if a power cut interrupted the game's save, of which no version was made yet
    /// - Throws: an error if the difference can't be a save that was not scanned yet
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
