import Glibc
import LinuxPlatform
import Vocabulary

/// A file that has not arrived whole yet: the first bytes of it.
final class FilePartial: ResourcePartial {
    private let target: TargetFolder
    private let name: FileName
    private let total: UInt64
    private let stamp: ResourceStamp?
    private let locked: LockedFile
    private var writer: SparseWriter

    /// Makes the partial file or takes up the one that is there.
    init(_ name: FileName, in target: TargetFolder, for offer: ResourceOffer) throws(ResourceError) {
        self.target = target
        self.name = name
        total = offer.totalBytes
        stamp = offer.stamp
        writer = SparseWriter(size: offer.totalBytes)
        locked = try Self.openLocked(name, in: target, for: offer)
    }

    /// Whoever had the lock before may have renamed or removed the file meanwhile; then this one is another's.
    private static func openLocked(
        _ name: FileName,
        in target: TargetFolder,
        for offer: ResourceOffer
    ) throws(ResourceError) -> LockedFile {
        do {
            while true {
                // The process's mask, or the folder's own rules, take away from the mode what nobody here is to have.
                let mode = offer.stamp?.modeWhileArriving ?? FileMode(rawValue: 0o666)
                let file = try target.folder.openForGoingOn(name, mode: mode)
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
            // What can't be read is not held.
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

    /// Where the file system keeps no such thing, as on a memory stick, the bytes have arrived all the same.
    private func takeMode() {
        guard let stamp, let facts = try? locked.descriptor.facts() else { return }
        let mode = stamp.mode(within: facts.mode)
        if mode != facts.mode { try? locked.descriptor.setMode(mode) }
    }

    /// The time comes last: by its age it is told whether anybody still goes on with what is not named yet.
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
