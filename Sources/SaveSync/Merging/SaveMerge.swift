import Digests
import GameState
import History
import SaveRules
import Vocabulary

/// Merges two versions of a whole game, file by file, by their contents.
///
/// It merges saves of known games, score tables, and files for which the game has rules. If any other file differs on
/// both sides, the user must choose. The first side is the one with the smaller ID, on every machine, so that all
/// machines make the same bytes.
struct SaveMerge {
    /// One of the two sides.
    enum Side { case one, other }

    /// The result of merging two versions.
    enum Outcome<Merged: Sendable>: Sendable {
        case merged(Merged)
        /// No rule says how to merge these files, and perhaps others.
        case undecided([SavePath])
    }

    /// The entries of one path: in the base, and on both sides.
    private typealias Entries = (base: ManifestEntry?, one: ManifestEntry?, other: ManifestEntry?)

    /// The result for one path.
    private enum Fate {
        case entry(ManifestEntry)
        case nothing
        case conflict
    }

    private let history: History
    private let batch: HistoryBatch
    private let fileMerge: FileMerge
    private let favourite: Side?

    /// The size up to which a file is read for merging.
    static let byteLimit: UInt64 = 64 << 20

    /// - Parameters:
    ///   - history: the history that has both sides
    ///   - batch: stores new pieces, and claims the others
    ///   - rules: the game's own rules; nil if it has none
    ///   - favourite: the side whose files stay if no rule merges them; nil to merge nothing then
    ///   - hasLostBase: true if both sides come from a common version that is not available
    init(_ history: History, _ batch: HistoryBatch, rules: MergeRules?, favourite: Side?, hasLostBase: Bool) {
        (self.history, self.batch, self.favourite) = (history, batch, favourite)
        fileMerge = FileMerge(rules: rules, hasLostBase: hasLostBase)
    }

    /// Merges both sides.
    /// - Parameter limit: the number of undecided files after which merging ends; at most so many are named
    func merged(base: Manifest?, one: Manifest, other: Manifest, namingAtMost limit: Int) throws -> Outcome<Manifest> {
        if let agreed = Manifest.agreement(of: one, other) { return .merged(try claimed(agreed)) }
        var (entries, undecided): ([ManifestEntry], [SavePath]) = ([], [])
        let paths = Set(one.entries.map(\.path)).union(other.entries.map(\.path)).sorted()
        for path in paths {
            let places: Entries = (base?[path], one[path], other[path])
            switch try fate(places, knowsBase: base != nil) {
            case .entry(let entry): entries.append(entry)
            case .nothing: break
            case .conflict:
                if favourite == nil { undecided.append(path) }
                if undecided.count == limit { return .undecided(undecided) }
                if let entry = favourite == .one ? places.one : places.other { entries.append(entry) }
            }
        }
        guard undecided.isEmpty else { return .undecided(undecided) }
        // One side removed a folder in which the other one made a file. No rule decides that.
        guard let manifest = try? Manifest(entries) else {
            return .undecided(Array(paths.lazy.filter { one[$0] != other[$0] }.prefix(limit)))
        }
        return .merged(try claimed(manifest))
    }

    private func claimed(_ manifest: Manifest) throws -> Manifest {
        for piece in manifest.pieces { _ = try batch.claim(piece.id) }
        return manifest
    }

    private func fate(_ places: Entries, knowsBase: Bool) throws -> Fate {
        guard let one = places.one, let other = places.other else { return try lonely(places, knowsBase: knowsBase) }
        if let same = Self.same(one, other) { return .entry(same) }
        guard let left = one.file, let right = other.file else { return .conflict }
        if let base = places.base?.file {
            if base.pieces == left.pieces { return try fileMerge.knows(try bytes(right)) ? .entry(other) : .conflict }
            if base.pieces == right.pieces { return try fileMerge.knows(try bytes(left)) ? .entry(one) : .conflict }
        }
        guard let mine = try bytes(left), let theirs = try bytes(right),
            let merged = fileMerge.merged(base: try places.base?.file.flatMap(bytes), mine, theirs)
        else { return .conflict }
        let mode = left.mode.rawValue >= right.mode.rawValue ? left.mode : right.mode
        let pieces = try batch.put(contents: merged)
        let file = SavedFile(mode: mode, modified: max(left.modified, right.modified), pieces: pieces)
        return .entry(ManifestEntry(one.path, .file(file)))
    }

    /// Decides a path that only one side has: that side made it, or the other one removed it.
    private func lonely(_ places: Entries, knowsBase: Bool) throws -> Fate {
        guard let left = places.one ?? places.other else { return .nothing }
        if left.isFolder { return .entry(left) }
        guard let file = left.file, try fileMerge.knows(try bytes(file)) else { return .conflict }
        guard let base = places.base else { return .entry(left) }
        return base.file?.pieces == file.pieces && knowsBase ? .nothing : .conflict
    }

    /// Returns one entry for both sides if they differ in modes and times alone.
    private static func same(_ one: ManifestEntry, _ other: ManifestEntry) -> ManifestEntry? {
        guard let left = try? Manifest([ManifestEntry(Self.place, one.content)]),
            let right = try? Manifest([ManifestEntry(Self.place, other.content)]),
            let agreed = Manifest.agreement(of: left, right)?.entries.first
        else { return one.content == other.content ? one : nil }
        return ManifestEntry(one.path, agreed.content)
    }

    private static let place: SavePath = {
        guard let path = try? SavePath("x") else { preconditionFailure("a letter is a path") }
        return path
    }()

    /// Returns the contents of a file; nil if it is larger than the limit.
    private func bytes(_ file: SavedFile) throws -> [UInt8]? {
        guard file.size <= Self.byteLimit else { return nil }
        return try file.pieces.flatMap { try history.read($0.id) }
    }
}
