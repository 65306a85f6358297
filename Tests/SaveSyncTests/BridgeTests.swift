import Ledger
import LinuxPlatform
import SaveRules
@testable import SaveSync
import Session
import TestSupport
import Testing
import Vocabulary

@Suite("Saves that bridges pass on", .timeLimit(.minutes(3)))
@Engine
struct BridgeTests {
    private static let phone = label("phone, RetroArch")

    private static func label(_ text: String) -> Label {
        guard let label = try? Label(text) else { preconditionFailure("a name of a test is a label") }
        return label
    }

    /// Files of a device on this machine's disk.
    private static func tree(_ files: [String: String], in folder: TemporaryFolder) throws -> ForeignTree {
        var tree = ForeignTree()
        for (number, (path, text)) in files.sorted(by: { $0.key < $1.key }).enumerated() {
            try folder.put(text, at: "staged\(number)")
            let modified = FileTime(seconds: 1_700_000_000, nanoseconds: 0)
            tree.entries[try SavePath(path)] = .staged(at: folder.path(of: "staged\(number)"), modified: modified)
        }
        return tree
    }

    @Test("a device's save over the newest version reaches the folders of all machines, under the device's name")
    func arrives() async throws {
        let shared = try await SharedSet.open()
        let (one, other, set) = (shared.one, shared.other, shared.set)
        let (bridge, folder) = (GameBridge(one.engine), TemporaryFolder())
        let base = try #require(try bridge.newest(after: nil, of: set))
        let known = try await bridge.contents(of: base, in: set)
        #expect(known.entries.map(\.path.text) == ["slot"])
        let tree = try Self.tree(["slot": "chapter 2", "new.srm": "begun"], in: folder)
        let made = try #require(try await bridge.save(tree, by: Self.phone, over: base, in: set))
        let wanted = ["slot": "chapter 2", "new.srm": "begun"]
        while other.place().texts() != wanted || one.place().texts() != wanted { try await othersTurn() }
        for machine in [one, other] {
            let version = try #require(try await machine.engine.versions(of: set).among([made]).first)
            #expect(version.snapshot.device == Self.phone && version.snapshot.author == one.id)
            #expect(version.snapshot.parents == [base])
        }
        #expect(try await bridge.save(tree, by: Self.phone, over: base, in: set) == made, "the same is no new version")
        await shared.stop()
    }

    @Test("a device's save over an older version is a conflict with both sides kept, which a choice ends")
    func conflicts() async throws {
        let shared = try await SharedSet.open()
        let (one, other, set) = (shared.one, shared.other, shared.set)
        let (bridge, folder) = (GameBridge(one.engine), TemporaryFolder())
        let base = try #require(try bridge.newest(after: nil, of: set))
        try await one.save("desk's", in: set)
        let own = try #require(try bridge.newest(after: nil, of: set))
        let made = try #require(
            try await bridge.save(try Self.tree(["slot": "phone's"], in: folder), by: Self.phone, over: base, in: set)
        )
        #expect(Set(try bridge.state(of: set).newest) == [own, made] && one.place().texts() == ["slot": "desk's"])
        #expect(try bridge.newest(after: base, of: set) == base, "both sides follow the base")
        #expect(try bridge.newest(after: made, of: set) == made && bridge.newest(after: own, of: set) == own)
        while try other.state(of: set) != .split { try await othersTurn() }
        try await other.engine.editor(of: set).resolve(.version(made))
        while one.place().texts() != ["slot": "phone's"] { try await othersTurn() }
        #expect(try !bridge.state(of: set).isInConflict)
        await shared.stop()
    }

    @Test("a save that no scan has read yet is kept beside a device's save")
    func unread() async throws {
        let one = try await SaveMachine.open("one")
        let set = try await one.add(["slot": "chapter 1"])
        let (bridge, folder) = (GameBridge(one.engine), TemporaryFolder())
        let base = try #require(try bridge.newest(after: nil, of: set))
        one.place().put(Array("chapter 2".utf8), at: "slot")
        try await bridge.save(try Self.tree(["slot": "phone's"], in: folder), by: Self.phone, over: base, in: set)
        while try bridge.state(of: set).newest.count < 2 { try await othersTurn() }
        #expect(one.place().texts() == ["slot": "chapter 2"])
        await one.stop()
    }

    @Test("no file of a device reaches the folder while the game runs, and all of them do afterwards")
    func waitsForGame() async throws {
        let one = try await SaveMachine.open("one")
        let set = try await one.add(["slot": "chapter 1"])
        let (bridge, folder) = (GameBridge(one.engine), TemporaryFolder())
        let before = try bridge.state(of: set)
        let game = try await one.engine.play(of: set).begin()
        #expect(try await bridge.nextState(of: set, after: before).isPlayedHere)
        let base = try #require(before.newest.first)
        try await bridge.save(try Self.tree(["slot": "phone's"], in: folder), by: Self.phone, over: base, in: set)
        try await one.engine.play(of: set).untilQuiet()
        #expect(one.place().texts() == ["slot": "chapter 1"])
        try await one.engine.play(of: set).end(game: game)
        while one.place().texts() != ["slot": "phone's"] { try await othersTurn() }
        await one.stop()
    }

    @Test("a paused game, an emptied device, an unknown base and a file that is away change nothing")
    func refused() async throws {
        let one = try await SaveMachine.open("one")
        let set = try await one.add(["slot": "chapter 1"])
        let (bridge, folder) = (GameBridge(one.engine), TemporaryFolder())
        let base = try #require(try bridge.newest(after: nil, of: set))
        let tree = try Self.tree(["slot": "phone's"], in: folder)
        let unknown = SnapshotID(words: (1, 2, 3, 4))
        await #expect(throws: SaveSyncError.self) {
            try await bridge.save(tree, by: Self.phone, over: unknown, in: set)
        }
        await #expect(throws: SaveSyncError.self) {
            try await bridge.save(ForeignTree(), by: Self.phone, over: base, in: set)
        }
        let missing = ForeignTree([
            try SavePath("slot"): .staged(at: folder.path(of: "none"), modified: FileTime(seconds: 0, nanoseconds: 0))
        ])
        await #expect(throws: (any Error).self) {
            try await bridge.save(missing, by: Self.phone, over: base, in: set)
        }
        try await one.engine.pausing.pause(set, for: nil)
        #expect(try bridge.state(of: set).isPaused)
        await #expect(throws: SaveSyncError.self) {
            try await bridge.save(tree, by: Self.phone, over: base, in: set)
        }
        #expect(try one.heads(of: set) == [base] && one.place().texts() == ["slot": "chapter 1"])
        await one.stop()
    }

    @Test("a device's files that this machine does not share are left out, and files that others have stay")
    func scope() async throws {
        let one = try await SaveMachine.open("one")
        let set = try await one.add(["slot": "chapter 1"])
        try await one.engine.settings.change(set) { $0.scope.ignored = try PathPatterns(["*.log"]) }
        let (bridge, folder) = (GameBridge(one.engine), TemporaryFolder())
        let base = try #require(try bridge.newest(after: nil, of: set))
        let tree = try Self.tree(["slot": "phone's", "x.log": "noise"], in: folder)
        let made = try #require(try await bridge.save(tree, by: Self.phone, over: base, in: set))
        #expect(try await bridge.contents(of: made, in: set).entries.map(\.path.text) == ["slot"])
        await one.stop()
    }
}
