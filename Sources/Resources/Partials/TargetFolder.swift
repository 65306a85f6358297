import Glibc
import LinuxPlatform
import Vocabulary

/// The folder for received resources.
final class TargetFolder {
    let folder: Folder
    let path: String

    private static let mostNames = 10_000

    init(at path: String) throws(ResourceError) {
        self.path = path
        folder = try explaining(path) { () throws(SystemError) in try Folder(at: path) }
    }

    /// Throws if the bytes and entries don't fit; part of the free space is reserved for other programs.
    func requireRoom(bytes: UInt64, entries: Int) throws(ResourceError) {
        let free: FreeSpace
        do {
            free = try FileSystem(of: folder).free
        } catch {
            throw ResourceError(error, at: path)
        }
        let needed = bytes.addingReportingOverflow(free.reserve)
        guard !needed.overflow, needed.partialValue <= free.bytes else {
            throw .noSpace(missing: needed.overflow ? bytes : needed.partialValue - free.bytes, path)
        }
        if let freeEntries = free.entries, UInt64(entries) > freeEntries { throw .noEntries(path) }
    }

    /// Renames an entry to the wanted name or the first free numbered name. It never touches an existing entry.
    func adopt(
        _ name: FileName,
        from source: borrowing Folder,
        as wanted: FileName,
        _ kind: ResourceKind
    ) throws(ResourceError) -> FileName {
        for number in 1...Self.mostNames {
            let candidate = wanted.numbered(number, keepingSuffix: kind == .file)
            do {
                try move(name, from: source, to: candidate, kind)
                return candidate
            } catch let error where error.number == EEXIST {
                continue
            } catch {
                throw ResourceError(error, at: "\(path)/\(candidate)")
            }
        }
        throw .noFreeName(wanted)
    }

    private func move(
        _ name: FileName,
        from source: borrowing Folder,
        to candidate: FileName,
        _ kind: ResourceKind
    ) throws(SystemError) {
        do {
            try source.rename(name, to: candidate, in: folder, overwriting: .forbidden)
        } catch let error where error.number == EINVAL || error.number == ENOSYS {
            try moveWithoutKernelsHelp(name, from: source, to: candidate, kind)
        }
    }

    /// Some network and user-space file systems can't rename without overwriting. Creating a hard link to a file, or an
    /// empty folder to be replaced, fails if the name is taken.
    private func moveWithoutKernelsHelp(
        _ name: FileName,
        from source: borrowing Folder,
        to candidate: FileName,
        _ kind: ResourceKind
    ) throws(SystemError) {
        switch kind {
        case .file:
            try source.link(name, to: candidate, in: folder)
            try source.remove(name)
        case .folder:
            _ = try folder.createFolder(candidate)
            try source.rename(name, to: candidate, in: folder, overwriting: .allowed)
        }
    }

    /// Flushes the folder, so that the new name survives a power cut.
    func sync() throws(ResourceError) {
        do {
            try folder.sync()
        } catch {
            throw ResourceError(error, at: path)
        }
    }
}
