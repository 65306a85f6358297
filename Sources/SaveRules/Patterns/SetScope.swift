import Vocabulary

/// What of a set's folder belongs to the set.
public struct SetScope: Hashable, Sendable {
    /// Where a path belongs.
    public enum Place: Hashable, Sendable {
        /// To the set: on every machine the same.
        case shared
        /// To this machine, such as the size of its screen. It is no part of the set, and stays when the set is replaced.
        case local
        /// To nobody, such as logs. It is no part of the set either, and stays as well.
        case ignored
    }

    /// What is no part of the set anywhere. All machines have the same.
    public var ignored: PathPatterns
    /// What each machine has of its own.
    public var local: PathPatterns

    /// Everything is shared, if nothing else is said.
    public init(ignored: PathPatterns = .none, local: PathPatterns = .none) {
        (self.ignored, self.local) = (ignored, local)
    }

    /// Where a path belongs. What is ignored is so before anything else.
    public func place(of path: SavePath, isFolder: Bool) -> Place {
        if ignored.contains(path, isFolder: isFolder) { return .ignored }
        return local.contains(path, isFolder: isFolder) ? .local : .shared
    }

    /// What of a manifest is shared: what a set that was captured under another scope has here.
    public func shared(of manifest: Manifest) -> Manifest {
        if ignored.lines.isEmpty, local.lines.isEmpty { return manifest }
        return Manifest(known: manifest.entries.filter { place(of: $0.path, isFolder: $0.isFolder) == .shared })
    }
}
