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
                if unknown[index] == nil, let found = known?.find(entry.path) {
                    (pieces, seal) = (found.file.pieces, found.seal)
                } else {
                    guard let read = try read(entry.path, stamp, in: folder, flushing: flushesEach) else { return nil }
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
        for (index, entry) in listing.entries.enumerated() {
            guard case .file(let stamp) = entry.kind else { continue }
            guard let found = known?.find(entry.path), let seal = found.seal, seal.fits(stamp, found.file),
                try areThere(found.file.pieces)
            else {
                unknown[index] = ()
                continue
            }
        }
        return unknown
    }

    /// What is known and was collected meanwhile has to be read again.
    private func areThere(_ pieces: [PieceReference]) throws(SaveFolderError) -> Bool {
        guard let batch else { return true }
        return try asking { () throws(HistoryError) in
            for piece in pieces where try !batch.claim(piece.id) { return false }
            return true
        }
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
        flushing: Bool
    ) throws(SaveFolderError) -> [PieceReference]? {
        do {
            let file = try folders.folder(around: path, in: root).folder.open(path.name)
            guard try file.stamp() == stamp else { return nil }
            let pieces = try pieces(of: file, UInt64(stamp.facts.size))
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
        } catch {
            preconditionFailure("reading a file fails in no other way: \(error)")
        }
    }

    private func pieces(of file: borrowing OwnedDescriptor, _ size: UInt64) throws -> [PieceReference] {
        let sizes = PieceSizes(forFileOf: size)
        let isWhole = size <= UInt64(sizes.wholeUpTo)
        let cutter =
            isWhole
            ? nil : PieceCutter(minimum: sizes.minimum, average: sizes.average, maximum: sizes.maximum)
        var pieces: [PieceReference] = []
        _ = try self.cutter.pieces(of: file, size: size, cutBy: cutter) { piece in
            try batch?.put(piece)
            pieces.append(PieceReference(PieceID(words: piece.digest.words), length: piece.bytes.count))
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
