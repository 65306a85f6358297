public import GameState
import History
public import SaveRules

/// A summary of one file of a save, for users.
public struct FileSummary: Sendable {
    /// The path of the file.
    public let path: SavePath
    /// The values that the file shows to a user.
    public let summary: Summary

    /// Limits of the number of files that are read, and of the size of each. Users would not read more.
    private static let limits = (files: 32, bytes: UInt64(4 << 20))

    static func all(in manifest: Manifest, _ history: History, _ rules: GameRules) -> [FileSummary] {
        var found: [FileSummary] = []
        for entry in manifest.entries {
            guard found.count < limits.files else { break }
            guard let file = entry.file, file.size > 0, file.size <= limits.bytes else { continue }
            // A damaged file has no summary. `huddle fsck` reports the damage.
            guard let bytes = try? file.pieces.flatMap({ try history.read($0.id) }) else { continue }
            if let summary = summary(of: bytes, rules) { found.append(FileSummary(path: entry.path, summary: summary)) }
        }
        return found
    }

    private static func summary(of bytes: [UInt8], _ rules: GameRules) -> Summary? {
        guard let state = try? GameState(reading: bytes) else { return nil }
        if let known = KnownGame(recognising: state)?.summary(of: state) { return known }
        let said = Summary(of: state, by: rules.summary)
        return said.lines.isEmpty ? Summary(usualIn: state) : said
    }
}
