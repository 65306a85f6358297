import LinuxPlatform
import Vocabulary

/// Walks the files of a place, within limits. It neither follows nor counts links.
struct SaveWalk {
    private let ignoresCase: Bool
    private let limits: SaveTally.Limits
    private let isReserved: (String) -> Bool
    private var tally = SaveTally()
    private var entriesLeft: Int

    /// - Parameters:
    ///   - folder: a path without links
    ///   - patterns: the patterns of the saves relative to the folder; empty for all files
    ///   - isReserved: true for a name directly in the folder that the walk must skip
    static func tally(
        _ folder: String,
        patterns: [[PlaceComponent]],
        ignoringCase: Bool,
        limits: SaveTally.Limits = SaveTally.Limits(),
        isReserved: @escaping (String) -> Bool = { _ in false }
    ) -> SaveTally {
        guard let opened = try? Folder(at: folder) else { return SaveTally() }
        var walk = SaveWalk(ignoringCase, limits, isReserved)
        if patterns.isEmpty {
            walk.countAll(of: opened, depth: 0)
        } else {
            walk.count(of: opened, patterns.map { $0[...] }, depth: 0)
        }
        return walk.tally
    }

    private init(_ ignoresCase: Bool, _ limits: SaveTally.Limits, _ isReserved: @escaping (String) -> Bool) {
        (self.ignoresCase, self.limits, self.isReserved) = (ignoresCase, limits, isReserved)
        entriesLeft = limits.entries
    }

    private mutating func countAll(of folder: borrowing Folder, depth: Int) {
        for (name, kind) in names(in: folder) {
            guard !tally.isCut else { return }
            take(name, kind, of: folder, depth: depth)
        }
    }

    private mutating func take(_ name: FileName, _ kind: FolderEntry.Kind, of folder: borrowing Folder, depth: Int) {
        switch kind {
        case .file:
            guard tally.files < limits.files else {
                tally.isCut = true
                return
            }
            if let facts = try? folder.facts(of: name), facts.isRegular { tally.count(facts) }
        case .folder:
            guard depth < limits.depth else {
                tally.isCut = true
                return
            }
            if let inner = try? folder.openFolder(name) { countAll(of: inner, depth: depth + 1) }
        case .symbolicLink, .other: break
        }
    }

    private mutating func count(of folder: borrowing Folder, _ patterns: [ArraySlice<PlaceComponent>], depth: Int) {
        for (name, kind) in names(in: folder) {
            guard !tally.isCut else { return }
            if depth == 0, isReserved(name.text) { continue }
            let (isMatched, left) = step(patterns, name.text)
            if isMatched {
                take(name, kind, of: folder, depth: depth)
            } else if kind == .folder, !left.isEmpty {
                guard depth < limits.depth else {
                    tally.isCut = true
                    return
                }
                if let inner = try? folder.openFolder(name) { count(of: inner, left, depth: depth + 1) }
            }
        }
    }

    /// Returns true if a name completes a pattern; otherwise returns the rest of each pattern that continues below it.
    private func step(_ patterns: [ArraySlice<PlaceComponent>], _ name: String) -> (Bool, [ArraySlice<PlaceComponent>])
    {
        var left: Set<ArraySlice<PlaceComponent>> = []
        var pending = patterns
        while let pattern = pending.popLast() {
            guard let first = pattern.first else { continue }
            let rest = pattern.dropFirst()
            if first.form == .anyDepth {
                if rest.isEmpty { return (true, []) }
                left.insert(pattern)
                pending.append(rest)
            } else if first.matches(name, ignoringCase: ignoresCase) {
                if rest.isEmpty { return (true, []) }
                left.insert(rest)
            }
        }
        return (false, Array(left))
    }

    private mutating func names(in folder: borrowing Folder) -> [(FileName, FolderEntry.Kind)] {
        guard let entries = try? folder.entries(limit: min(limits.entriesOfFolder, max(entriesLeft, 0))) else {
            tally.isCut = true
            return []
        }
        entriesLeft -= entries.count
        return entries.compactMap { entry in entry.name.map { ($0, entry.kind) } }
    }
}
