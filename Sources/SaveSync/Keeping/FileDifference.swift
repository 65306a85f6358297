public import SaveRules
public import Vocabulary

/// A file that the sides of a conflict do not have alike, as one of them has it.
public struct FileDifference: Sendable {
    /// Which file.
    public let path: SavePath
    /// How large it is and when it was written last; nil where that side has none.
    public let file: (size: ByteCount, modified: FileTime)?

    /// How many are named: a person reads no more.
    private static let limit = 16

    /// - Returns: for each side its own, the same paths in the same order, and how many are not named
    static func all(among sides: [Manifest]) -> (named: [[FileDifference]], others: Int) {
        let paths = Set(sides.flatMap { $0.entries.filter { $0.file != nil }.map(\.path) }).sorted()
        let differing = paths.filter { path in Set(sides.map { $0[path]?.file?.pieces }).count > 1 }
        let named = sides.map { side in
            differing.prefix(limit).map { path in
                FileDifference(
                    path: path,
                    file: side[path]?.file.map { (ByteCount($0.size), $0.modified) }
                )
            }
        }
        return (named, differing.count - min(differing.count, limit))
    }
}
