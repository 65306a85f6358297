import GameState
import History
public import SaveRules
public import Vocabulary

/// A file that some versions do not have alike.
public struct FileComparison: Sendable {
    /// A value in it that differs.
    public struct Value: Sendable {
        /// Where it is in the file.
        public let path: String
        /// What it is in each version, fit to print; nil if a version has none there.
        public let texts: [String?]
    }

    /// Which file.
    public let path: SavePath
    /// How large it is in each version and when it was written; nil if a version has none.
    public let files: [(size: ByteCount, modified: FileTime)?]
    /// Values that differ, if the file can be read in each version that has it.
    public let values: [Value]
    /// How many more values differ.
    public let others: Int

    /// How many files and values are named, and up to which size a file is looked into: a person reads no more.
    private static let limits = (files: 16, values: 40, bytes: UInt64(4 << 20))

    /// - Returns: files that differ, and how many more do
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
