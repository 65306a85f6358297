import LinuxPlatform
import SaveRules

/// The entries of a folder as they were before a change, by which a write of a program during the change is noticed.
enum FolderSight {
    /// All of them.
    case whole(SetListing)
    /// Those that the change concerns, while the watch hears of all others.
    case part(Part)

    final class Part {
        private let entries: ChangedEntries
        private let known: Manifest
        private let hear: () -> HeardChanges.Heard
        /// The changes that were heard since the change began.
        private(set) var heard = ChangedPaths.nothing

        /// - Parameter hear: takes what the watch has heard
        init(_ entries: ChangedEntries, among known: Manifest, hearing hear: @escaping () -> HeardChanges.Heard) {
            (self.entries, self.known, self.hear) = (entries, known, hear)
        }

        var paths: Set<SavePath> { Set(entries.kinds.keys) }

        fileprivate subscript(path: SavePath) -> SetListing.Entry.Kind? { entries.kinds[path] ?? nil }

        private func look(_ root: borrowing Folder, _ place: SetPlace) throws -> ChangedEntries? {
            heard.formUnion(hear().changes)
            return try ChangedEntries(at: paths, in: root, of: place, among: known)
        }

        fileprivate func isUnchanged(in root: borrowing Folder, _ place: SetPlace) throws -> Bool {
            guard let now = try look(root, place), heard == .nothing else { return false }
            return now.isLike(entries)
        }

        fileprivate func holds(_ plan: ApplyPlan, in root: borrowing Folder, _ place: SetPlace) throws -> Bool {
            guard let now = try look(root, place), heard.lies(within: paths) else { return false }
            return now.seems(plan.goal)
        }
    }

    /// The kind of the entry at a path.
    subscript(path: SavePath) -> SetListing.Entry.Kind? {
        switch self {
        case .whole(let listing): listing[path]?.kind
        case .part(let part): part[path]
        }
    }

    /// True if the folder is as it was, except for status change times.
    func isUnchanged(in root: borrowing Folder, _ place: SetPlace) throws -> Bool {
        switch self {
        case .whole(let listing): try SetListing(of: root, place).isLike(listing)
        case .part(let part): try part.isUnchanged(in: root, place)
        }
    }

    /// True if the folder holds the goal of a change, and all else is as it was.
    func holds(_ plan: ApplyPlan, in root: borrowing Folder, _ place: SetPlace) throws -> Bool {
        switch self {
        case .part(let part): return try part.holds(plan, in: root, place)
        case .whole(let listing):
            let now = try SetListing(of: root, place)
            guard now.seems(plan.goal, leaving: plan.foldersLeft) else { return false }
            return now.files.allSatisfy { path, stamp in
                guard plan.goal[path]?.content == plan.base[path]?.content else { return true }
                guard case .file(let before) = listing[path]?.kind else { return false }
                return before.facts == stamp.facts
            }
        }
    }
}
