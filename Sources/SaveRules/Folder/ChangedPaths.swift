/// The part of a game's folder that may have changed since a scan. A pure value.
public enum ChangedPaths: Hashable, Sendable {
    /// At most these files and links. Each may have come, changed or gone.
    case only(Set<SavePath>)
    /// Anything: a folder came, went or moved, or a change may have been missed.
    case anything

    /// Nothing has changed.
    public static let nothing = ChangedPaths.only([])

    /// So many paths are looked at one by one. To list the whole folder costs little more than to look at more of them.
    public static let limit = 1_024

    /// A file or a link may have changed.
    public mutating func insert(_ path: SavePath) { formUnion(.only([path])) }

    /// These may have changed, too.
    public mutating func formUnion(_ others: ChangedPaths) {
        guard case .only(let paths) = self else { return }
        guard case .only(let added) = others else {
            self = .anything
            return
        }
        // A program may rewrite the same thousand files again and again.
        if added.isSubset(of: paths) { return }
        let all = paths.union(added)
        self = all.count <= Self.limit ? .only(all) : .anything
    }

    /// True if nothing but these may have changed.
    public func lies(within paths: Set<SavePath>) -> Bool {
        if case .only(let changed) = self { changed.isSubset(of: paths) } else { false }
    }
}
