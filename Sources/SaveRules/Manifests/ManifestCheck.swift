import Vocabulary

/// Checks the rules for all entries of a manifest together, one entry after another.
struct ManifestCheck {
    private var last: SavePath?
    /// The folders in which the next entry may be, the outermost first.
    private var around: [SavePath] = []
    private var entryCount = 0
    private var pieceCount = 0
    private var byteCount = Manifest.frameByteCount
    private var memoryByteCount = 0
    private let memoryLimit: Int

    /// - Parameter limit: the largest ``Manifest/memoryByteCount``
    init(memoryLimit limit: Int = .max) { memoryLimit = limit }

    mutating func take(_ entry: ManifestEntry) throws(SaveFormatError.Fault) {
        entryCount += 1
        guard entryCount <= Manifest.maximumEntryCount else { throw .tooManyEntries }
        if let last, !(last < entry.path) { throw .outOfOrder }
        let depth = entry.path.depth
        if around.count >= depth { around.removeLast(around.count - depth + 1) }
        guard around.count == depth - 1, around.last.map(entry.path.lies(in:)) ?? true else { throw .noFolderAround }
        switch entry.content {
        case .folder: around.append(entry.path)
        case .file(let file): pieceCount += file.pieces.count
        case .link(let target):
            guard LinkTarget(target.text.utf8, depth: depth - 1) != nil else { throw .linkLeadsOut }
        }
        guard pieceCount <= Manifest.maximumPieceCount else { throw .tooManyPieces }
        byteCount += entry.byteCount
        guard byteCount <= Manifest.maximumByteCount else { throw .tooManyBytes }
        memoryByteCount += entry.memoryByteCount
        guard memoryByteCount <= memoryLimit else { throw .listTooLong }
        last = entry.path
    }
}
