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

    init() throws {
        machine = try SetFixture(in: .inMemory())
        try machine.put("chapter 7", at: "slot")
        try machine.put("keys", at: "settings")
    }

    /// What was there goes, as where a card is taken out, and the game makes a folder of its own.
    private func replace(with files: [String: String]) throws {
        rename(machine.root, machine.base.path(of: "away"))
        try machine.makeFolder("home/save")
        for (name, text) in files { try machine.put(text, at: name) }
    }

    /// As the next start finds it.
    private func captureOnce() throws {
        let folder = try machine.folder()
        try machine.capture(folder)
        try folder.saveCache()
    }

    @Test("that holds nothing of what was there is not taken for what was saved last, until the one that was is back")
    func other() throws {
        try captureOnce()
        try replace(with: ["slot": "chapter 1"])
        let folder = try machine.folder()
        #expect(refusal("save-folder.other-place") { try machine.capture(folder) })
        #expect(refusal("save-folder.other-place") { try machine.capture(folder, rereading: true) })
        #expect(refusal("save-folder.other-place") { try machine.capture(machine.folder()) })
        rename(machine.root, machine.base.path(of: "bare"))
        rename(machine.base.path(of: "away"), machine.root)
        #expect(try machine.capture(folder).manifest.shown == ["settings", "slot"])
        try machine.put("chapter 8", at: "slot")
        try machine.put("other keys", at: "settings")
        #expect(try machine.capture(folder).bytesRead == ByteCount(19))
    }

    @Test("that has one file as it was is the same save, moved or brought back")
    func restored() throws {
        try captureOnce()
        try replace(with: ["slot": "chapter 8", "settings": "keys"])
        #expect(try machine.capture(machine.folder()).manifest.shown == ["settings", "slot"])
    }

    @Test("that a game puts there while it is watched is a save, where it lies on the same file system")
    func byTheGame() throws {
        let folder = try machine.folder()
        try machine.capture(folder)
        try replace(with: ["slot": "chapter 8"])
        #expect(try machine.capture(folder).manifest.shown == ["slot"])
    }

    @Test("that lies on another file system is none, while it is watched as well")
    func bare() throws {
        let (disk, path) = (TemporaryFolder(), machine.base.path(of: "link"))
        try disk.put("chapter 7", at: "slot")
        symlink(disk.path, path)
        let folder = try machine.folder(root: path)
        try machine.capture(folder)
        unlink(path)
        symlink(machine.root, path)
        try machine.put("chapter 1", at: "slot")
        let isElsewhere = try FileFacts(at: disk.path).device != FileFacts(at: machine.root).device
        #expect(refusal("save-folder.other-place") { try machine.capture(folder) } == isElsewhere)
    }

    @Test("is the set's where somebody says so")
    func meant() throws {
        try captureOnce()
        try replace(with: ["slot": "chapter 1"])
        let folder = try machine.folder()
        try folder.beginAnew()
        #expect(try machine.capture(folder).manifest.shown == ["slot"])
        try folder.saveCache()
        #expect(try machine.capture(machine.folder()).manifest.shown == ["slot"])
    }

    @Test("that was put there by a change is known after a crash, though all in it is new")
    func changed() throws {
        func put(_ files: [String: String]) throws { for (name, text) in files { try machine.put(text, at: name) } }
        try put(["slot": "chapter 8", "settings": "other keys"])
        let wanted = try machine.capture(machine.folder()).manifest
        try put(["slot": "chapter 7", "settings": "keys"])
        try captureOnce()
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
