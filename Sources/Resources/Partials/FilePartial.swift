import Glibc
import LinuxPlatform
import Vocabulary

/// The first bytes of a file that is arriving.
final class FilePartial: ResourcePartial {
    private let target: TargetFolder
    private let name: FileName
    private let total: UInt64
    private let stamp: ResourceStamp?
    private let locked: LockedFile
    private var writer: SparseWriter

    /// Creates the partial file or opens the existing one.
    init(_ name: FileName, in target: TargetFolder, for offer: ResourceOffer) throws(ResourceError) {
        self.target = target
        self.name = name
        total = offer.totalBytes
        stamp = offer.stamp
        writer = SparseWriter(size: offer.totalBytes)
        locked = try Self.openLocked(name, in: target, for: offer)
    }

    /// The previous holder of the lock may have renamed or removed the file in the meantime; then the loop opens it
    /// again.
    private static func openLocked(
        _ name: FileName,
        in target: TargetFolder,
        for offer: ResourceOffer
    ) throws(ResourceError) -> LockedFile {
        do {
            while true {
                // The process's mask or the folder's default rules remove bits that no user of this machine should
                // have.
                let mode = offer.stamp?.modeWhileArriving ?? FileMode(rawValue: 0o666)
                let file = try target.folder.openForResuming(name, mode: mode)
                guard let locked = try file.lockedForWriting() else { throw ResourceError.busy(offer.name) }
                let facts = try locked.descriptor.facts()
                if let there = try? target.folder.facts(of: name), there.isSameFile(as: facts) { return locked }
            }
        } catch let error as SystemError {
            throw ResourceError(error, at: "\(target.path)/\(name)")
        } catch let error as ResourceError {
            throw error
        } catch {
            preconditionFailure("nothing else is thrown above")
        }
    }

    private func explained<Value>(_ body: () throws(SystemError) -> Value) throws(ResourceError) -> Value {
        do {
            return try body()
        } catch {
            throw ResourceError(error, at: "\(target.path)/\(name)")
        }
    }

    func holdsSomething() throws(ResourceError) -> Bool {
        try explained { () throws(SystemError) in try locked.descriptor.facts() }.size > 0
    }

    func readBack(into digester: inout StreamDigester) throws(ResourceError) {
        let size = min(UInt64(try explained { () throws(SystemError) in try locked.descriptor.facts() }.size), total)
        let scratch = Scratch()
        while digester.position < size {
            let room = scratch.prefix(size - digester.position)
            // Bytes that can't be read are not held.
            guard let count = try? locked.descriptor.read(into: room, at: digester.position), count > 0 else { return }
            digester.update(UnsafeRawBufferPointer(rebasing: room.prefix(count)))
        }
    }

    func start(at offset: UInt64) throws(ResourceError) {
        try explained { () throws(SystemError) in try locked.descriptor.truncate(to: offset) }
        writer = SparseWriter(size: total, position: offset)
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(ResourceError) {
        do {
            try writer.write(bytes, to: locked.descriptor)
        } catch {
            throw ResourceError(error, at: "\(target.path)/\(name)")
        }
    }

    var contentBytes: UInt64 { total }

    func flush() throws(ResourceError) {
        try explained { () throws(SystemError) in
            try writer.finish(locked.descriptor)
            takeMode()
            try locked.descriptor.sync()
        }
    }

    /// Sets the mode. A file system without modes, as on a memory stick, is no error.
    private func takeMode() {
        guard let stamp, let facts = try? locked.descriptor.facts() else { return }
        let mode = stamp.mode(within: facts.mode)
        if mode != facts.mode { try? locked.descriptor.setMode(mode) }
    }

    /// Renames the file. Its modification time is set at the end: by its age, other code decides if a partial file is
    /// abandoned.
    func adopt(as wanted: FileName) throws(ResourceError) -> FileName {
        let now = FileTime.now
        let modified = stamp?.modified(ifArrivedAt: now)
        if let modified { try? locked.descriptor.setModified(modified) }
        do {
            let adopted = try target.adopt(name, from: target.folder, as: wanted, .file)
            try target.sync()
            return adopted
        } catch {
            if modified != nil { try? locked.descriptor.setModified(now) }
            throw error
        }
    }

    func remove() throws(ResourceError) {
        try explained { () throws(SystemError) in try target.folder.remove(name) }
    }
}
