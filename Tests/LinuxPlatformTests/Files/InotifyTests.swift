import Glibc
import LinuxPlatform
import Testing
import TestSupport
import Vocabulary

@Suite("Inotify", .timeLimit(.minutes(5)))
struct InotifyTests {
    let temporary = TemporaryFolder()
    let queue: Inotify

    init() throws {
        queue = try Inotify(on: .shared)
    }

    @Test("Events have the watch, the kind and the name; a folder has one watch")
    func events() async throws {
        let folder = try temporary.opened().createFolder(FileName("f"))
        let outer = try queue.add(temporary.path, for: [.created, .removed])
        let inner = try queue.add(folder, for: [.created, .selfRemoved], .onlyFolders)
        #expect(try queue.add(temporary.path(of: "f"), for: [.created, .selfRemoved]) == inner)
        try temporary.put("x", at: "f/a")
        unlink(temporary.path(of: "f/a"))
        rmdir(temporary.path(of: "f"))
        try await queue.wait()
        let seen = try queue.takeAll()
        #expect(seen.contains { $0.watch == inner && $0.events == .created && $0.name == Array("a".utf8) })
        #expect(
            seen.contains { $0.watch == outer && $0.events == [.removed, .isFolder] && $0.name == Array("f".utf8) }
        )
        #expect(try queue.takeAll().isEmpty)
    }

    @Test("A watch on a file reports it under every name, and the end of a mapping")
    func files() async throws {
        try temporary.put("x", at: "a")
        link(temporary.path(of: "a"), temporary.path(of: "b"))
        let folder = try temporary.opened()
        let watch = try queue.add(folder.open(FileName("a")), for: .closedAfterWriting)
        try folder.open(FileName("b"), for: .writing).close()
        try await queue.wait()
        #expect(try queue.takeAll().map(\.watch) == [watch])
        let file = try folder.open(FileName("b"), for: .readingAndWriting)
        let memory = mmap(nil, 1, PROT_READ | PROT_WRITE, MAP_SHARED, file.number, 0)
        try file.close()
        #expect(try queue.takeAll().isEmpty)
        munmap(memory, 1)
        try await queue.wait()
        #expect(try queue.takeAll().map(\.events) == [.closedAfterWriting])
    }

    @Test("An invalid watch is refused; a file is no folder; a link is watched itself")
    func refusals() throws {
        try temporary.put("x", at: "a")
        symlink("a", temporary.path(of: "link"))
        #expect(error(of: ENOENT, in: "inotify_add_watch") { _ = try queue.add("/nowhere", for: .created) })
        let path = temporary.path(of: "a")
        #expect(error(of: ENOTDIR, in: "inotify_add_watch") { _ = try queue.add(path, for: .created, .onlyFolders) })
        let link = try queue.add(temporary.path(of: "link"), for: .attributes, .notFollowing)
        let file = try queue.add(temporary.path(of: "link"), for: .attributes)
        #expect(link != file)
        queue.remove(link)
        queue.remove(link)
        #expect(try queue.takeAll().map(\.events) == [.watchEnded])
    }
}
