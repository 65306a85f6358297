import LinuxPlatform
package import Vocabulary

/// How many files a place has, how large they are, and when the newest of them was saved.
package struct SaveTally: Sendable, Hashable {
    package var files = 0
    package var bytes = 0
    package var lastSave: FileTime?
    /// Whether there is more than was counted.
    package var isCut = false

    package init() {}

    /// The limits of the count: no save of a game has more, and a pattern may match a whole disk.
    struct Limits: Sendable {
        var files = SaveSize.mostFiles
        /// Everything that is looked at, also what no pattern matches.
        var entries = 40_000
        var depth = 16
        var entriesOfFolder = 20_000
    }

    /// Adds what another place has.
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
