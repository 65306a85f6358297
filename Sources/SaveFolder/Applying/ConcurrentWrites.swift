import Glibc
import LinuxPlatform
import SaveRules
import Vocabulary

/// Writes of programs in the new folder of a game, made while it was briefly in the place of the old one. The old
/// folder returns, and must have them: the programs meant the game's folder, and don't know that there are two.
struct ConcurrentWrites {
    private let plan: ApplyPlan
    private let place: SetPlace

    init(_ change: SetChange) {
        (plan, place) = (change.plan, change.place)
    }

    /// The visibility of the old folder since.
    enum Standing {
        /// No program can find it: it has no later writes.
        case hidden
        /// It is in its place, and programs may have written to it since. This is its content at the return, if it is
        /// known.
        case back(SetListing?)
    }

    private struct Difference {
        let path: SavePath
        /// The kind of the entry in the new folder.
        let new: SetListing.Entry.Kind?
        let old: SetListing.Entry.Kind?
        /// True if the old folder has the same entry as when the new one was scanned.
        let isUntouched: Bool
        /// True if that differs from the base: it was copied before, or a program with an open old folder wrote it.
        let isWritten: Bool
    }

    /// - Returns: true if the old folder has all writes now. If not, each folder has writes that the other does not
    ///   have.
    func copy(from new: borrowing Folder, into old: borrowing Folder, _ standing: Standing) throws -> Bool {
        let found = try differences(from: SetListing(of: new, place), into: SetListing(of: old, place), standing)
        guard !found.isEmpty else { return true }
        var isWhole = true
        for difference in found where difference.new != nil {
            guard difference.isUntouched else {
                isWhole = false
                continue
            }
            do throws(SystemError) {
                if try !put(difference, from: new, into: old, standing) { isWhole = false }
            } catch {
                guard [ENOENT, ENOTDIR, EEXIST, ELOOP].contains(error.number) else { throw error }
                isWhole = false
            }
        }
        for difference in found.reversed() where difference.new == nil {
            // A removed entry is not checked again, so it must be certain that no program writes it.
            guard case .hidden = standing else { return false }
            let isGone = try remove(difference, from: old)
            isWhole = isWhole && isGone
        }
        try old.syncFileSystem()
        return isWhole
    }

    private func differences(
        from new: SetListing,
        into old: SetListing,
        _ standing: Standing
    ) -> [Difference] {
        guard !new.seems(plan.goal, leaving: plan.foldersLeft, sharing: old) else { return [] }
        let (there, here) = (new.kinds, old.kinds)
        let shared = Set(old.files.map(\.stamp.facts.identity))
        let paths = Set(there.keys).union(plan.goal.entries.map(\.path)).sorted()
        return paths.compactMap { path in
            let (found, meant, kept) = (there[path], plan.goal[path], here[path])
            if let found, let meant, found.seems(meant, among: shared) { return nil }
            if meant == nil, plan.foldersLeft.contains(path) { return nil }
            if Self.isSame(found, kept) { return nil }
            // It was exchanged with the new entry.
            if let found, let before = plan.base[path], found.seems(before) { return nil }
            let isUntouched =
                switch standing {
                case .hidden: true
                case .back(let before?): Self.isSame(before[path]?.kind, kept)
                case .back(nil): plan.base[path].map { kept?.seems($0) == true } ?? (kept == nil)
                }
            let isWritten = plan.base[path].map { kept?.seems($0) == false } ?? (kept != nil)
            // The later write counts.
            if isWritten, Self.isOlder(found, kept) { return nil }
            return Difference(path: path, new: found, old: kept, isUntouched: isUntouched, isWritten: isWritten)
        }
    }

    private static func isOlder(_ one: SetListing.Entry.Kind?, _ other: SetListing.Entry.Kind?) -> Bool {
        guard case .file(let one) = one, case .file(let other) = other else { return false }
        return one.facts.modified < other.facts.modified
    }

    private static func isSame(_ one: SetListing.Entry.Kind?, _ other: SetListing.Entry.Kind?) -> Bool {
        guard let one, let other else { return one == nil && other == nil }
        return SetListing.areAlike(one, other)
    }

    // MARK: One entry

    /// - Returns: true if the entry is in place now
    private func put(
        _ difference: Difference,
        from new: borrowing Folder,
        into old: borrowing Folder,
        _ standing: Standing
    ) throws(SystemError) -> Bool {
        let (name, around) = (difference.path.name, difference.path.parent?.names ?? [])
        let target = try old.openFolder(beneath: around)
        if case .folder(let mode) = difference.new {
            return try putFolder(name, mode, over: difference.old, in: target)
        }
        let source = try new.openFolder(beneath: around)
        if case .hidden = standing, difference.isWritten, let old = difference.old {
            if case .folder = old { return false }
            // If the two were exchanged, the earlier one would count as the later one at the next check.
            try target.remove(name)
            try source.link(name, to: name, in: target)
            return true
        }
        return try putFile(name, from: source, into: target, over: difference.old, standing)
    }

    private func putFolder(
        _ name: FileName,
        _ mode: FileMode,
        over old: SetListing.Entry.Kind?,
        in target: borrowing Folder
    ) throws(SystemError) -> Bool {
        guard let old else {
            try target.createFolder(name).setMode(mode)
            return true
        }
        guard case .folder = old else { return false }
        try target.setMode(mode, of: name)
        return true
    }

    /// Copies a file or a link.
    private func putFile(
        _ name: FileName,
        from source: borrowing Folder,
        into target: borrowing Folder,
        over old: SetListing.Entry.Kind?,
        _ standing: Standing
    ) throws(SystemError) -> Bool {
        guard let old else {
            try source.link(name, to: name, in: target)
            return true
        }
        if case .folder = old { return false }
        try source.exchange(name, with: name, in: target)
        if case .hidden = standing { return true }
        // Another program may have been quicker.
        if try source.has(old, at: name) { return true }
        try source.exchange(name, with: name, in: target)
        return false
    }

    private func remove(_ difference: Difference, from old: borrowing Folder) throws -> Bool {
        do throws(SystemError) {
            let around = try old.openFolder(beneath: difference.path.parent?.names ?? [])
            if case .folder = difference.old {
                try around.removeFolder(difference.path.name)
            } else {
                try around.remove(difference.path.name)
            }
            return true
        } catch {
            guard [ENOENT, ENOTEMPTY, EEXIST].contains(error.number) else { throw error }
            return error.number == ENOENT
        }
    }
}

extension Folder {
    /// True if the entry is the one that was seen before.
    fileprivate func has(_ seen: SetListing.Entry.Kind, at name: FileName) throws(SystemError) -> Bool {
        switch seen {
        case .file(let stamp): try facts(of: name) == stamp.facts
        case .link(let target): try self.target(ofSymbolicLink: name) == Array(target.text.utf8)
        case .folder: false
        }
    }
}

extension SetListing {
    fileprivate var kinds: [SavePath: Entry.Kind] {
        Dictionary(entries.map { ($0.path, $0.kind) }, uniquingKeysWith: { first, _ in first })
    }
}
