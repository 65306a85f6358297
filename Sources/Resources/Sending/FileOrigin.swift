import LinuxPlatform
import Vocabulary

/// The stream of a file: its content.
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
        try Self.requireKnownSize(file, facts, path)
        file.expectReadingInOrder()
    }

    /// Refuses a file with an unknown size, such as one in `/proc`: the kernel says that it is empty and creates its
    /// content during the read. A receiver needs the size in advance.
    private static func requireKnownSize(
        _ file: borrowing OwnedDescriptor,
        _ facts: FileFacts,
        _ path: String
    ) throws(ResourceError) {
        guard facts.size == 0 else { return }
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 1, alignment: 1)
        defer { room.deallocate() }
        // A read that fails or would block shows no content.
        guard let count = try? file.read(into: room, at: 0), count > 0 else { return }
        // Another program may have begun to write just now.
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

    /// Checks the path, too: after a file was replaced, the user wants the new one sent.
    func requireUnchanged() throws(ResourceError) {
        let now = try explaining(path) { () throws(SystemError) in try file.facts() }
        guard now.isUnchanged(since: facts) else { throw .changed(path) }
        guard let there = try? FileFacts(at: path), there.isSameFile(as: facts) else { throw .changed(path) }
    }
}

extension FileFacts {
    /// True if the content is unchanged; the mode may differ.
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
