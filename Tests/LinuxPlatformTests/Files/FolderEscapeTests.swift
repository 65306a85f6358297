import CLinux
import Glibc
@testable import LinuxPlatform
import Testing
import TestSupport
import Vocabulary

@Suite("Folder confinement", .timeLimit(.minutes(5)))
final class FolderEscapeTests {
    let temporary = TemporaryFolder()
    let inside: Folder

    init() throws {
        try temporary.put("secret", at: "outside")
        inside = try temporary.opened().createFolder(try FileName("inside"))
        try temporary.put("harmless", at: "inside/file")
    }

    @Test(
        "The underlying call refuses paths that leave the folder",
        arguments: [
            ("..", EXDEV), ("../outside", EXDEV), ("/etc/passwd", EXDEV), ("/", EXDEV), ("./../outside", EXDEV),
            ("file/../../outside", ENOTDIR),
        ]
    )
    func rawPaths(path: String, expected: CInt) {
        let answer = Folder.openBeneath(inside.descriptor.number, path, O_RDONLY, nil)
        let number = errno
        #expect(answer == -1)
        #expect(number == expected)
    }

    @Test(
        "A symbolic link is not followed, whatever its target is",
        arguments: ["../outside", "file", "/etc/passwd", "/proc/self/exe", "nowhere", "."]
    )
    func symbolicLinks(target: String) throws {
        #expect(symlink(target, temporary.path(of: "inside/link")) == 0)
        let link = try FileName("link")
        #expect(error(of: ELOOP, in: "openat2") { _ = try inside.open(link) })
        #expect(error(of: ELOOP, in: "openat2") { _ = try inside.open(link, for: .writing) })
        #expect(error(of: ELOOP, in: "openat2") { _ = try inside.openOrCreate(link) })
        #expect(error(of: EEXIST, in: "openat2") { _ = try inside.create(link) })
        #expect(throws: SystemError.self) { _ = try inside.openFolder(link) }
        #expect(throws: SystemError.self) { _ = try inside.openOrCreateFolder(link) }
        #expect(throws: SystemError.self) { try AtomicFile(link).read(in: inside, limit: 100) }
    }

    @Test("Removing a symbolic link removes the link")
    func removesLink() throws {
        #expect(symlink("../outside", temporary.path(of: "inside/link")) == 0)
        try inside.remove(try FileName("link"))
        #expect(temporary.names() == ["inside", "outside"])
        #expect(temporary.text(at: "outside") == "secret")
    }

    @Test("A pipe without a writer is refused at once")
    func pipes() throws {
        #expect(mkfifo(temporary.path(of: "inside/pipe"), 0o600) == 0)
        let pipe = try FileName("pipe")
        #expect(error(of: EINVAL, in: "open as a regular file") { _ = try inside.open(pipe) })
        #expect(throws: SystemError.self) { _ = try inside.open(pipe, for: .writing) }
        #expect(throws: SystemError.self) { try AtomicFile(pipe).read(in: inside, limit: 100) }
    }

    @Test("A folder can't be opened as a file, nor a file as a folder")
    func wrongKind() throws {
        _ = try inside.createFolder(try FileName("folder"))
        #expect(error(of: EINVAL, in: "open as a regular file") { _ = try inside.open(try FileName("folder")) })
        #expect(error(of: ENOTDIR, in: "openat2") { _ = try inside.openFolder(try FileName("file")) })
    }

    // the attacker                     the reader
    // rename(link  -> "target")        openat2("target")  -> ELOOP
    // rename(plain -> "target")        openat2("target")  -> "harmless"
    // never                                               -> "secret"
    @Test("A file that is swapped for a link during opening never gives the link's target")
    func swappedInARace() async throws {
        let isOver = Probe(false)
        let path = temporary.path
        try temporary.put("harmless", at: "inside/target")
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await runBlocking("swapper") {
                    try Self.swap(in: "\(path)/inside", until: { isOver.value })
                }
            }
            group.addTask {
                defer { isOver.open() }
                try await runBlocking("reader") { try Self.readOften(in: path) }
            }
            try await group.waitForAll()
        }
    }

    private static func swap(in path: String, until isOver: () -> Bool) throws {
        while !isOver() {
            try retrying("symlink") { symlink("../outside", "\(path)/link") }
            try retrying("rename") { rename("\(path)/link", "\(path)/target") }
            try retrying("link") { link("\(path)/file", "\(path)/plain") }
            try retrying("rename") { rename("\(path)/plain", "\(path)/target") }
        }
    }

    private static func readOften(in path: String) throws {
        let folder = try Folder(at: "\(path)/inside")
        let target = AtomicFile(try FileName("target"))
        var (refused, read) = (0, 0)
        while refused < 200 || read < 200 {
            do {
                #expect(try target.read(in: folder, limit: 100) == Array("harmless".utf8))
                read += 1
            } catch {
                #expect(error.number == ELOOP)
                refused += 1
            }
        }
    }
}
