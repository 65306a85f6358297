import Vocabulary

/// The part of a folder that belongs to its set.
public struct SetScope: Hashable, Sendable {
    /// The owner of a path.
    public enum Place: Hashable, Sendable {
        /// To the set: on every machine the same.
        case shared
        /// To this machine, such as the size of its screen. It is no part of the set, and stays when the set is replaced.
        case local
        /// Neither to the set nor to this machine, such as logs. It stays in the folder as well.
        case ignored
    }

    /// The files that are no part of the set anywhere. All machines have the same.
    public var ignored: PathPatterns
    /// The files that each machine has of its own.
    public var local: PathPatterns

    /// Everything is shared, if nothing else is said.
    public init(ignored: PathPatterns = .none, local: PathPatterns = .none) {
        (self.ignored, self.local) = (ignored, local)
    }

    /// The owner of a path. Ignored comes before anything else.
    public func place(of path: SavePath, isFolder: Bool) -> Place {
        if ignored.contains(path, isFolder: isFolder) { return .ignored }
        return local.contains(path, isFolder: isFolder) ? .local : .shared
    }

    /// The shared part of a manifest: the part that a set which was captured under another scope has here.
    public func shared(of manifest: Manifest) -> Manifest {
        if ignored.lines.isEmpty, local.lines.isEmpty { return manifest }
        return Manifest(known: manifest.entries.filter { place(of: $0.path, isFolder: $0.isFolder) == .shared })
    }
}
