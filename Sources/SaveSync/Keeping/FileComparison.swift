import GameState
import History
public import SaveRules
public import Vocabulary

/// A file that differs among some versions.
public struct FileComparison: Sendable {
    /// A value in the file that differs.
    public struct Value: Sendable {
        /// The place of the value in the file.
        public let path: String
        /// The value in each version, fit to print; nil if a version has no value there.
        public let texts: [String?]
    }

    /// The path of the file.
    public let path: SavePath
    /// The size and time of the file in each version; nil if a version has no such file.
    public let files: [(size: ByteCount, modified: FileTime)?]
    /// The values that differ. Empty unless the file can be read in each of the versions.
    public let values: [Value]
    /// The number of further values that differ.
    public let others: Int

    /// Limits of the files and values that are named, and of the size of a file that is read. Users would not read
    /// more.
    private static let limits = (files: 16, values: 40, bytes: UInt64(4 << 20))

    /// - Returns: files that differ, and the number of further ones
    static func all(among sides: [Manifest], _ history: History) -> (files: [FileComparison], others: Int) {
        let paths = Set(sides.flatMap { $0.entries.filter { $0.file != nil }.map(\.path) }).sorted()
        let differing = paths.filter { path in Set(sides.map { $0[path]?.file?.pieces }).count > 1 }
        let named = differing.prefix(limits.files).map { path in
            FileComparison(path, sides.map { $0[path]?.file }, history)
        }
        return (named, differing.count - named.count)
    }

    private init(_ path: SavePath, _ found: [SavedFile?], _ history: History) {
        self.path = path
        files = found.map { file in file.map { (ByteCount($0.size), $0.modified) } }
        let states = found.map { $0.flatMap { Self.state(of: $0, history) } }
        let known = states.compactMap(\.self)
        guard known.count == states.count, let first = known.first else {
            (values, others) = ([], 0)
            return
        }
        var paths: [StatePath] = []
        for other in known.dropFirst() {
            let found = first.differences(to: other).map(\.path)
            paths += found.filter { !paths.contains($0) }
        }
        values = paths.prefix(Self.limits.values).map { path in
            Value(path: "\(path)", texts: known.map { (try? $0.value(at: path))?.words(limit: 80) })
        }
        others = paths.count - values.count
    }

    private static func state(of file: SavedFile, _ history: History) -> GameState? {
        guard file.size <= limits.bytes else { return nil }
        guard let bytes = try? file.pieces.flatMap({ try history.read($0.id) }) else { return nil }
        return try? GameState(reading: bytes)
    }
}
