import Glibc
import LinuxPlatform
import Testing
import TestSupport
import Vocabulary

@Suite("Folder: facts, links and times", .timeLimit(.minutes(5)))
struct FolderFactsTests {
    let temporary = TemporaryFolder()

    @Test("Facts have kind, size, mode and time, and links are not followed")
    func facts() throws {
        let folder = try temporary.opened()
        let (file, link, inner) = (try FileName("file"), try FileName("link"), try FileName("inner"))
        try temporary.put("12345", at: "file")
        try folder.createSymbolicLink(link, to: "file")
        _ = try folder.createFolder(inner)
        let time = FileTime(seconds: -7, nanoseconds: 123_456_789)
        try folder.setModified(time, of: file)
        try folder.setModified(time, of: link)
        #expect(try folder.facts(of: file).kind == .file && folder.facts(of: file).size == 5)
        #expect(try folder.facts(of: file).modified == time && folder.facts(of: link).modified == time)
        #expect(try folder.facts(of: link).kind == .symbolicLink && folder.facts(of: inner).kind == .folder)
        #expect(try folder.facts(of: inner).mode == .privateFolder)
        #expect(try folder.facts().isSameFile(as: FileFacts(at: temporary.path)))
        #expect(try !folder.facts().isSameFile(as: folder.facts(of: inner)))
        #expect(throws: SystemError.self) { try folder.facts(of: FileName("nothing")) }
    }

    @Test("A symbolic link keeps its target's bytes, whatever the target is", arguments: ["x", "../..", "/é", " "])
    func links(target: String) throws {
        let folder = try temporary.opened()
        try folder.createSymbolicLink(FileName("link"), to: target)
        #expect(try folder.target(ofSymbolicLink: FileName("link")) == Array(target.utf8))
        #expect(throws: SystemError.self) { try folder.createSymbolicLink(FileName("link"), to: "y") }
        #expect(throws: SystemError.self) { try folder.createSymbolicLink(FileName("other"), to: "a\0b") }
    }

    @Test("A folder's own mode and time can be set")
    func own() throws {
        let folder = try temporary.opened().createFolder(FileName("inner"))
        try folder.setMode(FileMode(rawValue: 0o750))
        try folder.setModified(FileTime(seconds: 9, nanoseconds: 2_000_000_000))
        #expect(try folder.facts().mode == FileMode(rawValue: 0o750))
        #expect(try folder.facts().modified == FileTime(seconds: 9, nanoseconds: 999_999_999))
    }

    @Test("A file is read, written, truncated and locked by its descriptor")
    func descriptors() throws {
        let folder = try temporary.opened()
        let file = try folder.create(FileName("file"))
        let bytes = Array("0123456789".utf8)
        try bytes.withUnsafeBytes { try file.write($0, at: 5) }
        try file.truncate(to: 12)
        var room = [UInt8](repeating: 9, count: 20)
        #expect(try room.withUnsafeMutableBytes { try file.read(into: $0, at: 4) } == 8)
        let expected: [UInt8] = [0] + Array("0123456".utf8) + [9]
        #expect(Array(room.prefix(9)) == expected)
        try file.setMode(.readableFile)
        #expect(try file.facts().mode == .readableFile && file.facts().size == 12)
        file.expectReadingInOrder()
        file.beginWriteBack(from: 0, count: 12)
        file.awaitWriteBack(from: 0, count: 12)
        try file.sync()
        try folder.syncFileSystem()
    }

    @Test("A file is opened by its path through links; pipes and folders are not")
    func openFile() throws {
        try temporary.put("x", at: "file")
        symlink("file", temporary.path(of: "link"))
        mkfifo(temporary.path(of: "pipe"), 0o600)
        #expect(try OwnedDescriptor.openFile(at: temporary.path(of: "link")).facts().size == 1)
        #expect(throws: SystemError.self) { try OwnedDescriptor.openFile(at: temporary.path(of: "pipe")).facts() }
        #expect(throws: SystemError.self) { try OwnedDescriptor.openFile(at: temporary.path).facts() }
    }

    @Test("A hard link with a taken name is refused")
    func secondName() throws {
        let folder = try temporary.opened()
        try temporary.put("x", at: "a")
        try folder.link(FileName("a"), to: FileName("b"), in: folder)
        #expect(temporary.names() == ["a", "b"])
        #expect(throws: SystemError.self) { try folder.link(FileName("a"), to: FileName("b"), in: folder) }
        #expect(try FileSystem(of: folder).free.bytes > 0)
    }
}
