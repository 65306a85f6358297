import Vocabulary

/// Sorts the differences between two manifests into the order of ``ManifestDifference``.
struct DifferencePlan {
    private var removals: [ManifestDifference.Step] = []
    private var newFolders: [ManifestDifference.Step] = []
    private var moves: [ManifestDifference.Step] = []
    private var emptied: [ManifestDifference.Step] = []
    private var contents: [ManifestDifference.Step] = []
    private var stamps: [ManifestDifference.Step] = []
    private var folderModes: [ManifestDifference.Step] = []
    /// Files of the old manifest whose path is not in the new one, and files of the new one whose path is not in the
    /// old one.
    private var (gone, come) = ([ManifestEntry](), [ManifestEntry]())

    var steps: [ManifestDifference.Step] {
        removals + newFolders + moves + emptied.reversed() + contents + stamps + folderModes.reversed()
    }

    mutating func compare(_ old: Manifest, _ new: Manifest) {
        for pair in new.differences(from: old) {
            switch (pair.old, pair.new) {
            case (let left?, let right?): changes(left, right)
            case (let left?, nil): goes(left, isReplaced: false)
            case (nil, let right?): comes(right, replacing: nil)
            case (nil, nil): continue
            }
        }
        pairMoves()
    }

    private mutating func goes(_ entry: ManifestEntry, isReplaced: Bool) {
        switch entry.content {
        case .folder: emptied.append(.removeFolder(entry.path))
        case .link: removals.append(.remove(entry.path))
        case .file where isReplaced: removals.append(.remove(entry.path))
        case .file: gone.append(entry)
        }
    }

    private mutating func comes(_ entry: ManifestEntry, replacing old: ManifestEntry?) {
        switch entry.content {
        case .folder(let mode):
            newFolders.append(.makeFolder(entry.path))
            folderModes.append(.setFolder(entry.path, mode))
        case .link(let target): contents.append(.link(entry.path, target))
        case .file(let file) where old != nil: contents.append(.put(entry.path, file))
        case .file: come.append(entry)
        }
    }

    private mutating func changes(_ old: ManifestEntry, _ new: ManifestEntry) {
        switch (old.content, new.content) {
        case (.folder, .folder(let mode)): folderModes.append(.setFolder(new.path, mode))
        case (.link, .link(let target)): contents.append(.link(new.path, target))
        case (.file(let was), .file(let file)): changes(was, file, at: new.path)
        case (.folder, _), (.link, _), (.file, _):
            goes(old, isReplaced: true)
            comes(new, replacing: old)
        }
    }

    private mutating func changes(_ old: SavedFile, _ new: SavedFile, at path: SavePath) {
        if old.pieces != new.pieces {
            let patch = FilePatch(from: old.pieces, to: new.pieces)
            guard patch.keepsSomething else {
                contents.append(.put(path, new))
                return
            }
            contents.append(.patch(path, patch))
        }
        stamps.append(.setFile(path, new.mode, new.modified))
    }

    /// Finds moved files: a removed file and an added one with the same contents. Empty files are created again.
    private mutating func pairMoves() {
        var sources: [[PieceReference]: [ManifestEntry]] = [:]
        for entry in gone.reversed() {
            guard let pieces = entry.file?.pieces, !pieces.isEmpty else { continue }
            sources[pieces, default: []].append(entry)
        }
        var moved: Set<SavePath> = []
        for entry in come {
            guard let file = entry.file else { continue }
            guard let source = sources[file.pieces]?.popLast() else {
                contents.append(.put(entry.path, file))
                continue
            }
            moved.insert(source.path)
            moves.append(.move(source.path, to: entry.path))
            if source.content != entry.content { stamps.append(.setFile(entry.path, file.mode, file.modified)) }
        }
        removals += gone.filter { !moved.contains($0.path) }.map { .remove($0.path) }
    }
}
