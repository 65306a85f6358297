import LinuxPlatform
package import Vocabulary

/// The number and size of the files of a place, and the time of the newest one.
package struct SaveTally: Sendable, Hashable {
    package var files = 0
    package var bytes = 0
    package var lastSave: FileTime?
    /// True if the count stopped at a limit.
    package var isCut = false

    package init() {}

    /// The limits of the count: no save of a game has more, and a pattern may match a whole disk.
    struct Limits: Sendable {
        var files = SaveSize.mostFiles
        /// The entries to visit, with those that no pattern matches.
        var entries = 40_000
        var depth = 16
        var entriesOfFolder = 20_000
    }

    /// Adds the count of another place.
    mutating func add(_ other: SaveTally) {
        files += other.files
        bytes &+= other.bytes
        lastSave = max(
            lastSave ?? FileTime(seconds: .min, nanoseconds: 0),
            other.lastSave ?? FileTime(seconds: .min, nanoseconds: 0)
        )
        if files == 0 { lastSave = nil }
        isCut = isCut || other.isCut
    }

    mutating func count(_ facts: FileFacts) {
        files += 1
        bytes &+= facts.size
        if lastSave.map({ $0 < facts.modified }) ?? true { lastSave = facts.modified }
    }
}
