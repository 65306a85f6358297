import LinuxPlatform
import Vocabulary

/// The stream of a file: its contents.
final class FileOrigin: StreamOrigin {
    private let file: OwnedDescriptor
    private let path: String
    let facts: FileFacts

    init(at path: String) throws(ResourceError) {
        self.path = path
        file = try explaining(path) { () throws(SystemError) in try OwnedDescriptor.openFile(at: path) }
        do {
            facts = try file.facts()
        } catch {
            throw ResourceError(error, at: path)
        }
        try Self.requireHonestSize(file, facts, path)
        file.expectReadingInOrder()
    }

    /// Receivers are promised a size. Files that the kernel makes up while they are read, as in `/proc`, say that they are empty.
    private static func requireHonestSize(
        _ file: borrowing OwnedDescriptor,
        _ facts: FileFacts,
        _ path: String
    ) throws(ResourceError) {
        guard facts.size == 0 else { return }
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 1, alignment: 1)
        defer { room.deallocate() }
        // What can't be read now, and would have to be waited for, is nothing that is known to be there.
        guard let count = try? file.read(into: room, at: 0), count > 0 else { return }
        // Somebody may have begun to write just now.
        guard let now = try? file.facts(), now.isUnchanged(since: facts) else { throw .changed(path) }
        throw .unknownSize(path)
    }

    var identity: ResourceIdentity {
        let state = DigestState()
        state.update(Array("file".utf8))
        state.update(facts)
        return state.identity
    }

    func fill(_ room: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(ResourceError) {
        let count = try explaining(path) { () throws(SystemError) in try file.read(into: room, at: offset) }
        guard count == room.count else { throw .changed(path) }
    }

    /// Also the path counts: who replaced the file wants the new one sent.
    func requireUnchanged() throws(ResourceError) {
        let now = try explaining(path) { () throws(SystemError) in try file.facts() }
        guard now.isUnchanged(since: facts) else { throw .changed(path) }
        guard let there = try? FileFacts(at: path), there.isSameFile(as: facts) else { throw .changed(path) }
    }
}

extension FileFacts {
    /// The mode may change without the contents.
    func isUnchanged(since before: FileFacts) -> Bool {
        isSameFile(as: before) && kind == before.kind && size == before.size && modified == before.modified
    }
}

extension DigestState {
    func update(_ facts: FileFacts) {
        update(facts.device)
        update(facts.inode)
        update(facts.size)
        update(facts.modified.seconds)
        update(facts.modified.nanoseconds)
    }
}
