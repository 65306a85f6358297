import Glibc
import LinuxPlatform
import Vocabulary

/// The stream of a folder: its pack. Sequential reading opens each file once; any other offset is found by search.
final class FolderOrigin: StreamOrigin {
    private final class OpenFile {
        let item: Int
        let descriptor: OwnedDescriptor

        init(item: Int, descriptor: consuming OwnedDescriptor) {
            self.item = item
            self.descriptor = descriptor
        }
    }

    let manifest: FolderManifest
    /// The open folders from the root to the one in use.
    private var trail: [(item: Int, folder: OpenFolder)]
    private var current: OpenFile?
    private var lastItem = 0

    init(at path: String, _ unsendable: UnsendableEntries) throws(ResourceError) {
        let root = try explaining(path) { () throws(SystemError) in try Folder(at: path) }
        manifest = try FolderScan.manifest(of: root, at: path, unsendable)
        trail = [(0, OpenFolder(root))]
    }

    func fill(_ room: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(ResourceError) {
        var filled = 0
        while filled < room.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: room[filled...])
            filled += try fillFromOneItem(rest, at: offset + UInt64(filled))
        }
    }

    private func fillFromOneItem(
        _ room: UnsafeMutableRawBufferPointer,
        at offset: UInt64
    ) throws(ResourceError) -> Int {
        lastItem = manifest.index(at: offset, near: lastItem)
        let item = manifest.items[lastItem]
        if offset < item.contentStart {
            let bytes = item.record.bytes.dropFirst(Int(offset - item.start)).prefix(room.count)
            room.copyBytes(from: bytes)
            return bytes.count
        }
        let left = item.contentStart + UInt64(item.facts.size) - offset
        let piece = UnsafeMutableRawBufferPointer(rebasing: room.prefix(Int(min(UInt64(room.count), left))))
        try read(piece, of: lastItem, at: offset - item.contentStart)
        if UInt64(piece.count) == left { current = nil }
        return piece.count
    }

    private func read(_ room: UnsafeMutableRawBufferPointer, of item: Int, at offset: UInt64) throws(ResourceError) {
        let file = try open(item)
        let count = try explaining(manifest.path(of: item)) { () throws(SystemError) in
            try file.descriptor.read(into: room, at: offset)
        }
        guard count == room.count else { throw .changed(manifest.path(of: item)) }
    }

    private func open(_ item: Int) throws(ResourceError) -> OpenFile {
        if let current, current.item == item { return current }
        let entry = manifest.items[item]
        guard let name = entry.record.name else { preconditionFailure("a file has a name") }
        let parent = try openFolder(entry.folder)
        do {
            let descriptor = try parent.folder.open(name)
            guard try descriptor.facts().isUnchanged(since: entry.facts) else { throw ResourceError.changed("") }
            let file = OpenFile(item: item, descriptor: descriptor)
            current = file
            return file
        } catch {
            throw changedOrRefused(error, item)
        }
    }

    private func openFolder(_ item: Int) throws(ResourceError) -> OpenFolder {
        if let last = trail.last, last.item == item { return last.folder }
        if let known = trail.lastIndex(where: { $0.item == item }) {
            trail.removeSubrange((known + 1)...)
            return trail[known].folder
        }
        let entry = manifest.items[item]
        let parent = try openFolder(entry.folder)
        guard let name = entry.record.name else { preconditionFailure("a folder in a folder has a name") }
        do {
            let folder = try parent.folder.openFolder(name)
            guard try folder.facts().isSameFile(as: entry.facts) else { throw ResourceError.changed("") }
            let opened = OpenFolder(folder)
            trail.append((item, opened))
            return opened
        } catch {
            throw changedOrRefused(error, item)
        }
    }

    /// Maps the error: a missing or replaced entry has changed; a forbidden one has been so from the beginning.
    private func changedOrRefused(_ error: any Error, _ item: Int) -> ResourceError {
        let path = manifest.path(of: item)
        guard let error = error as? SystemError else { return .changed(path) }
        let isAnother = [ENOENT, ENOTDIR, ELOOP, EINVAL, EISDIR].contains(error.number)
        return isAnother ? .changed(path) : ResourceError(error, at: path)
    }

    /// Checks every entry again, so that the sent data is the folder at one moment.
    func requireUnchanged() throws(ResourceError) {
        for (index, item) in manifest.items.enumerated() {
            switch item.record {
            case .leave, .end: continue
            case .root:
                guard let there = try? FileFacts(at: manifest.rootPath), there.isUnchanged(since: item.facts) else {
                    throw .changed(manifest.rootPath)
                }
            case .folder(let name, _), .file(let name, _, _), .link(let name, _, _):
                let parent = try openFolder(item.folder)
                guard let there = try? parent.folder.facts(of: name), there.isUnchanged(since: item.facts) else {
                    throw .changed(manifest.path(of: index))
                }
            }
        }
    }
}
