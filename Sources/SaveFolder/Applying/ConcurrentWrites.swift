import Glibc
import LinuxPlatform
import SaveRules
import Vocabulary

/// What programs have done in the new folder of a set while that stood in the old one's place for a moment. The old one comes back, and has to
/// have it: they meant the set, and know nothing of two folders.
struct LateWrites {
    private let plan: ApplyPlan
    private let place: SetPlace

    init(_ change: SetChange) {
        (plan, place) = (change.plan, change.place)
    }

    /// What may have become of the old folder since.
    enum Standing {
        /// Nobody finds it: whatever was done to it was done before.
        case hidden
        /// It is in its place. Programs may have gone on in it since; this is how it came back, where that is known.
        case back(SetListing?)
    }

    private struct Difference {
        let path: SavePath
        /// What lies in the new folder.
        let new: SetListing.Entry.Kind?
        let old: SetListing.Entry.Kind?
        /// Whether the old folder has there what it had when the new one was found.
        let isUntouched: Bool
        /// Whether that is something else than the set held: what was brought before, or what somebody wrote who stands in the old folder.
        let isWritten: Bool
    }

    /// - Returns: whether the old folder has all of it now. Where it has not, both have something that the other lacks.
    func bring(from new: borrowing Folder, into old: borrowing Folder, _ standing: Standing) throws -> Bool {
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
            // What is removed is not looked at again, so it must be certain that nobody writes it.
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
            // It has changed places with what came there.
            if let found, let before = plan.base[path], found.seems(before) { return nil }
            let isUntouched =
                switch standing {
                case .hidden: true
                case .back(let before?): Self.isSame(before[path]?.kind, kept)
                case .back(nil): plan.base[path].map { kept?.seems($0) == true } ?? (kept == nil)
                }
            let isWritten = plan.base[path].map { kept?.seems($0) == false } ?? (kept != nil)
            // The last counts.
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

    // MARK: Bringing one thing

    /// - Returns: whether it is there now
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
            // Were the two exchanged, the earlier one would pass for the later the next time that this is looked at.
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

    /// A file, or a link.
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
        // Somebody may have been quicker.
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
    /// Whether what lies there is what was seen before.
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
