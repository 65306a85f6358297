import Glibc
import History
import LinuxPlatform
import SaveFolder
import SaveRules
import TestSupport
import Testing
import Vocabulary

@Suite("A folder in the place of another one", .timeLimit(.minutes(5)))
struct OtherPlaceTests {
    let machine: SetFixture
    /// A disk of its own, to which the set's path leads; where there is none, the path leads to a folder that a game has made.
    let disk = TemporaryFolder()

    init() throws {
        machine = try SetFixture(in: .inMemory())
        try disk.put("chapter 7", at: "slot")
        try disk.put("keys", at: "settings")
        symlink(disk.path, path)
    }

    private var path: String { machine.base.path(of: "link") }

    private func folder() throws -> SaveFolder { try machine.folder(root: path) }

    /// Some file systems can't be told from others.
    private func areTold() throws -> Bool {
        let left = try Folder(at: disk.path).lastingFileSystem()
        let right = try Folder(at: machine.root).lastingFileSystem()
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
        "on another file system, with nothing of what was there, is not taken for what was saved last",
        arguments: [true, false]
    )
    func other(isWatched: Bool) throws {
        let before = try folder()
        try machine.capture(before)
        unmount()
        try machine.put("chapter 1", at: "slot")
        let folder = isWatched ? before : try folder()
        let areTold = try areTold()
        #expect(refusal("save-folder.other-place") { try machine.capture(folder) } == areTold)
        guard areTold else { return }
        #expect(refusal("save-folder.other-place") { try machine.capture(folder, rereading: true) })
        mount()
        #expect(try machine.capture(folder).manifest.shown == ["settings", "slot"])
        try disk.put("chapter 8", at: "slot")
        try disk.put("other keys", at: "settings")
        #expect(try machine.capture(folder).manifest.shown == ["settings", "slot"])
    }

    @Test("that has one file as it was is the same save, moved or brought back")
    func restored() throws {
        try machine.capture(folder())
        unmount()
        try machine.put("chapter 8", at: "slot")
        try machine.put("keys", at: "settings")
        #expect(try machine.capture(folder()).manifest.shown == ["settings", "slot"])
    }

    @Test("that a game puts there is a save, where it lies on the same file system, also while nobody watches")
    func byTheGame() throws {
        for text in ["chapter 1", "chapter 2", "chapter 3"] {
            rename(machine.root, machine.base.path(of: text))
            try machine.makeFolder("home/save")
            try machine.put(text, at: text)
            #expect(try machine.capture(machine.folder()).manifest.shown == [text])
        }
    }

    @Test("is the set's where somebody says so")
    func meant() throws {
        try machine.capture(folder())
        unmount()
        try machine.put("chapter 1", at: "slot")
        let folder = try folder()
        try folder.beginAnew()
        #expect(try machine.capture(folder).manifest.shown == ["slot"])
        try folder.saveCache()
        #expect(try machine.capture(self.folder()).manifest.shown == ["slot"])
    }

    @Test("that was put there by a change is known after a crash, though all in it is new")
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
        // The program has died, and the game goes on.
        try put(["slot": "chapter 9", "settings": "others"])
        #expect(try machine.capture(machine.folder()).manifest.shown == ["settings", "slot"])
    }
}
