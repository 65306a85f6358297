import Glibc
import LinuxPlatform
import Vocabulary

/// A file that has not arrived whole yet: the first bytes of it.
final class FilePartial: ResourcePartial {
    private let target: TargetFolder
    private let name: FileName
    private let total: UInt64
    private let file: OwnedDescriptor
    private var writer: ContentWriter

    /// Makes the partial file or takes up the one that is there.
    init(_ name: FileName, in target: TargetFolder, for offer: ResourceOffer) throws(ResourceError) {
        self.target = target
        self.name = name
        total = offer.totalBytes
        writer = ContentWriter(size: offer.totalBytes)
        file = try Self.openLocked(name, in: target, for: offer)
    }

    /// Whoever had the lock before may have renamed or removed the file meanwhile; then this one is another's.
    private static func openLocked(
        _ name: FileName,
        in target: TargetFolder,
        for offer: ResourceOffer
    ) throws(ResourceError) -> OwnedDescriptor {
        do {
            while true {
                let file = try target.folder.openOrCreate(name, mode: FileMode(rawValue: 0o666))
                guard try file.lockForWriting() else { throw ResourceError.busy(offer.name) }
                let facts = try file.facts()
                if let there = try? target.folder.facts(of: name), there.isSameFile(as: facts) { return file }
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

    func readBack(into digester: inout StreamDigester) throws(ResourceError) {
        let size = min(UInt64(try explained { () throws(SystemError) in try file.facts() }.size), total)
        let scratch = Scratch()
        while digester.position < size {
            let room = scratch.prefix(size - digester.position)
            // What can't be read is not held.
            guard let count = try? file.read(into: room, at: digester.position), count > 0 else { return }
            digester.update(UnsafeRawBufferPointer(rebasing: room.prefix(count)))
        }
    }

    func start(at offset: UInt64) throws(ResourceError) {
        try explained { () throws(SystemError) in try file.truncate(to: offset) }
        writer = ContentWriter(size: total, position: offset)
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(ResourceError) {
        do {
            try writer.write(bytes, to: file)
        } catch {
            throw ResourceError(error, at: "\(target.path)/\(name)")
        }
    }

    func adopt(as wanted: FileName) throws(ResourceError) -> FileName {
        try explained { () throws(SystemError) in
            try writer.finish(file)
            try file.sync()
        }
        let adopted = try target.adopt(name, from: target.folder, as: wanted, .file)
        try target.sync()
        return adopted
    }

    func remove() throws(ResourceError) {
        try explained { () throws(SystemError) in try target.folder.remove(name) }
    }
}
