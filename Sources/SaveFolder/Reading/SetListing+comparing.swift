import LinuxPlatform
import SaveRules
import Vocabulary

extension SetListing {
    /// True if all entries are as in another listing. The status change time does not count: this module's hard links
    /// change it, too.
    func isLike(_ other: SetListing) -> Bool {
        entries.count == other.entries.count
            && zip(entries, other.entries).allSatisfy { $0.path == $1.path && Self.areAlike($0.kind, $1.kind) }
    }

    static func areAlike(_ one: Entry.Kind, _ other: Entry.Kind) -> Bool {
        guard case .file(let left) = one, case .file(let right) = other else { return one == other }
        return left.facts == right.facts
    }

    /// True if the folder may match a manifest, as far as its facts show, except for modes: some disks have none, and
    /// another mode alone is no change of a save.
    ///
    /// - Parameters:
    ///   - left: folders that may exist in addition
    ///   - other: another folder; a file that it has as well counts as right, whatever its content
    func seems(_ manifest: Manifest, leaving left: Set<SavePath> = [], sharing other: SetListing? = nil) -> Bool {
        let entries = left.isEmpty ? entries : entries.filter { !left.contains($0.path) }
        let shared = Set(other?.files.map(\.stamp.facts.identity) ?? [])
        return entries.count == manifest.entries.count
            && zip(entries, manifest.entries).allSatisfy { entry, meant in
                entry.path == meant.path && entry.kind.seems(meant, among: shared)
            }
    }

    /// True if the folder has exactly the entries of a manifest, with their modes and times, as far as its facts show.
    func shows(_ manifest: Manifest) -> Bool {
        entries.count == manifest.entries.count
            && zip(entries, manifest.entries).allSatisfy { $0.path == $1.path && $0.kind.shows($1) }
    }

    /// The entry at a path.
    subscript(path: SavePath) -> Entry? {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].path < path { low = middle + 1 } else { high = middle }
        }
        return low < entries.count && entries[low].path == path ? entries[low] : nil
    }
}

extension SetListing.Entry.Kind {
    /// True if the entry has the mode, the time and the size or the target that it is meant to have.
    func shows(_ meant: ManifestEntry) -> Bool {
        switch (self, meant.content) {
        case (.folder(let mode), .folder(let wanted)): mode == wanted
        case (.link(let target), .link(let wanted)): target == wanted
        case (.file(let stamp), .file(let file)):
            UInt64(stamp.facts.size) == file.size && stamp.facts.modified == file.modified
                && stamp.facts.mode == file.mode
        case (.folder, _), (.link, _), (.file, _): false
        }
    }

    /// True if the entry may match, as far as its facts show, except for its mode.
    ///
    /// - Parameter shared: files that count as right, whatever their content
    func seems(_ meant: ManifestEntry, among shared: Set<FileIdentity> = []) -> Bool {
        switch (self, meant.content) {
        case (.folder, .folder): true
        case (.link(let target), .link(let wanted)): target == wanted
        case (.file(let stamp), .file(let file)):
            shared.contains(stamp.facts.identity) || file.fits(stamp.facts)
        case (.folder, _), (.link, _), (.file, _): false
        }
    }
}

extension SetListing {
    /// True if every later write to these files changes their time.
    func canShowChanges(to paths: [SavePath]) -> Bool {
        paths.allSatisfy { path in
            guard case .file(let stamp) = self[path]?.kind else { return true }
            return FileFingerprint(stamp, at: .now) != nil
        }
    }

    /// The files in which a change searches for writers: all of a small game, else only those that would change.
    func searched(_ base: Manifest, _ goal: Manifest) -> [SavePath] {
        let paths = files.map(\.path)
        guard paths.count > SaveFolder.smallFileCount else { return paths }
        return paths.filter { base[$0]?.content != goal[$0]?.content }
    }
}
