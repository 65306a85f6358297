import Digests
import Glibc
import History
import LinuxPlatform
import SaveRules
import Vocabulary

/// Finds out what the files of a listing hold: from the record where a seal fits, else by reading them.
struct SetReading {
    private let root: UInt64
    private let place: SetPlace
    private let batch: HistoryBatch?
    private let cutter = FileCutter()
    private var folders = FolderCursor()
    private(set) var bytesRead: UInt64 = 0
    private(set) var filesRead = 0

    /// - Parameter batch: where the pieces go; nil to find out only what they are
    init(_ root: UInt64, _ place: SetPlace, into batch: HistoryBatch?) {
        (self.root, self.place, self.batch) = (root, place, batch)
    }

    /// - Returns: nil where the set changed meanwhile
    mutating func read(
        _ listing: SetListing,
        knowing record: SetRecord?,
        in folder: borrowing Folder
    ) throws(SaveFolderError) -> SetRecord? {
        let unknown = try filesToRead(listing, record)
        let flushesEach = unknown.count <= FileStaging.flushLimit
        Self.letTimePass(unknown.compactMap { listing.entries[$0.key].stamp })
        var (entries, seals) = ([ManifestEntry](), [FileSeal?]())
        entries.reserveCapacity(listing.entries.count)
        seals.reserveCapacity(listing.entries.count)
        var known = record?.cursor
        for (index, entry) in listing.entries.enumerated() {
            var seal: FileSeal?
            let content: ManifestEntry.Content
            switch entry.kind {
            case .folder(let mode): content = .folder(mode)
            case .link(let target): content = .link(target)
            case .file(let stamp):
                let pieces: [PieceReference]
                let found = known?.find(entry.path)
                if unknown[index] == nil, let found {
                    (pieces, seal) = (found.file.pieces, found.seal)
                } else {
                    let before = found?.file.pieces ?? []
                    guard let read = try read(entry.path, stamp, in: folder, knowing: before, flushing: flushesEach)
                    else { return nil }
                    (pieces, seal) = (read, FileSeal(stamp, at: .now))
                }
                content = .file(
                    SavedFile(mode: stamp.facts.mode, modified: stamp.facts.modified, pieces: pieces)
                )
            }
            entries.append(ManifestEntry(entry.path, content))
            seals.append(seal)
        }
        if batch != nil, !flushesEach {
            try explaining(place.root) { () throws(SystemError) in try folder.syncFileSystem() }
        }
        do {
            return SetRecord(root: root, try Manifest(entries), seals)
        } catch {
            throw .tooMuch(place.root, cause: error)
        }
    }

    /// The places in the listing of the files that have to be read.
    private func filesToRead(
        _ listing: SetListing,
        _ record: SetRecord?
    ) throws(SaveFolderError) -> [Int: Void] {
        var (unknown, known) = ([Int: Void](), record?.cursor)
        var unchanged: [(index: Int, pieces: [PieceReference])] = []
        for (index, entry) in listing.entries.enumerated() {
            guard case .file(let stamp) = entry.kind else { continue }
            if let found = known?.find(entry.path), let seal = found.seal, seal.fits(stamp, found.file) {
                unchanged.append((index, found.file.pieces))
            } else {
                unknown[index] = ()
            }
        }
        // What is known and was collected meanwhile has to be read again.
        let lacking = try lacking(of: unchanged.lazy.flatMap(\.pieces))
        if !lacking.isEmpty {
            for (index, pieces) in unchanged where pieces.contains(where: { lacking.contains($0.id) }) {
                unknown[index] = ()
            }
        }
        return unknown
    }

    /// Those of some pieces that the history does not have. The others stay there from now on.
    private func lacking(of pieces: some Sequence<PieceReference>) throws(SaveFolderError) -> Set<PieceID> {
        guard let batch else { return [] }
        return try asking { () throws(HistoryError) in try batch.claim(all: pieces.lazy.map(\.id)) }
    }

    /// A file that was written a moment ago may be written again without its time showing it. After a blink it can't.
    private static func letTimePass(_ stamps: [FileStamp]) {
        let (now, grain) = (FileTime.now, FileSeal.grain)
        guard stamps.contains(where: { $0.changed.distance(from: now) <= grain }) else { return }
        // A signal that ends it early makes the seals missing, which is the safe side.
        usleep(useconds_t(grain / .microseconds(1)) + 1_000)
    }

    // MARK: One file

    /// What was read is flushed before anybody relies on its seal: a power cut may keep a file's times and lose what was written to it.
    private mutating func read(
        _ path: SavePath,
        _ stamp: FileStamp,
        in root: borrowing Folder,
        knowing before: [PieceReference],
        flushing: Bool
    ) throws(SaveFolderError) -> [PieceReference]? {
        do {
            let file = try folders.folder(around: path, in: root).folder.open(path.name)
            guard try file.stamp() == stamp else { return nil }
            let pieces = try pieces(of: file, UInt64(stamp.facts.size), knowing: before)
            guard pieces.totalLength == UInt64(stamp.facts.size), try file.stamp() == stamp else { return nil }
            if batch != nil, flushing { try file.sync() }
            (bytesRead, filesRead) = (bytesRead + UInt64(stamp.facts.size), filesRead + 1)
            return pieces
        } catch let error as SystemError {
            // It has gone, or something else has come in its place.
            if [ENOENT, ENOTDIR, EINVAL, ELOOP, ENXIO].contains(error.number) { return nil }
            throw SaveFolderError(error, at: place.path(of: path))
        } catch let error as HistoryError {
            throw SaveFolderError(error)
        } catch let error as SaveFolderError {
            throw error
        } catch {
            preconditionFailure("reading a file fails in no other way: \(error)")
        }
    }

    /// - Parameter before: what it held when it was read before; what of that it still holds is not cut again
    private func pieces(
        of file: borrowing OwnedDescriptor,
        _ size: UInt64,
        knowing before: [PieceReference]
    ) throws -> [PieceReference] {
        let sizes = PieceSizes(forFileOf: size)
        var pieces: [PieceReference] = []
        func take(_ piece: DigestedBytes) throws {
            try batch?.put(piece)
            pieces.append(PieceReference(PieceID(words: piece.digest.words), length: piece.bytes.count))
        }
        guard size > UInt64(sizes.wholeUpTo) else {
            _ = try cutter.pieces(of: file, size: size, cutBy: nil, take)
            return pieces
        }
        // Files of other sizes are cut to other sizes.
        let isCutAlike = PieceSizes(forFileOf: before.totalLength) == sizes
        let isKnown = try isCutAlike && before.count > 1 && lacking(of: before).isEmpty
        let known = isKnown ? before : []
        _ = try cutter.pieces(
            of: file,
            size: size,
            cutBy: PieceCutter(minimum: sizes.minimum, average: sizes.average, maximum: sizes.maximum),
            knowing: known.map { KnownPiece(SHA256Digest(words: $0.id.words), length: $0.length) }
        ) { piece in
            switch piece {
            case .known(let number): pieces.append(before[number])
            case .new(let piece): try take(piece)
            }
        }
        return pieces
    }
}

extension SetListing.Entry {
    fileprivate var stamp: FileStamp? {
        if case .file(let stamp) = kind { stamp } else { nil }
    }
}

extension SetRecord {
    /// Finds one path after the other, in their order.
    struct Cursor {
        fileprivate let record: SetRecord
        fileprivate var place = 0

        mutating func find(_ path: SavePath) -> (file: SavedFile, seal: FileSeal?)? {
            let entries = record.manifest.entries
            while place < entries.count, entries[place].path < path { place += 1 }
            guard place < entries.count, entries[place].path == path, let file = entries[place].file else { return nil }
            return (file, record.seals[place])
        }
    }

    var cursor: Cursor { Cursor(record: self) }
}
