import Glibc
import LinuxPlatform
import Vocabulary

/// The folder that a resource is to appear in.
final class TargetFolder {
    let folder: Folder
    let path: String

    private static let mostNames = 10_000

    init(at path: String) throws(ResourceError) {
        self.path = path
        folder = try explaining(path) { () throws(SystemError) in try Folder(at: path) }
    }

    /// Throws where so much does not fit, beside what stays free for others.
    func requireRoom(bytes: UInt64, entries: Int) throws(ResourceError) {
        let free: FreeSpace
        do {
            free = try folder.freeSpace()
        } catch {
            throw ResourceError(error, at: path)
        }
        let needed = bytes.addingReportingOverflow(free.reserve)
        guard !needed.overflow, needed.partialValue <= free.bytes else {
            throw .noSpace(missing: needed.overflow ? bytes : needed.partialValue - free.bytes, path)
        }
        if let freeEntries = free.entries, UInt64(entries) > freeEntries { throw .noEntries(path) }
    }

    /// Gives something its name here, or the first name like it that is free. What has the name already is never touched.
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

    /// Some network and user-space file systems can't rename without overwriting. A second name for a file, and an empty
    /// folder to put another in the place of, are refused where something has the name.
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

    /// Waits until the new name would survive a power cut.
    func sync() throws(ResourceError) {
        do {
            try folder.sync()
        } catch {
            throw ResourceError(error, at: path)
        }
    }
}
