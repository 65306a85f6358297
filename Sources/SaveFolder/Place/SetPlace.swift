public import SaveRules
public import Vocabulary

/// Where a save set lies on this machine, and what of the folder there belongs to it.
public struct SetPlace: Hashable, Sendable {
    /// How much of the folder is meant.
    public enum Extent: Hashable, Sendable {
        /// Everything in it.
        case everything
        /// What has one of these names right in it, with all that lies within. The folder has other things as well.
        case chosen(Set<FileName>)
    }

    /// The folder's path. Symbolic links on the way and at the end are followed, anew at each call.
    public var root: String
    /// How much of it is meant.
    public var extent: Extent
    /// What of that is shared.
    public var scope: SetScope

    /// - Parameters:
    ///   - root: the folder's path, beginning with a slash
    ///   - extent: how much of the folder is meant
    ///   - scope: what of that is shared
    public init(root: String, extent: Extent = .everything, scope: SetScope = SetScope()) {
        precondition(
            root.utf8.first == UInt8(ascii: "/"),
            "a set's root does not depend on where the program was started"
        )
        (self.root, self.extent, self.scope) = (root, extent, scope)
    }

    /// Whether everything that other machines put into a version of the set belongs here, too. What is ignored is so on all of them.
    public var sharesAll: Bool { extent == .everything && scope.local == .none }

    /// What of a manifest belongs here: what the folder holds once it was applied.
    public func shared(of manifest: Manifest) -> Manifest {
        let shared = scope.shared(of: manifest)
        guard case .chosen(let names) = extent else { return shared }
        let chosen = shared.entries.filter { entry in
            entry.path.names.first.map(names.contains) ?? false
        }
        guard let manifest = try? Manifest(chosen) else { preconditionFailure("a part of a manifest is one") }
        return manifest
    }

    /// Whether a file at a path belongs here.
    public func shares(_ path: SavePath) -> Bool {
        if case .chosen(let names) = extent, path.names.first.map(names.contains) != true { return false }
        return scope.place(of: path, isFolder: false) == .shared
    }

    /// Whether something belongs to the set, given that the folder around it does.
    func holds(_ path: SavePath, named name: FileName, isFolder: Bool) -> Bool {
        if case .chosen(let names) = extent, path.depth == 1, !names.contains(name) { return false }
        return !scope.ignored.containsItself(path, isFolder: isFolder)
            && !scope.local.containsItself(path, isFolder: isFolder)
    }
}
