import LinuxPlatform
import SaveRules
import Vocabulary

extension SetListing {
    /// Whether all is as another look found it. When the status of a file last changed does not count: giving it a second name,
    /// as this module does, changes that too.
    func isLike(_ other: SetListing) -> Bool {
        entries.count == other.entries.count
            && zip(entries, other.entries).allSatisfy { $0.path == $1.path && Self.areAlike($0.kind, $1.kind) }
    }

    static func areAlike(_ one: Entry.Kind, _ other: Entry.Kind) -> Bool {
        guard case .file(let left) = one, case .file(let right) = other else { return one == other }
        return left.facts == right.facts
    }

    /// Whether this may be what a manifest says, as far as one can see without reading files, and but for modes: some disks keep none, and
    /// another mode alone is no reason to do anything about a save.
    ///
    /// - Parameters:
    ///   - left: folders that may be there besides
    ///   - other: another folder; a file that it has as well counts as right, whatever it holds
    func seems(_ manifest: Manifest, leaving left: Set<SavePath> = [], sharing other: SetListing? = nil) -> Bool {
        let entries = left.isEmpty ? entries : entries.filter { !left.contains($0.path) }
        let shared = Set(other?.files.map(\.stamp.facts.identity) ?? [])
        return entries.count == manifest.entries.count
            && zip(entries, manifest.entries).allSatisfy { entry, meant in
                entry.path == meant.path && entry.kind.seems(meant, among: shared)
            }
    }

    /// What lies at a path.
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
    /// Whether this may be what a manifest says, as far as one can see without reading it, and but for its mode.
    ///
    /// - Parameter shared: files that count as right, whatever they hold
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
