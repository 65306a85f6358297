import Glibc
import History
import LinuxPlatform
import SaveFolder
import SaveRules
import TestSupport
import Testing
import Vocabulary

@Suite("Replaced folders", .timeLimit(.minutes(5)))
struct OtherPlaceTests {
    let machine: SetFixture
    /// A disk at the set's path; without it, the path leads to a folder that a game has made.
    let disk = TemporaryFolder()

    init() throws {
        machine = try SetFixture(in: .inMemory())
        try disk.put("chapter 7", at: "slot")
        try disk.put("keys", at: "settings")
        symlink(disk.path, path)
    }

    private var path: String { machine.base.path(of: "link") }

    private func folder() throws -> SaveFolder { try machine.folder(root: path) }

    /// Some file systems have no identity.
    private func areDistinct() throws -> Bool {
        let left = try FileSystem(of: Folder(at: disk.path)).lastingID
        let right = try FileSystem(of: Folder(at: machine.root)).lastingID
        return left != right
    }

    private func unmount() {
        unlink(path)
        symlink(machine.root, path)
    }

    private func mount() {
        unlink(path)
        symlink(disk.path, path)
    }

    @Test(
        "A folder on another file system, without the previous files, does not count as the last save",
        arguments: [true, false]
    )
    func other(isWatched: Bool) throws {
        let before = try folder()
        try machine.capture(before)
        unmount()
        try machine.put("chapter 1", at: "slot")
        let folder = isWatched ? before : try folder()
        let areDistinct = try areDistinct()
        #expect(refusal("save-folder.other-place") { try machine.capture(folder) } == areDistinct)
        guard areDistinct else { return }
        #expect(refusal("save-folder.other-place") { try machine.capture(folder, rereading: true) })
        mount()
        #expect(try machine.capture(folder).manifest.shown == ["settings", "slot"])
        try disk.put("chapter 8", at: "slot")
        try disk.put("other keys", at: "settings")
        #expect(try machine.capture(folder).manifest.shown == ["settings", "slot"])
    }

    @Test("A folder with one unchanged file is the same save, moved or restored")
    func restored() throws {
        try machine.capture(folder())
        unmount()
        try machine.put("chapter 8", at: "slot")
        try machine.put("keys", at: "settings")
        #expect(try machine.capture(folder()).manifest.shown == ["settings", "slot"])
    }

    @Test("A folder that a game puts on the same file system is a save, even without a watch")
    func byTheGame() throws {
        for text in ["chapter 1", "chapter 2", "chapter 3"] {
            rename(machine.root, machine.base.path(of: text))
            try machine.makeFolder("home/save")
            try machine.put(text, at: text)
            #expect(try machine.capture(machine.folder()).manifest.shown == [text])
        }
    }

    @Test("A replaced folder counts if the user confirms it")
    func meant() throws {
        try machine.capture(folder())
        unmount()
        try machine.put("chapter 1", at: "slot")
        let folder = try folder()
        try folder.startFresh()
        #expect(try machine.capture(folder).manifest.shown == ["slot"])
        try folder.saveCache()
        #expect(try machine.capture(self.folder()).manifest.shown == ["slot"])
    }

    @Test("A folder from a change is recognised after a crash, although all in it is new")
    func changed() throws {
        func put(_ files: [String: String]) throws { for (name, text) in files { try machine.put(text, at: name) } }
        try put(["slot": "chapter 8", "settings": "other keys"])
        let wanted = try machine.capture(machine.folder()).manifest
        try put(["slot": "chapter 7", "settings": "keys"])
        try machine.capture(machine.folder())
        let number = try FileFacts(at: machine.root).inode
        let folder = try machine.folder()
        let base = try machine.capture(folder).manifest
        guard case .applied = try folder.apply(wanted, over: base, from: machine.history) else {
            Issue.record("it was not applied")
            return
        }
        #expect(try FileFacts(at: machine.root).inode != number)
        // The program was killed, and the game continues.
        try put(["slot": "chapter 9", "settings": "others"])
        #expect(try machine.capture(machine.folder()).manifest.shown == ["settings", "slot"])
    }
}
