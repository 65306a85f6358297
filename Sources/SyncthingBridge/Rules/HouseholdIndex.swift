/// The index that this household announces to a device: each file with its version.
package struct HouseholdIndex: Hashable, Sendable {
    /// A random number that changes when the sequence begins again.
    package let id: UInt64
    /// Files by name, deleted ones included. Without the deleted ones, a device would send a deleted file again.
    package private(set) var entries: [String: FileEntry] = [:]
    /// The sequence of the last change.
    package private(set) var sequence: Int64 = 0
    /// The sequence up to which devices may learn of changes.
    package private(set) var released: Int64 = 0

    package init(id: UInt64) {
        self.id = id
    }

    package init(id: UInt64, entries: [FileEntry], released: Int64) {
        self.init(id: id)
        self.entries = Dictionary(entries.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
        sequence = entries.map(\.sequence).max() ?? 0
        self.released = min(released, sequence)
    }

    package var hasPresentEntries: Bool { entries.values.contains { $0.standing == .present } }

    /// Released changes after a sequence, in the order in which a device must get them.
    package func changes(after last: Int64) -> [FileEntry] {
        entries.values.filter { $0.sequence > last && $0.sequence <= released }.sorted { $0.sequence < $1.sequence }
    }

    /// Lets devices learn of all changes so far.
    ///
    /// - Returns: true if there are such
    package mutating func release() -> Bool {
        defer { released = sequence }
        return released < sequence
    }

    /// Takes over the content of a version of the household.
    ///
    /// A file with the device's content gets the device's version, and every other one a version that is newer than
    /// both. So Syncthing never sees a conflict that the household has settled, and makes no copy.
    ///
    /// - Parameters:
    ///   - tree: the version's files by name; their versions don't count
    ///   - taken: the device's files, if the version includes them
    ///   - device: ``DeviceID/short`` of this household
    ///   - seconds: the time
    package mutating func change(
        to tree: [String: FileEntry],
        including taken: [String: FileEntry],
        by device: UInt64,
        at seconds: UInt64
    ) {
        let names = Set(tree.keys).union(entries.keys).union(taken.keys)
        // New files come before deleted ones, as in a rename.
        let order = names.sorted {
            let (left, right) = (tree[$0] == nil, tree[$1] == nil)
            return left == right ? $0.utf8.lexicographicallyPrecedes($1.utf8) : right
        }
        for name in order {
            guard let entry = changed(name, to: tree[name], including: taken[name], by: device, at: seconds) else {
                continue
            }
            put(entry)
        }
    }

    /// The new entry of a file; nil if the present one is still right.
    private func changed(
        _ name: String,
        to content: FileEntry?,
        including taken: FileEntry?,
        by device: UInt64,
        at seconds: UInt64
    ) -> FileEntry? {
        let own = entries[name]
        var wanted = content ?? FileEntry(name: name)
        if content == nil {
            // A file that neither side has needs no trace.
            guard own != nil || taken?.standing == .present else { return nil }
            wanted.standing = .deleted
            wanted.kind = own?.kind ?? taken?.kind ?? .file
        }
        if let own, own.hasContent(of: wanted), taken.map({ own.version.includes($0.version) }) ?? true { return nil }
        if let taken, taken.hasContent(of: wanted), own.map({ taken.version.includes($0.version) }) ?? true {
            return taken
        }
        let known = (own?.version ?? .empty).merged(with: taken?.version ?? .empty)
        wanted.version = known.changed(by: device, at: seconds)
        wanted.changer = device
        return wanted
    }

    /// Takes over the versions of files whose content is the device's already.
    mutating func merge(_ versions: [String: DeviceVector]) {
        for (name, version) in versions.sorted(by: { $0.key < $1.key }) {
            guard var entry = entries[name] else { continue }
            entry.version = entry.version.merged(with: version)
            put(entry)
        }
    }

    private mutating func put(_ entry: FileEntry) {
        sequence += 1
        var entry = entry
        entry.sequence = sequence
        entries[entry.name] = entry
    }
}

extension DeviceVector {
    /// True if this version is the other one or newer.
    func includes(_ other: DeviceVector) -> Bool {
        [.equal, .newer].contains(order(to: other))
    }
}
