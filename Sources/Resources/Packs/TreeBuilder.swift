import Glibc
import LinuxPlatform
import Vocabulary

/// Creates the tree of a pack, record by record.
struct TreeBuilder {
    private final class OpenFile {
        let name: FileName
        let stamp: ResourceStamp
        let descriptor: OwnedDescriptor
        var writer: SparseWriter

        init(_ name: FileName, _ stamp: ResourceStamp, _ descriptor: consuming OwnedDescriptor, _ writer: SparseWriter)
        {
            self.name = name
            self.stamp = stamp
            self.descriptor = descriptor
            self.writer = writer
        }
    }

    /// The open folders from the root to the current one.
    var trail: [OpenFolder]
    private let path: String
    private var file: OpenFile?

    init(root: OpenFolder, path: String) {
        trail = [root]
        self.path = path
    }

    private var folder: OpenFolder { trail[trail.count - 1] }

    mutating func add(_ record: PackRecord) throws(ResourceError) {
        let folder = folder
        do {
            switch record {
            case .root, .end: break
            case .folder(let name, _): trail.append(OpenFolder(try folder.folder.createFolder(name)))
            case .leave: trail.removeLast()
            case .file(let name, let stamp, let size):
                let descriptor = try folder.folder.create(name)
                file = OpenFile(name, stamp, descriptor, SparseWriter(size: size))
            case .link(let name, let stamp, let target):
                try folder.folder.createSymbolicLink(name, to: target.text)
                try folder.folder.setModified(stamp.modified, of: name)
            }
        } catch {
            throw ResourceError(error, at: "\(path)/…/\(record.name?.text ?? "")")
        }
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(ResourceError) {
        guard let file else { preconditionFailure("content follows a file's record") }
        do {
            try file.writer.write(bytes, to: file.descriptor)
        } catch {
            throw ResourceError(error, at: "\(path)/…/\(file.name)")
        }
    }

    /// Sets the file's size, mode and time. ``FileMode`` has no bits beyond permissions.
    mutating func endFile() throws(ResourceError) {
        guard let file else { preconditionFailure("a file's end follows its record") }
        self.file = nil
        do {
            try file.writer.finish(file.descriptor)
            try file.descriptor.setMode(file.stamp.mode)
            try file.descriptor.setModified(file.stamp.modified)
        } catch {
            throw ResourceError(error, at: "\(path)/…/\(file.name)")
        }
    }

    // MARK: Resuming

    /// Resumes in the middle of a file.
    mutating func resumeFile(
        _ name: FileName,
        _ stamp: ResourceStamp,
        size: UInt64,
        at position: UInt64,
        in folder: OpenFolder
    ) throws(ResourceError) {
        do {
            let descriptor = try folder.folder.openForResuming(name)
            try descriptor.truncate(to: position)
            file = OpenFile(name, stamp, descriptor, SparseWriter(size: size, position: position))
        } catch {
            throw ResourceError(error, at: "\(path)/…/\(name)")
        }
    }

    /// Removes entries that an earlier attempt created beyond the position of the resumption: in each open folder, all
    /// entries after the last name.
    func removeWhatFollows(_ lastNames: [FileName?]) throws(ResourceError) {
        for (level, folder) in trail.enumerated() {
            let last = lastNames.indices.contains(level) ? lastNames[level]?.bytes : nil
            do {
                // An attempt that stopped at its end has already set the folders' modes.
                try folder.folder.setMode(.privateFolder)
                for entry in try folder.folder.entries(limit: PackLimits.entries + 1) {
                    if let last, !last.lexicographicallyPrecedes(entry.bytes) { continue }
                    guard let name = entry.name else { continue }
                    try folder.folder.removeEntry(name, entry.kind)
                }
            } catch {
                throw ResourceError(error, at: path)
            }
        }
    }
}
