import Digests
import Glibc
import History
import LinuxPlatform
import SaveRules
import Vocabulary

/// Determines the content of the files of a listing: from the scan cache if the fingerprint fits, otherwise by reading.
struct SetScan {
    private let root: UInt64
    private let place: SetPlace
    private let batch: HistoryBatch?
    private let cutter = FileCutter()
    private var folders = FolderCursor()
    private var leases = RetriedLease()
    private(set) var bytesRead: UInt64 = 0
    private(set) var filesRead: [SavePath] = []
    /// The files that a program had open for writing when they were read.
    private(set) var heldFiles: [SavePath] = []

    /// - Parameter batch: receives the pieces; nil to compute their IDs only
    init(_ root: UInt64, _ place: SetPlace, into batch: HistoryBatch?) {
        (self.root, self.place, self.batch) = (root, place, batch)
    }

    /// - Returns: nil if the folder changed meanwhile
    mutating func read(
        _ listing: SetListing,
        knowing record: ScanCache?,
        in folder: borrowing Folder
    ) throws(SaveFolderError) -> ScanCache? {
        let unknown = try filesToRead(listing, record)
        let flushesEach = unknown.count <= FileStaging.flushLimit
        Self.letTimePass(unknown.compactMap { listing.entries[$0.key].stamp })
        var (entries, fingerprints) = ([ManifestEntry](), [FileFingerprint?]())
        entries.reserveCapacity(listing.entries.count)
        fingerprints.reserveCapacity(listing.entries.count)
        var known = record?.cursor
        for (index, entry) in listing.entries.enumerated() {
            var fingerprint: FileFingerprint?
            let content: ManifestEntry.Content
            switch entry.kind {
            case .folder(let mode): content = .folder(mode)
            case .link(let target): content = .link(target)
            case .file(let stamp):
                let pieces: [PieceReference]
                let found = known?.find(entry.path)
                if unknown[index] == nil, let found {
                    (pieces, fingerprint) = (found.file.pieces, found.fingerprint)
                } else {
                    let before = found?.file.pieces ?? []
                    guard let isWritten = try isWritten(entry.path, stamp, in: folder),
                        let read = try read(entry.path, stamp, in: folder, knowing: before, flushing: flushesEach)
                    else { return nil }
                    (pieces, fingerprint) = (read, isWritten ? nil : FileFingerprint(stamp, at: .now))
                }
                content = .file(SavedFile(stamp, pieces))
            }
            entries.append(ManifestEntry(entry.path, content))
            fingerprints.append(fingerprint)
        }
        if batch != nil, !flushesEach {
            try explaining(place.root) { () throws(SystemError) in try folder.syncFileSystem() }
        }
        do {
            return ScanCache(root: root, try Manifest(entries), fingerprints)
        } catch {
            throw .tooMuch(place.root, cause: error)
        }
    }

    /// Reads those of some changed entries that are unknown. The history must keep all that is known.
    ///
    /// - Returns: nil if the folder changed meanwhile
    mutating func read(
        _ changed: ChangedEntries,
        over known: ScanCache,
        in folder: borrowing Folder
    ) throws(SaveFolderError) -> ScanCache? {
        var changes: [SavePath: ScanCache.Change?] = [:]
        func note(_ content: ManifestEntry.Content, _ fingerprint: FileFingerprint?, at path: SavePath) {
            changes.updateValue(ScanCache.Change(content: content, fingerprint: fingerprint), forKey: path)
        }
        var unknown: [(path: SavePath, stamp: FileStamp)] = []
        for (path, kind) in changed.kinds {
            switch kind {
            case nil: changes.updateValue(nil, forKey: path)
            case .folder(let mode): note(.folder(mode), nil, at: path)
            case .link(let target): note(.link(target), nil, at: path)
            case .file(let stamp):
                guard let found = known.file(at: path), found.fingerprint?.fits(stamp, found.file) == true else {
                    unknown.append((path, stamp))
                    continue
                }
                // A mode alone changes no fingerprint that counts.
                note(.file(SavedFile(stamp, found.file.pieces)), found.fingerprint, at: path)
            }
        }
        unknown.sort { $0.path < $1.path }
        let flushesEach = unknown.count <= FileStaging.flushLimit
        Self.letTimePass(unknown.map(\.stamp))
        for (path, stamp) in unknown {
            let before = known.file(at: path)?.file.pieces ?? []
            guard let isWritten = try isWritten(path, stamp, in: folder),
                let pieces = try read(path, stamp, in: folder, knowing: before, flushing: flushesEach)
            else { return nil }
            note(.file(SavedFile(stamp, pieces)), isWritten ? nil : FileFingerprint(stamp, at: .now), at: path)
        }
        if batch != nil, !flushesEach {
            try explaining(place.root) { () throws(SystemError) in try folder.syncFileSystem() }
        }
        return known.changing(changes)
    }

    /// The positions in the listing of the files to read.
    private func filesToRead(
        _ listing: SetListing,
        _ record: ScanCache?
    ) throws(SaveFolderError) -> [Int: Void] {
        var (unknown, known) = ([Int: Void](), record?.cursor)
        var unchanged: [(index: Int, pieces: [PieceReference])] = []
        for (index, entry) in listing.entries.enumerated() {
            guard case .file(let stamp) = entry.kind else { continue }
            if let found = known?.find(entry.path), let fingerprint = found.fingerprint,
                fingerprint.fits(stamp, found.file)
            {
                unchanged.append((index, found.file.pieces))
            } else {
                unknown[index] = ()
            }
        }
        // A cached file whose pieces were removed from the history must be read again.
        let missingPieces = try missingPieces(of: unchanged.flatMap(\.pieces))
        if !missingPieces.isEmpty {
            for (index, pieces) in unchanged where pieces.contains(where: { missingPieces.contains($0.id) }) {
                unknown[index] = ()
            }
        }
        return unknown
    }

    /// Those of the pieces that the history does not have. It keeps the others from now on.
    private func missingPieces(of pieces: [PieceReference]) throws(SaveFolderError) -> Set<PieceID> {
        guard let batch else { return [] }
        return try asking { () throws(HistoryError) in try batch.claim(all: pieces.map(\.id)) }
    }

    /// Waits until a later write to these files changes their time. A file that was written a moment ago may be written
    /// again with the same time.
    private static func letTimePass(_ stamps: [FileStamp]) {
        let (now, grain) = (FileTime.now, FileFingerprint.grain)
        guard stamps.contains(where: { $0.changed.distance(from: now) <= grain }) else { return }
        // If a signal ends the wait early, the fingerprints are missing, which is safe.
        usleep(useconds_t(grain / .microseconds(1)) + 1_000)
    }

    // MARK: Files

    /// Returns true if a program has the file open for writing; nil if such a program has just begun to write.
    ///
    /// The kernel changes the time of a file when a write begins, and a slow disk takes long to end it. A scan that
    /// reads meanwhile gets new bytes and old ones, under a time that stays the same. So the program is looked for
    /// after the time was read: without one, each write that the time shows has ended.
    private mutating func isWritten(
        _ path: SavePath,
        _ stamp: FileStamp,
        in root: borrowing Folder
    ) throws(SaveFolderError) -> Bool? {
        do throws(SystemError) {
            let around = try folders.folder(around: path, in: root)
            let answer = try leases.take(.writersAway) { () throws(SystemError) in try around.folder.open(path.name) }
            switch answer {
            case .held: return false
            case .unavailable: return false
            case .inUse:
                guard stamp.changed.distance(from: .now) >= Self.longestWrite else { return nil }
                heldFiles.append(path)
                return true
            }
        } catch {
            if error.isOfMissingFile { return nil }
            throw SaveFolderError(error, at: place.path(of: path))
        }
    }

    /// The time after which a program that has a file open is not writing, but keeps the file open.
    private static let longestWrite = Duration.seconds(2)

    /// Reads a file. It flushes the file before its fingerprint is trusted: a power cut may keep its times and lose
    /// written data.
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
            // The disk writes while the file is read, so that the flush afterwards is short.
            if batch != nil, flushing { file.beginWriteBack(from: 0, count: UInt64(stamp.facts.size)) }
            let pieces = try pieces(of: file, UInt64(stamp.facts.size), knowing: before)
            guard pieces.totalLength == UInt64(stamp.facts.size), try file.stamp() == stamp else { return nil }
            if batch != nil, flushing { try file.sync() }
            bytesRead += UInt64(stamp.facts.size)
            filesRead.append(path)
            return pieces
        } catch let error as SystemError {
            if error.isOfMissingFile { return nil }
            throw SaveFolderError(error, at: place.path(of: path))
        } catch let error as HistoryError {
            throw SaveFolderError(error)
        } catch let error as SaveFolderError {
            throw error
        } catch {
            preconditionFailure("unexpected error of reading a file: \(error)")
        }
    }

    /// - Parameter before: the content at the last read; unchanged pieces are not cut again
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
        // The sizes of pieces depend on the size of the file.
        let isCutAlike = PieceSizes(forFileOf: before.totalLength) == sizes
        let isKnown = try isCutAlike && before.count > 1 && missingPieces(of: before).isEmpty
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

extension SystemError {
    /// True if the file is missing, or replaced by another kind.
    fileprivate var isOfMissingFile: Bool { [ENOENT, ENOTDIR, EINVAL, ELOOP, ENXIO].contains(number) }
}

extension SavedFile {
    fileprivate init(_ stamp: FileStamp, _ pieces: [PieceReference]) {
        self.init(mode: stamp.facts.mode, modified: stamp.facts.modified, pieces: pieces)
    }
}

extension SetListing.Entry {
    fileprivate var stamp: FileStamp? {
        if case .file(let stamp) = kind { stamp } else { nil }
    }
}

extension ScanCache {
    /// Finds one path after the other, in their order.
    struct Cursor {
        fileprivate let record: ScanCache
        fileprivate var place = 0

        mutating func find(_ path: SavePath) -> (file: SavedFile, fingerprint: FileFingerprint?)? {
            let entries = record.manifest.entries
            while place < entries.count, entries[place].path < path { place += 1 }
            guard place < entries.count, entries[place].path == path, let file = entries[place].file else { return nil }
            return (file, record.fingerprints[place])
        }
    }

    var cursor: Cursor { Cursor(record: self) }
}
