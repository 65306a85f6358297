import Glibc
import LinuxPlatform
import Vocabulary

/// An incomplete folder: a folder with the partial tree and the journal, which is the pack without the bytes of the
/// files. Both together give every byte of the pack that has arrived.
final class FolderPartial: ResourcePartial {
    let target: TargetFolder
    let name: FileName
    let offer: ResourceOffer
    let partial: OpenFolder
    let tree: OpenFolder
    let journal: PackJournal
    private var reader: PackReader
    private var builder: TreeBuilder
    private var rootStamp: ResourceStamp?
    private(set) var contentBytes: UInt64 = 0

    /// Creates the partial folder or opens the existing one.
    init(_ name: FileName, in target: TargetFolder, for offer: ResourceOffer) throws(ResourceError) {
        self.target = target
        self.name = name
        self.offer = offer
        let path = "\(target.path)/\(name)"
        (partial, journal) = try Self.openLocked(name, in: target, for: offer)
        let partial = partial
        let tree = OpenFolder(
            try explaining(path) { () throws(SystemError) in
                try partial.folder.openOrCreateFolder(PartialName.tree)
            }
        )
        self.tree = tree
        reader = PackReader(total: offer.totalBytes, entries: offer.entryCount)
        builder = TreeBuilder(root: tree, path: path)
    }

    private static func openLocked(
        _ name: FileName,
        in target: TargetFolder,
        for offer: ResourceOffer
    ) throws(ResourceError) -> (OpenFolder, PackJournal) {
        while true {
            do {
                let partial = OpenFolder(try target.folder.openOrCreateFolder(name))
                guard let locked = try partial.folder.openOrCreate(PartialName.journal).lockedForWriting() else {
                    throw ResourceError.busy(offer.name)
                }
                // The previous holder of the lock may have finished and removed all this in the meantime.
                let facts = try locked.descriptor.facts()
                if try partial.folder.facts(of: PartialName.journal).isSameFile(as: facts) {
                    return (partial, PackJournal(locked, path: "\(target.path)/\(name)"))
                }
            } catch let error as ResourceError {
                throw error
            } catch let error as SystemError {
                guard error.number == ENOENT else { throw ResourceError(error, at: "\(target.path)/\(name)") }
                guard (try? target.folder.facts()) != nil else { throw ResourceError(error, at: target.path) }
            } catch {
                preconditionFailure("nothing else is thrown above")
            }
        }
    }

    func holdsSomething() throws(ResourceError) -> Bool { try !journal.isEmpty() }

    // MARK: Reading back

    func readBack(into digester: inout StreamDigester) throws(ResourceError) {
        var walk = JournalWalk(journal, offer, root: tree)
        let scratch = Scratch()
        while let record = try walk.next() {
            // The held prefix ends at the first entry that is in the journal but not in the tree.
            guard walk.follow(record), walk.recordBytes.count <= offer.totalBytes - digester.position else { return }
            guard case .file(let name, _, let size) = record else {
                walk.recordBytes.withUnsafeBytes { digester.update($0) }
                continue
            }
            guard let file = try? walk.folder.folder.open(name) else { return }
            walk.recordBytes.withUnsafeBytes { digester.update($0) }
            guard Self.digest(file, size, into: &digester, using: scratch) else { return }
            walk.skipContent(size)
        }
    }

    /// - Returns: true if the whole file is present
    private static func digest(
        _ file: borrowing OwnedDescriptor,
        _ size: UInt64,
        into digester: inout StreamDigester,
        using scratch: Scratch
    ) -> Bool {
        var position: UInt64 = 0
        while position < size {
            let room = scratch.prefix(size - position)
            // Bytes that can't be read are not held.
            guard let count = try? file.read(into: room, at: position), count > 0 else { return false }
            digester.update(UnsafeRawBufferPointer(rebasing: room.prefix(count)))
            position += UInt64(count)
        }
        return true
    }

    // MARK: Resuming

    func start(at offset: UInt64) throws(ResourceError) {
        var walk = JournalWalk(journal, offer, root: tree, end: offset)
        builder = TreeBuilder(root: tree, path: "\(target.path)/\(name)")
        while walk.position < offset {
            guard let record = try walk.next() else { break }
            guard walk.follow(record) else { throw .damaged() }
            guard case .file(let name, let stamp, let size) = record else { continue }
            let left = offset - walk.position
            if size >= left {
                // The position is in the middle of this file, or at its end, before the mode and time are set.
                try builder.resumeFile(name, stamp, size: size, at: left, in: walk.folder)
            }
            walk.skipContent(min(size, left))
        }
        guard walk.position == offset else { throw .damaged() }
        builder.trail = walk.trail
        try builder.removeWhatFollows(walk.reader.lastNames)
        reader = walk.reader
        try journal.truncate(to: walk.journalPosition - UInt64(reader.unfinishedByteCount))
    }

    // MARK: Writing

    func write(_ bytes: UnsafeRawBufferPointer) throws(ResourceError) {
        var input = bytes
        while let event = try next(&input) {
            switch event {
            case .record(let record):
                journal.append(reader.lastRecordBytes)
                try builder.add(record)
            case .content(let bytes): try builder.write(bytes)
            case .fileEnd: try builder.endFile()
            }
        }
        try journal.flush()
    }

    private func next(_ input: inout UnsafeRawBufferPointer) throws(ResourceError) -> PackReader.Event? {
        do {
            return try reader.next(&input)
        } catch {
            throw .badPack(error)
        }
    }

    // MARK: End

    func flush() throws(ResourceError) {
        guard reader.hasEnded else { throw .badPack(.endedWithin) }
        let stamp = try restoreFolders()
        rootStamp = stamp
        try explained { () throws(SystemError) in
            // The folder must stay writable until it has moved.
            try tree.folder.setModified(stamp.modified)
            try partial.folder.syncFileSystem()
        }
    }

    func adopt(as wanted: FileName) throws(ResourceError) -> FileName {
        guard let stamp = rootStamp else { preconditionFailure("what is named was flushed") }
        let adopted = try target.adopt(PartialName.tree, from: partial.folder, as: wanted, .folder)
        try explained { () throws(SystemError) in try tree.folder.setMode(stamp.mode) }
        try removePartial()
        try target.sync()
        return adopted
    }

    /// Sets the modes and times of the folders, the inner ones first, now that no entry changes.
    private func restoreFolders() throws(ResourceError) -> ResourceStamp {
        var walk = JournalWalk(journal, offer, root: tree)
        var stamps: [ResourceStamp] = []
        contentBytes = 0
        while let record = try walk.next() {
            if case .leave = record, let stamp = stamps.popLast() {
                let folder = walk.folder
                try explained { () throws(SystemError) in
                    try folder.folder.setModified(stamp.modified)
                    try folder.folder.setMode(stamp.mode)
                }
            }
            guard walk.follow(record) else { throw .damaged() }
            switch record {
            case .root(let stamp), .folder(_, let stamp): stamps.append(stamp)
            case .file(_, _, let size):
                contentBytes += size
                walk.skipContent(size)
            case .link, .leave, .end: continue
            }
        }
        guard let root = stamps.first, stamps.count == 1 else { throw .damaged() }
        return root
    }

    func remove() throws(ResourceError) {
        builder = TreeBuilder(root: tree, path: target.path)
        try explained { () throws(SystemError) in try partial.folder.removeTree(PartialName.tree) }
        try removePartial()
    }

    private func removePartial() throws(ResourceError) {
        try explained { () throws(SystemError) in
            try partial.folder.remove(PartialName.journal)
            try target.folder.removeFolder(name)
        }
    }

    private func explained(_ body: () throws(SystemError) -> Void) throws(ResourceError) {
        do {
            try body()
        } catch {
            throw ResourceError(error, at: "\(target.path)/\(name)")
        }
    }
}
