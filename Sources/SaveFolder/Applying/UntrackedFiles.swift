import Glibc
import LinuxPlatform
import SaveRules
import Vocabulary

/// Untracked files: files that patterns exclude, and files that can't be part of a version. They stay when the folder
/// is exchanged: hard links give the new folder the same files with the same names.
struct UntrackedFiles {
    private let place: SetPlace
    private var budget = 1 << 22

    init(_ place: SetPlace) {
        self.place = place
    }

    /// Links all of them from one folder into the other.
    ///
    /// - Parameter again: true if they were linked before, and only new or replaced ones are to be linked
    mutating func link(from old: borrowing Folder, into new: borrowing Folder, again: Bool) throws {
        try link(from: old, into: new, nil, again)
    }

    private mutating func link(
        from old: borrowing Folder,
        into new: borrowing Folder,
        _ path: SavePath?,
        _ again: Bool
    ) throws {
        for entry in try listed(old) {
            guard let name = entry.name, let inner = path.map({ try? $0.appending(name) }) ?? SavePath(name) else {
                try carry(entry, from: old, into: new, path, again)
                continue
            }
            if path == nil, StagingName.matches(name) { continue }
            if !place.holds(inner, named: name, isFolder: entry.kind == .folder) {
                try carry(entry, from: old, into: new, path, again)
                continue
            }
            switch entry.kind {
            case .file: continue
            case .other: try carry(entry, from: old, into: new, path, again)
            case .symbolicLink:
                let isPart = LinkTarget(try old.target(ofSymbolicLink: name), depth: inner.depth - 1) != nil
                if !isPart { try carry(entry, from: old, into: new, path, again) }
            case .folder:
                let around = try old.openFolder(name)
                guard try hasUntrackedFiles(around, inner) else { continue }
                try link(from: around, into: try folder(name, like: around, in: new, inner), inner, again)
            }
        }
    }

    /// The same folder in the new tree; if the new version does not have it, it is created for its untracked files.
    private func folder(
        _ name: FileName,
        like old: borrowing Folder,
        in new: borrowing Folder,
        _ path: SavePath
    ) throws -> Folder {
        guard let there = try? new.facts(of: name) else {
            let made = try new.createFolder(name)
            try made.takeAfter(old)
            return made
        }
        guard there.kind == .folder else { throw SaveFolderError.inTheWay(place.path(of: path)) }
        return try new.openFolder(name)
    }

    private mutating func hasUntrackedFiles(_ folder: borrowing Folder, _ path: SavePath) throws -> Bool {
        for entry in try listed(folder) {
            guard let name = entry.name, let inner = try? path.appending(name),
                place.holds(inner, named: name, isFolder: entry.kind == .folder)
            else { return true }
            switch entry.kind {
            case .file: continue
            case .other: return true
            case .symbolicLink:
                if LinkTarget(try folder.target(ofSymbolicLink: name), depth: inner.depth - 1) == nil { return true }
            case .folder:
                if try hasUntrackedFiles(folder.openFolder(name), inner) { return true }
            }
        }
        return false
    }

    private mutating func carry(
        _ entry: FolderEntry,
        from old: borrowing Folder,
        into new: borrowing Folder,
        _ path: SavePath?,
        _ again: Bool
    ) throws {
        do {
            try old.linkWhole(entry, into: new, budget: &budget)
        } catch {
            guard error.number == EEXIST else { throw error }
            guard again else { throw SaveFolderError.inTheWay("\(place.path(of: path))/\(entry.printable)") }
            try carryAgain(entry, from: old, into: new, path)
        }
    }

    /// An entry that was linked before is the same file, unless a program has replaced it in the old folder.
    private mutating func carryAgain(
        _ entry: FolderEntry,
        from old: borrowing Folder,
        into new: borrowing Folder,
        _ path: SavePath?
    ) throws {
        if entry.kind == .folder {
            let inner = try old.openFolder(entry)
            let made = try new.openFolder(entry)
            for entry in try listed(inner) { try carry(entry, from: inner, into: made, path, true) }
        } else if let name = entry.name {
            let (left, right) = (try old.stamp(of: name), try new.stamp(of: name))
            guard left.facts.inode != right.facts.inode, left.changed >= right.changed else { return }
            try old.rename(name, to: name, in: new, overwriting: .allowed)
        }
    }

    private mutating func listed(_ folder: borrowing Folder) throws(SystemError) -> [FolderEntry] {
        let entries = try folder.entries(limit: budget)
        budget -= entries.count
        return entries
    }
}
