import Vocabulary

extension Manifest {
    /// The manifest with other files and links at some paths; nil as the content of a path that has nothing now.
    ///
    /// Answers nil if that would be no manifest, or if folders would have to come or go.
    public func changing(_ changes: [SavePath: ManifestEntry.Content?]) -> Manifest? {
        var entries: [ManifestEntry] = []
        entries.reserveCapacity(self.entries.count + changes.count)
        var start = 0
        for (path, content) in changes.sorted(by: { $0.key < $1.key }) {
            if case .folder? = content { return nil }
            guard path.parent.map({ self[$0]?.isFolder == true }) ?? true else { return nil }
            let place = place(of: path)
            entries += self.entries[start..<place]
            start = place
            if start < self.entries.count, self.entries[start].path == path {
                guard !self.entries[start].isFolder else { return nil }
                start += 1
            }
            if let content { entries.append(ManifestEntry(path, content)) }
        }
        entries += self.entries[start...]
        return Self.areFew(entries) ? Manifest(known: entries) : nil
    }

    /// True if a manifest may have so many entries, pieces and bytes.
    private static func areFew(_ entries: [ManifestEntry]) -> Bool {
        entries.count <= maximumEntryCount
            && entries.reduce(0) { $0 + ($1.file?.pieces.count ?? 0) } <= maximumPieceCount
            && entries.reduce(frameByteCount) { $0 + $1.byteCount } <= maximumByteCount
    }

    /// The folders around some paths, and what is at the paths.
    public func part(at paths: Set<SavePath>) -> Manifest {
        var all: Set<SavePath> = []
        for path in paths {
            var next: SavePath? = path
            while let path = next, all.insert(path).inserted { next = path.parent }
        }
        return Manifest(known: all.sorted().compactMap { self[$0] })
    }
}
