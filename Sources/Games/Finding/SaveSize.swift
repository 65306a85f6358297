/// The limits above which files don't count as saves.
package enum SaveSize {
    package static let mostFiles = 10_000
    package static let mostBytes = 1 << 30

    static func isTooLarge(_ tally: SaveTally) -> Bool {
        tally.isCut || tally.files > mostFiles || tally.bytes > mostBytes
    }
}
