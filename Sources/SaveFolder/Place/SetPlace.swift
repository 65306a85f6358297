public import SaveRules
public import Vocabulary

/// The folder of a set on this machine, and the part of it that belongs to the set.
public struct SetPlace: Hashable, Sendable {
    /// The part of the folder.
    public enum Extent: Hashable, Sendable {
        case everything
        /// The entries with these names in the root folder, with their content. The folder has other entries as well.
        case chosen(Set<FileName>)
    }

    /// The folder's path. Symbolic links in it are followed at each call.
    public var root: String
    /// The part of the folder.
    public var extent: Extent
    /// Patterns of shared files.
    public var scope: SetScope

    /// - Parameters:
    ///   - root: the folder's path, which begins with a slash
    ///   - extent: the part of the folder
    ///   - scope: patterns of shared files
    public init(root: String, extent: Extent = .everything, scope: SetScope = SetScope()) {
        precondition(
            root.utf8.first == UInt8(ascii: "/"),
            "the root of a set is an absolute path"
        )
        (self.root, self.extent, self.scope) = (root, extent, scope)
    }

    /// True if every entry that other machines put into a version belongs to this machine, too. Ignored entries are
    /// ignored on all of them.
    public var sharesAll: Bool { extent == .everything && scope.local == .none }

    /// The part of a manifest that belongs to this machine: the content of the folder after it was applied.
    public func shared(of manifest: Manifest) -> Manifest {
        let shared = scope.shared(of: manifest)
        guard case .chosen(let names) = extent else { return shared }
        let chosen = shared.entries.filter { entry in
            entry.path.names.first.map(names.contains) ?? false
        }
        guard let manifest = try? Manifest(chosen) else { preconditionFailure("a part of a manifest is valid") }
        return manifest
    }

    /// True if a file at this path belongs to this machine.
    public func shares(_ path: SavePath) -> Bool {
        if case .chosen(let names) = extent, path.names.first.map(names.contains) != true { return false }
        return scope.place(of: path, isFolder: false) == .shared
    }

    /// True if an entry belongs to the set, given that its parent folder does.
    func holds(_ path: SavePath, named name: FileName, isFolder: Bool) -> Bool {
        if case .chosen(let names) = extent, path.depth == 1, !names.contains(name) { return false }
        return !scope.ignored.containsItself(path, isFolder: isFolder)
            && !scope.local.containsItself(path, isFolder: isFolder)
    }
}
