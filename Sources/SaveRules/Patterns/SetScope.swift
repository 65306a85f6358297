import Vocabulary

/// The part of a folder that is synced.
public struct SetScope: Hashable, Sendable {
    /// The handling of a path.
    public enum Place: Hashable, Sendable {
        /// It is synced: the same on every machine.
        case shared
        /// It belongs to this machine, such as the size of its screen. It is not synced, and stays when a version is
        /// applied.
        case local
        /// It is not needed, such as logs. It is not synced, and stays in the folder as well.
        case ignored
    }

    /// The files that are not synced on any machine. All machines have the same patterns.
    public var ignored: PathPatterns
    /// The files that belong to each machine.
    public var local: PathPatterns

    /// By default, everything is synced.
    public init(ignored: PathPatterns = .none, local: PathPatterns = .none) {
        (self.ignored, self.local) = (ignored, local)
    }

    /// Returns the handling of a path. `ignored` comes before all others.
    public func place(of path: SavePath, isFolder: Bool) -> Place {
        if ignored.contains(path, isFolder: isFolder) { return .ignored }
        return local.contains(path, isFolder: isFolder) ? .local : .shared
    }

    /// Returns the synced part of a manifest. The manifest may come from a version that was captured with another
    /// scope.
    public func shared(of manifest: Manifest) -> Manifest {
        if ignored.lines.isEmpty, local.lines.isEmpty { return manifest }
        return Manifest(known: manifest.entries.filter { place(of: $0.path, isFolder: $0.isFolder) == .shared })
    }
}
