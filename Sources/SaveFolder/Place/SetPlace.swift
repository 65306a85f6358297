public import SaveRules
public import Vocabulary

/// The folder of a game on this machine, and the part of the folder that belongs to the game.
public struct SetPlace: Hashable, Sendable {
    /// The part of the folder that belongs to the game.
    public enum Extent: Hashable, Sendable {
        case everything
        /// The entries with these names in the root of the folder, with their content. The folder has other entries as
        /// well.
        case chosen(Set<FileName>)
    }

    /// The path of the folder. Each use follows its symbolic links again.
    public var root: String
    /// The part of the folder that belongs to the game.
    public var extent: Extent
    /// The patterns of synced files.
    public var scope: SetScope

    /// - Parameters:
    ///   - root: the path of the folder, which begins with a slash
    ///   - extent: the part of the folder that belongs to the game
    ///   - scope: the patterns of synced files
    public init(root: String, extent: Extent = .everything, scope: SetScope = SetScope()) {
        precondition(
            root.utf8.first == UInt8(ascii: "/"),
            "the root of a set is an absolute path"
        )
        (self.root, self.extent, self.scope) = (root, extent, scope)
    }

    /// True if this machine syncs every entry that other machines put into a version. Ignored entries are ignored on
    /// all of them.
    public var sharesAll: Bool { extent == .everything && scope.local == .none }

    /// Returns the part of a manifest that this machine syncs: the content of the folder after the version is applied.
    public func shared(of manifest: Manifest) -> Manifest {
        let shared = scope.shared(of: manifest)
        guard case .chosen(let names) = extent else { return shared }
        let chosen = shared.entries.filter { entry in
            entry.path.names.first.map(names.contains) ?? false
        }
        guard let manifest = try? Manifest(chosen) else { preconditionFailure("a part of a manifest is valid") }
        return manifest
    }

    /// True if this machine syncs a file at this path.
    public func shares(_ path: SavePath) -> Bool {
        if case .chosen(let names) = extent, path.names.first.map(names.contains) != true { return false }
        return scope.place(of: path, isFolder: false) == .shared
    }

    /// True if an entry belongs to the game, given that its parent folder does.
    func holds(_ path: SavePath, named name: FileName, isFolder: Bool) -> Bool {
        if case .chosen(let names) = extent, path.depth == 1, !names.contains(name) { return false }
        return !scope.ignored.containsItself(path, isFolder: isFolder)
            && !scope.local.containsItself(path, isFolder: isFolder)
    }
}
