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

@Suite("A game whose settings change", .timeLimit(.minutes(5)))
struct SettingsTests {
    /// Two machines that share a game in real folders, `game` and `there`.
    @Engine
    private struct Scene {
        let one: SaveMachine
        let other: SaveMachine
        let set: SaveSetID

        static func open(_ files: [String: String], chosen: [String]? = nil, local: [String] = []) async throws -> Scene
        {
            let one = try await SaveMachine.open("one", watchesForReal: true)
            let other = try await SaveMachine.open("other", watchesForReal: true)
            try await one.befriend(other)
            mkdir(one.folder.path(of: "game"), 0o755)
            mkdir(other.folder.path(of: "there"), 0o755)
            for (name, text) in files { try one.folder.put(text, at: "game/\(name)") }
            let names = try chosen.flatMap { ChosenNames(try $0.map { try FileName($0) }) }
            let set = try await one.engine.joining.add(SaveSetName("game"), at: one.folder.path(of: "game")) {
                ($0.settleMilliseconds, $0.chosen) = (50, names)
            }
            try await one.offer(set, to: other)
            let patterns = try PathPatterns(local)
            try await other.engine.joining.join(set, at: other.folder.path(of: "there")) {
                ($0.settleMilliseconds, $0.scope.local) = (50, patterns)
            }
            let scene = Scene(one: one, other: other, set: set)
            try await scene.untilLevel()
            return scene
        }

        /// Waits until both machines show the same version, and no work is left.
        func untilLevel() async throws {
            while true {
                try await one.engine.play(of: set).untilQuiet()
                try await other.engine.play(of: set).untilQuiet()
                let (left, right) = (try one.engine.report(of: set), try other.engine.report(of: set))
                if left.versions.state == .level, right.versions.state == .level,
                    left.versions.shown?.id == right.versions.shown?.id
                {
                    return
                }
                try Task.checkCancellation()
                await Task.yield()
            }
        }

        func choose(_ names: [String], on machine: SaveMachine) async throws {
            let chosen = ChosenNames(try names.map { try FileName($0) })
            try await machine.engine.settings.change(set) { $0.chosen = chosen }
        }

        /// Adds a file to the first machine that the other one has not chosen.
        func addKeys() async throws {
            try one.folder.put("abc", at: "game/keys")
            let before = try one.heads(of: set)
            try await choose(["slot", "keys"], on: one)
            while try one.heads(of: set) == before { try await one.next(in: set) { _ in true } }
            try await untilLevel()
        }

        func stop() async {
            await one.stop()
            await other.stop()
        }
    }

    @Test("a folder may have up to ten minutes until it is quiet, and no complaint comes before that")
    @Engine
    func longSettling() async throws {
        let scene = try await Scene.open(["slot": "chapter 1"])
        for milliseconds in [30_000, 600_000] {
            try await scene.one.engine.settings.change(scene.set) { $0.settleMilliseconds = milliseconds }
            #expect(try scene.one.engine.report(of: scene.set).versions.state == .level)
        }
        let patience = Settling.Patience(quiet: .seconds(600))
        #expect(patience.unsettled > patience.quiet)
        await scene.stop()
    }

    @Test("two games have no folder in common, by whatever links it is reached")
    @Engine
    func commonGround() async throws {
        let one = try await SaveMachine.open("one")
        let base = one.folder
        for path in ["game", "game/slots"] { mkdir(base.path(of: path), 0o755) }
        symlink("game", base.path(of: "link"))
        let set = try await one.engine.joining.add(SaveSetName("game"), at: base.path(of: "game"))
        func refusal(of path: String) async -> ErrorCode? {
            do {
                try await one.engine.joining.add(SaveSetName("again"), at: base.path(of: path))
                return nil
            } catch {
                return (error as? SaveSyncError)?.code
            }
        }
        for path in ["game", "link", "link/slots", "game/slots", "game/../game"] {
            #expect(await refusal(of: path) == "saves.nested", "\(path)")
        }
        mkdir(base.path(of: "beside"), 0o755)
        let beside = try await one.engine.joining.add(SaveSetName("beside"), at: base.path(of: "beside"))
        await #expect(throws: SaveSyncError.self) {
            try await one.engine.settings.change(beside) { $0.path = base.path(of: "link/slots") }
        }
        try await one.engine.settings.change(set) { $0.path = base.path(of: "link") }
        await one.stop()
    }

    @Test("a file that is chosen here later is put here, and never counts as removed")
    @Engine
    func chosenLater() async throws {
        let scene = try await Scene.open(["slot": "chapter 1", "settings": "of one"], chosen: ["slot"])
        let (one, other, set) = (scene.one, scene.other, scene.set)
        try await scene.addKeys()
        #expect(other.folder.text(at: "there/keys") == nil)
        #expect(try await other.engine.versions(of: set).omittedNames().map(\.text) == ["keys"])
        // A save there leaves that file as it is.
        try other.folder.put("chapter 2", at: "there/slot")
        while one.folder.text(at: "game/slot") != "chapter 2" { try await one.untilApplied(in: set) }
        #expect(one.folder.text(at: "game/keys") == "abc")
        let versions = try await one.engine.versions(of: set).latest().count
        try await scene.choose(["slot", "keys"], on: other)
        #expect(other.folder.text(at: "there/keys") == "abc")
        try await scene.untilLevel()
        #expect(one.folder.text(at: "game/keys") == "abc")
        #expect(try await one.engine.versions(of: set).latest().count == versions)
        #expect(try await other.engine.versions(of: set).omittedNames().isEmpty)
        try other.folder.put("abcd", at: "there/keys")
        while one.folder.text(at: "game/keys") != "abcd" { try await one.untilApplied(in: set) }
        #expect(one.folder.text(at: "game/settings") == "of one")
        await scene.stop()
    }

    @Test(
        "a different file in the place of one that is chosen later is a question to the user, and is not overwritten"
    )
    @Engine
    func chosenAndOther() async throws {
        let scene = try await Scene.open(["slot": "chapter 1"], chosen: ["slot"])
        try await scene.addKeys()
        try scene.other.folder.put("xyz", at: "there/keys")
        try await scene.choose(["slot", "keys"], on: scene.other)
        try await scene.one.untilConflict(in: scene.set)
        try await scene.other.untilConflict(in: scene.set)
        #expect(scene.one.folder.text(at: "game/keys") == "abc")
        #expect(scene.other.folder.text(at: "there/keys") == "xyz")
        try await scene.other.engine.editor(of: scene.set).resolve(.theirs)
        try await scene.untilLevel()
        #expect(scene.other.folder.text(at: "there/keys") == "abc")
        await scene.stop()
    }

    /// The step that first finds the damage.
    enum FoundBy { case repair, save, arrival }

    @Test(
        "changes of others to files that are not chosen here stay, even if the newest versions are damaged here",
        arguments: [FoundBy.repair, .save, .arrival]
    )
    @Engine
    func damagedAndChosen(found: FoundBy) async throws {
        let scene = try await Scene.open(["slot": "chapter 1", "keys": "abc"])
        let (one, other, set) = (scene.one, scene.other, scene.set)
        try await scene.choose(["slot"], on: other)
        var damaged: [Snapshot] = []
        for (name, text) in [("keys", "abcd"), ("map", "of one")] {
            let before = try one.heads(of: set)
            try one.folder.put(text, at: "game/\(name)")
            while try one.heads(of: set) == before { try await one.next(in: set) { _ in true } }
            try await scene.untilLevel()
            damaged.append(try #require(try other.engine.report(of: set).versions.shown))
        }
        for version in damaged { try other.damageManifest(of: version) }
        switch found {
        case .repair:
            #expect(try await !other.engine.upkeep.check(repairing: true).isSound)
            while other.engine.upkeep.incompleteCount > 0 { try await other.next(in: set) { _ in true } }
            #expect(try await other.engine.upkeep.check().isSound)
            #expect(try other.heads(of: set) == damaged.suffix(1).map(\.id))
        case .save: break
        case .arrival:
            try one.folder.put("chapter 1, page 2", at: "game/slot")
            while other.folder.text(at: "there/slot") != "chapter 1, page 2" { try await other.untilApplied(in: set) }
            try await scene.untilLevel()
        }
        let newest = try one.heads(of: set)
        try other.folder.put("chapter 2", at: "there/slot")
        while one.folder.text(at: "game/slot") != "chapter 2" { try await one.untilApplied(in: set) }
        #expect(one.folder.text(at: "game/keys") == "abcd")
        #expect(one.folder.text(at: "game/map") == "of one")
        #expect(try one.engine.report(of: set).versions.shown?.parents == newest)
        await scene.stop()
    }

    @Test("the same file in that place already is no question")
    @Engine
    func chosenAndSame() async throws {
        let scene = try await Scene.open(["slot": "chapter 1"], chosen: ["slot"])
        try await scene.addKeys()
        try scene.other.folder.put("abc", at: "there/keys")
        let versions = try await scene.one.engine.versions(of: scene.set).latest().count
        try await scene.choose(["slot", "keys"], on: scene.other)
        try await scene.untilLevel()
        #expect(try await scene.one.engine.versions(of: scene.set).latest().count == versions)
        await scene.stop()
    }

    @Test("a file that belongs to the game no longer stays in its place, here and elsewhere")
    @Engine
    func dropped() async throws {
        let scene = try await Scene.open(["slot": "chapter 1", "keys": "abc"], chosen: ["slot", "keys"])
        let (one, other, set) = (scene.one, scene.other, scene.set)
        try await scene.choose(["slot"], on: other)
        try await scene.untilLevel()
        try other.folder.put("of other alone", at: "there/keys")
        try other.folder.put("chapter 2", at: "there/slot")
        while one.folder.text(at: "game/slot") != "chapter 2" { try await one.untilApplied(in: set) }
        #expect(one.folder.text(at: "game/keys") == "abc")
        try one.folder.put("abcd", at: "game/keys")
        let before = try other.heads(of: set)
        while try other.heads(of: set) == before { try await other.next(in: set) { _ in true } }
        try await scene.untilLevel()
        #expect(other.folder.text(at: "there/keys") == "of other alone")
        await scene.stop()
    }

    @Test(
        "files that each machine had of its own are added to the others once they are shared, and do not count as removed"
    )
    @Engine
    func localNoMore() async throws {
        let scene = try await Scene.open(["slot": "chapter 1", "screen": "1280x800"], local: ["/screen"])
        #expect(scene.other.folder.text(at: "there/screen") == nil)
        let nothing = try PathPatterns([])
        try await scene.other.engine.settings.change(scene.set) { $0.scope.local = nothing }
        try await scene.untilLevel()
        #expect(scene.one.folder.text(at: "game/screen") == "1280x800")
        #expect(scene.other.folder.text(at: "there/screen") == "1280x800")
        await scene.stop()
    }

    @Test("a file is no new folder, and leaves the game in its place")
    @Engine
    func movedToFile() async throws {
        let scene = try await Scene.open(["slot": "chapter 1"])
        let other = scene.other
        let former = try other.engine.report(of: scene.set).entry.path
        try other.folder.put("a file", at: "file")
        let path = other.folder.path(of: "file")
        await #expect(throws: SaveSyncError.notFolder(path)) {
            try await other.engine.settings.change(scene.set) { $0.path = path }
        }
        #expect(try other.engine.report(of: scene.set).entry.path == former)
        await scene.stop()
    }

    @Test("a new folder that is empty gets the newest version, and nothing counts as removed")
    @Engine
    func movedToNothing() async throws {
        let scene = try await Scene.open(["slot": "chapter 1"])
        let (one, other) = (scene.one, scene.other)
        mkdir(other.folder.path(of: "elsewhere"), 0o755)
        let path = other.folder.path(of: "elsewhere")
        try await other.engine.settings.change(scene.set) { $0.path = path }
        #expect(other.folder.text(at: "elsewhere/slot") == "chapter 1")
        try await scene.untilLevel()
        #expect(one.folder.text(at: "game/slot") == "chapter 1")
        try other.folder.put("chapter 2", at: "elsewhere/slot")
        while one.folder.text(at: "game/slot") != "chapter 2" { try await one.untilApplied(in: scene.set) }
        #expect(other.folder.text(at: "there/slot") == "chapter 1")
        await scene.stop()
    }

    @Test("a new folder with another save removes no file of the others that is left out here")
    @Engine
    func movedOntoOther() async throws {
        let scene = try await Scene.open(["slot": "chapter 1"], chosen: ["slot"])
        let (one, other) = (scene.one, scene.other)
        try await scene.addKeys()
        mkdir(other.folder.path(of: "elsewhere"), 0o755)
        try other.folder.put("apart", at: "elsewhere/slot")
        let path = other.folder.path(of: "elsewhere")
        try await other.engine.settings.change(scene.set) { $0.path = path }
        try await other.untilConflict(in: scene.set)
        try await other.engine.editor(of: scene.set).resolve(.mine)
        while one.folder.text(at: "game/slot") != "apart" { try await one.untilApplied(in: scene.set) }
        #expect(one.folder.text(at: "game/keys") == "abc")
        await scene.stop()
    }

    @Test("a folder that was moved unchanged goes on as if nothing had happened")
    @Engine
    func moved() async throws {
        let scene = try await Scene.open(["slot": "chapter 1", "screen": "1280x800"], local: ["/screen"])
        let versions = try await scene.one.engine.versions(of: scene.set).latest().count
        let path = scene.other.folder.path(of: "moved")
        rename(scene.other.folder.path(of: "there"), path)
        try await scene.other.engine.settings.change(scene.set) { $0.path = path }
        try await scene.untilLevel()
        #expect(try await scene.one.engine.versions(of: scene.set).latest().count == versions)
        #expect(scene.one.folder.text(at: "game/screen") == "1280x800")
        await scene.stop()
    }

    @Test("an unreadable former folder is reported, and one that was moved away is not")
    @Engine
    func passedOver() async throws {
        let machine = try await SaveMachine.open("one")
        let set = try await machine.add(["slot": "chapter 0"])
        // Once the machine has scanned after the watch's first report, it reads nothing else before the settings
        // change.
        try await machine.save("chapter 1", in: set)
        try await machine.engine.play(of: set).untilQuiet()
        machine.place().put(Array("chapter 2".utf8), at: "slot")
        machine.place().refusesReading.withLock { $0 = 1 }
        let (former, path) = (machine.place().path, machine.place("elsewhere").path)
        let reported = try await machine.engine.settings.change(set) { $0.path = path }
        #expect(reported?.code == "saves.passed-over" && reported?.message.contains(former) == true)
        #expect(machine.place("elsewhere").texts() == ["slot": "chapter 1"])
        #expect(try await machine.engine.settings.change(set) { $0.settleMilliseconds = 100 } == nil)
        await machine.stop()
        let scene = try await Scene.open(["slot": "chapter 1"])
        let moved = scene.other.folder.path(of: "moved")
        rename(scene.other.folder.path(of: "there"), moved)
        #expect(try await scene.other.engine.settings.change(scene.set) { $0.path = moved } == nil)
        await scene.stop()
    }

    @Test("a new folder with another content is a question to the user, and nothing is overwritten")
    @Engine
    func movedToOther() async throws {
        let scene = try await Scene.open(["slot": "chapter 1"])
        mkdir(scene.other.folder.path(of: "elsewhere"), 0o755)
        try scene.other.folder.put("another chapter 1", at: "elsewhere/slot")
        let path = scene.other.folder.path(of: "elsewhere")
        try await scene.other.engine.settings.change(scene.set) { $0.path = path }
        try await scene.one.untilConflict(in: scene.set)
        try await scene.other.untilConflict(in: scene.set)
        #expect(scene.one.folder.text(at: "game/slot") == "chapter 1")
        #expect(scene.other.folder.text(at: "elsewhere/slot") == "another chapter 1")
        await scene.stop()
    }

    @Test("files can't be put beside the others while the game writes, and the settings stay as they were")
    @Engine
    func inUse() async throws {
        let scene = try await Scene.open(["slot": "chapter 1"], chosen: ["slot"])
        try await scene.addKeys()
        let file = open(scene.other.folder.path(of: "there/slot"), O_RDWR | O_CLOEXEC)
        let before = try scene.other.engine.report(of: scene.set).entry.chosen
        await #expect(throws: SaveSyncError.self) { try await scene.choose(["slot", "keys"], on: scene.other) }
        #expect(try scene.other.engine.report(of: scene.set).entry.chosen == before)
        close(file)
        try await scene.choose(["slot", "keys"], on: scene.other)
        #expect(scene.other.folder.text(at: "there/keys") == "abc")
        await scene.stop()
    }
}
