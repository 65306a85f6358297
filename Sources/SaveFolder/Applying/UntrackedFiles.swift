import Glibc
import LinuxPlatform
import SaveRules
import Vocabulary

/// What lies in a set's folder and is no part of the set: what patterns leave out, and what can't be part of one. It stays when the
/// folder is replaced: the new one gets it under the same names, by links, so that both have the same files.
struct Strays {
    private let place: SetPlace
    private var budget = 1 << 22

    init(_ place: SetPlace) {
        self.place = place
    }

    /// Brings all of it from one folder into the other.
    ///
    /// - Parameter again: whether it was brought before, and only what has come or was replaced since is to be brought
    mutating func bring(from old: borrowing Folder, into new: borrowing Folder, again: Bool) throws {
        try bring(from: old, into: new, nil, again)
    }

    private mutating func bring(
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
                guard try hasStrays(around, inner) else { continue }
                try bring(from: around, into: try folder(name, like: around, in: new, inner), inner, again)
            }
        }
    }

    /// The same folder in the new tree; where the save has it no longer, it stays for what is in it.
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

    private mutating func hasStrays(_ folder: borrowing Folder, _ path: SavePath) throws -> Bool {
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
                if try hasStrays(folder.openFolder(name), inner) { return true }
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

    /// What was brought before is the same file still, unless a program has put another one in its place in the old folder.
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
