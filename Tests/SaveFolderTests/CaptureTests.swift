import Glibc
import History
import LinuxPlatform
import SaveFolder
import SaveRules
import Testing
import TestSupport
import Vocabulary

@Suite("Scan of a folder", .timeLimit(.minutes(5)))
struct CaptureTests {
    let machine: SetFixture

    init() throws { machine = try SetFixture() }

    @Test("Files, folders (also empty ones) and links are captured with modes, times and content")
    func everything() throws {
        try machine.put("one", at: "a/one")
        try machine.put("two", at: "two")
        try machine.makeFolder("home/save/empty")
        try machine.link("a/link", to: "../two")
        chmod("\(machine.root)/two", 0o640)
        let capture = try machine.capture(machine.folder())
        #expect(capture.manifest.shown == ["a/", "a/link→../two", "a/one", "empty/", "two"])
        let two = try #require(capture.manifest[SavePath("two")]?.file)
        #expect(two.mode == FileMode(rawValue: 0o640))
        #expect(
            try two.modified
                == machine.base.opened().openFolder(FileName("home")).openFolder(FileName("save")).facts(
                    of: FileName("two")
                ).modified
        )
        #expect(try machine.history.read(two.pieces[0].id) == Array("two".utf8))
        #expect(capture.leftOutCount == 0)
    }

    @Test("Local, ignored and unselected files are not part of the set")
    func scope() throws {
        for path in ["save.dat", "screen.ini", "cache/x", "logs/y.log", "logs/kept"] { try machine.put("x", at: path) }
        let scope = SetScope(
            ignored: try PathPatterns(["/cache/", "*.log"]),
            local: try PathPatterns(["/screen.ini"])
        )
        #expect(try machine.capture(machine.folder(scope: scope)).manifest.shown == ["logs/", "logs/kept", "save.dat"])
        let chosen: SetPlace.Extent = .chosen([try FileName("save.dat"), try FileName("cache"), try FileName("gone")])
        #expect(try machine.capture(machine.folder(chosen)).manifest.shown == ["cache/", "cache/x", "save.dat"])
    }

    @Test("Entries that no set can have are named and skipped: pipes, links that lead out, invalid names")
    func leftOut() throws {
        try machine.put("x", at: "save")
        try retrying("mkfifo") { mkfifo("\(machine.root)/pipe", 0o600) }
        try machine.link("out", to: "/etc/passwd")
        try machine.link("up", to: "../outside")
        let odd = "\(machine.root)/odd".utf8CString.dropLast() + [CChar(bitPattern: 0xFF), 0]
        close(open(Array(odd), O_CREAT | O_WRONLY | O_CLOEXEC, 0o600))
        let capture = try machine.capture(machine.folder())
        #expect(capture.manifest.shown == ["save"])
        #expect(capture.leftOutCount == 4)
        let reasons = Dictionary(uniqueKeysWithValues: capture.leftOut.map { ($0.path, $0.reason) })
        #expect(
            reasons == ["pipe": .special, "out": .linkLeadsOut, "up": .linkLeadsOut, "odd\\xff": .badName]
        )
    }

    @Test("A root that is a symbolic link is followed, also after it changed")
    func linkedRoot() throws {
        try machine.put("old", at: "save")
        try machine.makeFolder("home/other")
        try machine.base.put("new", at: "home/other/save2")
        let path = machine.base.path(of: "link")
        symlink("home/save", path)
        let folder = try machine.folder(root: path)
        #expect(try machine.capture(folder).manifest.shown == ["save"])
        unlink(path)
        symlink("home/other", path)
        #expect(try machine.capture(folder).manifest.shown == ["save2"])
    }

    @Test("A root that is missing or no folder is an error")
    func noRoot() throws {
        #expect(refusal("save-folder.missing") { try machine.capture(machine.folder(root: "/nowhere/at/all")) })
        try machine.base.put("x", at: "file")
        #expect(
            refusal("save-folder.missing") {
                try machine.capture(machine.folder(root: machine.base.path(of: "file")))
            }
        )
    }

    @Test("An empty folder in place of another one, as without a mount, does not count as emptied")
    func emptyPlace() throws {
        try machine.put("x", at: "save")
        let folder = try machine.folder()
        try machine.capture(folder)
        rename(machine.root, machine.base.path(of: "away"))
        try machine.makeFolder("home/save")
        #expect(refusal("save-folder.empty-place") { try machine.capture(folder) })
        try machine.put("y", at: "save")
        #expect(try machine.capture(folder).manifest.shown == ["save"])
        try machine.remove("save")
        #expect(try machine.capture(folder).manifest == .empty)
    }

    @Test(
        "An empty folder does not count as emptied after a crash, however little was read before",
        arguments: [false, true]
    )
    func emptyPlaceAfterCrash(beginsEmpty: Bool) throws {
        let folder = try machine.folder()
        if beginsEmpty { try machine.capture(folder) }
        try machine.put("x", at: "save")
        try machine.capture(folder)
        rename(machine.root, machine.base.path(of: "away"))
        try machine.makeFolder("home/save")
        let again = try machine.folder()
        #expect(refusal("save-folder.empty-place") { try machine.capture(again) })
        try machine.remove("")
        rename(machine.base.path(of: "away"), machine.root)
        #expect(try machine.capture(again).manifest.shown == ["save"])
    }
}

@Suite("Scan cache", .timeLimit(.minutes(5)))
struct CacheTests {
    let machine: SetFixture

    init() throws {
        machine = try SetFixture()
        try machine.put("one", at: "one")
        try machine.put("two", at: "sub/two")
    }

    @Test("An unchanged file is not read again, also after a restart; a full scan reads all")
    func known() throws {
        let folder = try machine.folder()
        #expect(try machine.capture(folder).bytesRead == ByteCount(6))
        #expect(try machine.capture(folder).bytesRead == ByteCount(0))
        #expect(try machine.capture(folder, rereading: true).bytesRead == ByteCount(6))
        try folder.saveCache()
        #expect(try machine.capture(machine.folder()).bytesRead == ByteCount(0))
        try machine.put("three", at: "sub/two")
        let capture = try machine.capture(machine.folder())
        #expect(capture.bytesRead == ByteCount(5))
        let file = try #require(capture.manifest[SavePath("sub/two")]?.file)
        #expect(try machine.history.read(file.pieces[0].id) == Array("three".utf8))
    }

    @Test("A change with the same size and a restored time is noticed")
    func sameSizeSameTime() throws {
        let folder = try machine.folder()
        let before = try machine.capture(folder).manifest
        let times = try #require(before[SavePath("one")]?.file?.modified)
        try machine.put("ONE", at: "one")
        try machine.base.opened().openFolder(FileName("home")).openFolder(FileName("save"))
            .setModified(times, of: FileName("one"))
        let after = try machine.capture(folder).manifest
        #expect(after[try SavePath("one")]?.file?.modified == times)
        #expect(after != before)
    }

    @Test("Two writes at one moment, one before the scan and one after, give two states")
    func racily() throws {
        let folder = try machine.folder()
        for round in 0..<5 {
            try machine.put("a\(round)x", at: "one")
            let first = try machine.capture(folder).manifest
            try machine.put("b\(round)x", at: "one")
            let second = try machine.capture(folder).manifest
            #expect(first[try SavePath("one")]?.file?.pieces != second[try SavePath("one")]?.file?.pieces)
        }
    }

    @Test(
        "A changed large file has the pieces of an unknown one, and they are in the history",
        arguments: 0..<5
    )
    func largeFile(_ change: Int) throws {
        var dice = SeededGenerator(seed: UInt64(change) + 1)
        var bytes = dice.bytes(3_000_000)
        try machine.put(bytes, at: "large")
        let folder = try machine.folder()
        try machine.capture(folder)
        switch change {
        case 0: bytes.replaceSubrange(1_000_000..<1_100_000, with: repeatElement(7, count: 100_000))
        case 1: bytes.insert(contentsOf: [1, 2, 3], at: 500_000)
        case 2: bytes.removeLast(1_234_567)
        case 3: bytes = Array(bytes.prefix(200_000))
        default: bytes += bytes
        }
        try machine.put(bytes, at: "large")
        let capture = try machine.capture(folder)
        let pieces = try #require(capture.manifest[SavePath("large")]?.file).pieces
        #expect(try pieces.flatMap { try machine.history.read($0.id) } == bytes)
        let again = try machine.capture(folder, rereading: true)
        #expect(again.manifest == capture.manifest)
    }

    @Test("A file that a program has just begun to write is not scanned, since a slow write shows no later time")
    func writing() throws {
        let folder = try machine.folder()
        try machine.put("old", at: "save.dat")
        try machine.put("other", at: "other.dat")
        try machine.capture(folder)
        let writer = try #require(fopen("\(machine.root)/save.dat", "r+"))
        fputs("new", writer)
        fflush(writer)
        #expect(throws: SetFixture.Disturbed.self) { try machine.capture(folder) }
        fclose(writer)
        let capture = try machine.capture(folder)
        let file = try #require(capture.manifest[SavePath("save.dat")]?.file)
        #expect(try machine.history.read(file.pieces[0].id) == Array("new".utf8))
    }

    @Test("A damaged or foreign cache counts as none", arguments: [0, 9, 40, 70])
    func damaged(at offset: Int) throws {
        let folder = try machine.folder()
        let manifest = try machine.capture(folder).manifest
        try folder.saveCache()
        let path = machine.base.path(of: "notes/known-files")
        let file = OwnedDescriptor(takingOwnershipOf: open(path, O_RDWR | O_CLOEXEC))
        var byte: [UInt8] = [0]
        _ = try byte.withUnsafeMutableBytes { try file.read(into: $0, at: UInt64(offset)) }
        byte[0] ^= 0xFF
        try byte.withUnsafeBytes { try file.write($0, at: UInt64(offset)) }
        let again = try machine.folder()
        let capture = try machine.capture(again)
        #expect(capture.manifest == manifest)
        #expect(capture.bytesRead == ByteCount(6))
        try again.saveCache()
        #expect(try machine.capture(machine.folder()).bytesRead == ByteCount(0))
        truncate(path, Int(offset))
        #expect(try machine.capture(machine.folder()).bytesRead == ByteCount(6))
    }

    @Test("A file with pieces that the history does not have is read again")
    func collected() throws {
        let folder = try machine.folder()
        try machine.capture(folder)
        let other = try History.open(at: machine.base.path(of: "other-history"))
        guard case .captured(let capture) = try folder.capture(into: other.beginBatch()) else {
            Issue.record("not captured")
            return
        }
        #expect(capture.bytesRead == ByteCount(6))
        let pieces = capture.manifest.pieces.map(\.id)
        #expect(try other.missing(of: pieces) == [])
    }
}
