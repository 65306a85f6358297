import Glibc
import History
import Ledger
import LinuxPlatform
import SaveRules
@testable import SaveSync
import Session
import Synchronization
import TestSupport
import Testing
import Vocabulary

@Suite("Folders on the disk", .timeLimit(.minutes(5)))
struct RealFolderTests {
    /// Two machines whose folders the kernel watches.
    @Engine
    private static func friends() async throws -> (SaveMachine, SaveMachine) {
        let one = try await SaveMachine.open("one", watchesForReal: true)
        let other = try await SaveMachine.open("other", watchesForReal: true)
        try await one.befriend(other)
        return (one, other)
    }

    @Engine
    private static func add(_ machine: SaveMachine, _ name: String = "game") async throws -> SaveSetID {
        let path = machine.folder.path(of: name)
        mkdir(path, 0o755)
        mkdir("\(path)/slots", 0o755)
        try machine.folder.put("chapter 1", at: "\(name)/slots/0")
        return try await machine.engine.joining.add(SaveSetName(name), at: path) { $0.settleMilliseconds = 50 }
    }

    @Test("the changes of a game reach the other machine by themselves: folders, files, and removals")
    @Engine
    func byItself() async throws {
        let (one, other) = try await Self.friends()
        let set = try await Self.add(one)
        try await one.offer(set, to: other)
        let path = other.folder.path(of: "there")
        mkdir(path, 0o755)
        try await other.engine.joining.join(set, at: path) { $0.settleMilliseconds = 50 }
        try await other.untilApplied(in: set)
        #expect(other.folder.text(at: "there/slots/0") == "chapter 1")
        try one.folder.put("chapter 2", at: "game/slots/0")
        while other.folder.text(at: "there/slots/0") != "chapter 2" { try await other.untilApplied(in: set) }
        mkdir(other.folder.path(of: "there/empty"), 0o755)
        while access(one.folder.path(of: "game/empty"), F_OK) != 0 { try await one.untilApplied(in: set) }
        // Keeps a second file: a folder that loses its last file would be held back.
        try one.folder.put("settings", at: "game/options")
        while other.folder.text(at: "there/options") == nil { try await other.untilApplied(in: set) }
        unlink(one.folder.path(of: "game/slots/0"))
        while other.folder.text(at: "there/slots/0") != nil { try await other.untilApplied(in: set) }
        await one.stop()
        await other.stop()
    }

    @Test("files that were there before are not overwritten, and both sides are there to choose from")
    @Engine
    func conflict() async throws {
        let (one, other) = try await Self.friends()
        let set = try await Self.add(one)
        try await one.offer(set, to: other)
        mkdir(other.folder.path(of: "there"), 0o755)
        mkdir(other.folder.path(of: "there/slots"), 0o755)
        try other.folder.put("another chapter 1", at: "there/slots/0")
        try await other.engine.joining.join(set, at: other.folder.path(of: "there"))
        try await one.untilConflict(in: set)
        try await other.untilConflict(in: set)
        #expect(other.folder.text(at: "there/slots/0") == "another chapter 1")
        try await other.engine.editor(of: set).resolve(.theirs)
        try await other.untilApplied(in: set)
        #expect(other.folder.text(at: "there/slots/0") == "chapter 1")
        await one.stop()
        await other.stop()
    }

    @Test("a game of chosen files sends these to the other machine, and leaves all else in the folders there alone")
    @Engine
    func chosenFiles() async throws {
        let (one, other) = try await Self.friends()
        for folder in ["game", "there"] {
            for machine in [one, other] { mkdir(machine.folder.path(of: folder), 0o755) }
        }
        try one.folder.put("chapter 1", at: "game/slot")
        try one.folder.put("of one", at: "game/settings")
        try other.folder.put("of other", at: "there/settings")
        let chosen = ChosenNames([try FileName("slot"), try FileName("keys")])
        let set = try await one.engine.joining.add(SaveSetName("game"), at: one.folder.path(of: "game")) {
            ($0.settleMilliseconds, $0.chosen) = (50, chosen)
        }
        // Names that are not in this game may be in another.
        let settings = ChosenNames([try FileName("settings")])
        let beside = try await one.engine.joining.add(SaveSetName("settings"), at: one.folder.path(of: "game")) {
            $0.chosen = settings
        }
        try await one.engine.joining.leave(beside)
        await #expect(throws: SaveSyncError.self) {
            try await one.engine.joining.add(SaveSetName("again"), at: one.folder.path(of: "game")) {
                $0.chosen = chosen
            }
        }
        await #expect(throws: SaveSyncError.self) {
            try await one.engine.joining.add(SaveSetName("all"), at: one.folder.path(of: "game"))
        }
        try await one.offer(set, to: other)
        let number = try FileFacts(at: other.folder.path(of: "there")).inode
        try await other.engine.joining.join(set, at: other.folder.path(of: "there")) { $0.settleMilliseconds = 50 }
        try await other.untilApplied(in: set)
        #expect(other.folder.text(at: "there/slot") == "chapter 1")
        // Two files at once, one of them new. The folder stays the same one, because other programs use it, too.
        try one.folder.put("chapter 2", at: "game/slot")
        try one.folder.put("abc", at: "game/keys")
        while other.folder.text(at: "there/keys") != "abc" { try await other.untilApplied(in: set) }
        try other.folder.put("chapter 3", at: "there/slot")
        while one.folder.text(at: "game/slot") != "chapter 3" { try await one.untilApplied(in: set) }
        #expect(try FileFacts(at: other.folder.path(of: "there")).inode == number)
        #expect(one.folder.text(at: "game/settings") == "of one")
        #expect(other.folder.text(at: "there/settings") == "of other")
        #expect(try other.engine.report(of: set).entry.chosen == chosen)
        await one.stop()
        await other.stop()
    }

    @Test(
        "files that are left out here go with the folder around them, and all others that are left out here stay elsewhere"
    )
    @Engine
    func leftOutInFolder() async throws {
        let (one, other) = try await Self.friends()
        for name in ["slot3/game", "slot3/x.bak", "b.bak", "cache/y.bak"] {
            if let slash = name.firstIndex(of: "/") {
                mkdir(one.folder.path(of: "game"), 0o755)
                mkdir(one.folder.path(of: "game/\(name[..<slash])"), 0o755)
            }
            try one.folder.put(name, at: "game/\(name)")
        }
        let set = try await one.engine.joining.add(SaveSetName("game"), at: one.folder.path(of: "game")) {
            $0.settleMilliseconds = 50
        }
        try await one.offer(set, to: other)
        let path = other.folder.path(of: "there")
        mkdir(path, 0o755)
        let patterns = try PathPatterns(["*.bak"])
        try await other.engine.joining.join(set, at: path) {
            ($0.settleMilliseconds, $0.scope.ignored) = (50, patterns)
        }
        try await other.untilApplied(in: set)
        #expect(other.folder.text(at: "there/b.bak") == nil)
        unlink("\(path)/slot3/game")
        rmdir("\(path)/slot3")
        while one.folder.text(at: "game/slot3/game") != nil { try await one.untilApplied(in: set) }
        while access(one.folder.path(of: "game/slot3"), F_OK) == 0 { try await one.untilApplied(in: set) }
        #expect(one.folder.text(at: "game/b.bak") == "b.bak")
        #expect(one.folder.text(at: "game/cache/y.bak") == "cache/y.bak")
        await one.stop()
        await other.stop()
    }

    @Test("a named program that has opened a save plays: others see it, arriving versions wait, and its end is enough")
    @Engine
    func program() async throws {
        let (one, other) = try await Self.friends()
        let set = try await Self.add(one)
        try await one.offer(set, to: other)
        let path = other.folder.path(of: "there")
        mkdir(path, 0o755)
        let name = "celeste-\(getpid())"
        try await other.engine.joining.join(set, at: path) { ($0.settleMilliseconds, $0.program) = (50, name) }
        try await other.untilApplied(in: set)
        symlink("/bin/cat", other.folder.path(of: name))
        var launch = ProgramLaunch(other.folder.path(of: name), ["\(path)/slots/0", "-"])
        (launch.standardInput, launch.standardOutput) = (.pipe, .null)
        let game = try ChildProcess.launch(launch)
        try await other.next(in: set) { if case .lease(.granted) = $0 { true } else { nil } }
        try await one.next(in: set) { if case .lease(.taken(other.id)) = $0 { true } else { nil } }
        #expect(try one.engine.report(of: set).play.holder?.peer == other.id)
        try one.folder.put("chapter 2", at: "game/slots/0")
        try await other.next(in: set) { if case .heldBack = $0 { true } else { nil } }
        #expect(other.folder.text(at: "there/slots/0") == "chapter 1")
        // A change of settings does not end the game.
        try await other.engine.settings.change(set) { $0.settleMilliseconds = 60 }
        #expect(try other.engine.report(of: set).play.isHere)
        await game.standardInput?.close()
        _ = try await game.wait()
        try await other.untilApplied(in: set)
        #expect(other.folder.text(at: "there/slots/0") == "chapter 2")
        try await one.next(in: set) { if case .lease(.released) = $0 { true } else { nil } }
        #expect(try !other.engine.report(of: set).play.isHere)
        await one.stop()
        await other.stop()
    }

    @Test("a file that is being written holds back arriving versions, until it is closed")
    @Engine
    func inUse() async throws {
        let (one, other) = try await Self.friends()
        let set = try await Self.add(one)
        try await one.offer(set, to: other)
        let path = other.folder.path(of: "there")
        mkdir(path, 0o755)
        try await other.engine.joining.join(set, at: path) { $0.settleMilliseconds = 50 }
        try await other.untilApplied(in: set)
        let file = open("\(path)/slots/0", O_RDWR | O_CLOEXEC)
        try one.folder.put("chapter 2", at: "game/slots/0")
        try await other.next(in: set) { if case .heldBack = $0 { true } else { nil } }
        #expect(other.folder.text(at: "there/slots/0") == "chapter 1")
        close(file)
        try await other.untilApplied(in: set)
        #expect(other.folder.text(at: "there/slots/0") == "chapter 2")
        await one.stop()
        await other.stop()
    }

    @Test("a save right after an arriving version follows that, even if the program died in between")
    @Engine
    func savedAfterDying() async throws {
        let (one, folder) = (try await SaveMachine.open("one", watchesForReal: true), TemporaryFolder.inMemory())
        let set = try await Self.add(one)
        try await Self.die(one, set, folder)
        let again = try await SaveMachine.open("other", in: folder, watchesForReal: true)
        try await one.befriend(again)
        again.engine.connections.sees(one.id)
        while try one.engine.report(of: set).versions.shown?.author != again.id, try one.state(of: set) != .split {
            try await one.next(in: set) { _ in true }
        }
        #expect(try one.state(of: set) == .level)
        #expect(one.folder.text(at: "game/slots/0") == "chapter 2, and on")
        await one.stop()
        await again.stop()
    }

    /// Another machine joins the game, and dies just after it has put the second version there. The game goes on.
    @Engine
    private static func die(_ one: SaveMachine, _ set: SaveSetID, _ folder: TemporaryFolder) async throws {
        let places = try DyingPlaces(notes: folder.path(of: "notes"))
        let other = try await SaveMachine.open("other", in: folder, among: places)
        try await one.befriend(other)
        try await one.offer(set, to: other)
        mkdir(folder.path(of: "there"), 0o755)
        try await other.engine.joining.join(set, at: folder.path(of: "there")) { $0.settleMilliseconds = 50 }
        try await other.untilApplied(in: set)
        places.death.game.withLock { $0 = { try? folder.put("chapter 2, and on", at: "there/slots/0") } }
        try one.folder.put("chapter 2", at: "game/slots/0")
        while !places.death.hasCome { try await other.next(in: set) { if case .trouble = $0 { true } else { nil } } }
        await other.stop()
    }
}
