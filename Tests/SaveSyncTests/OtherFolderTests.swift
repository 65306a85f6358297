import Glibc
import Ledger
import LinuxPlatform
import SaveRules
@testable import SaveSync
import Session
import TestSupport
import Testing
import Vocabulary

@Suite("A game whose folder was replaced", .timeLimit(.minutes(5)))
struct OtherFolderTests {
    /// Shares a game with a machine, which is then switched off.
    @Engine
    private static func share(_ one: SaveMachine, _ folder: TemporaryFolder) async throws -> SaveSetID {
        let other = try await SaveMachine.open("other", in: folder, watchesForReal: true)
        try await one.befriend(other)
        mkdir(one.folder.path(of: "game"), 0o755)
        try one.folder.put("chapter 7", at: "game/slot")
        let set = try await one.engine.joining.add(SaveSetName("game"), at: one.folder.path(of: "game")) {
            $0.settleMilliseconds = 50
        }
        try await one.offer(set, to: other)
        try await other.engine.joining.join(set, at: folder.path(of: "there")) { $0.settleMilliseconds = 50 }
        try await other.untilApplied(in: set)
        await other.stop()
        return set
    }

    @Test("a game with a replaced folder is unavailable, until its folder is back")
    @Engine
    func away() async throws {
        let one = try await SaveMachine.open("one", watchesForReal: true)
        let (path, away) = (one.folder.path(of: "game"), one.folder.path(of: "away"))
        mkdir(path, 0o755)
        try one.folder.put("chapter 7", at: "game/slot")
        let set = try await one.engine.joining.add(SaveSetName("game"), at: path) { $0.settleMilliseconds = 50 }
        #expect(try one.engine.report(of: set).trouble == nil)
        rename(path, away)
        try await one.next(in: set) { if case .gone = $0 { true } else { nil } }
        #expect(try one.engine.report(of: set).trouble?.kind == .missing)
        await #expect(throws: (any Error).self) { try await one.engine.editor(of: set).scan() }
        #expect(try one.engine.report(of: set).trouble?.kind == .missing)
        rename(away, path)
        try await one.next(in: set) { if case .back = $0 { true } else { nil } }
        try await one.engine.editor(of: set).scan()
        #expect(try one.engine.report(of: set).trouble == nil)
        await one.stop()
    }

    @Test(
        "a game sends no file of a replaced folder, until the user confirms it; then it is kept beside the old save for a choice"
    )
    @Engine
    func meant() async throws {
        let folder = TemporaryFolder.inMemory()
        let one = try await SaveMachine.open("one", watchesForReal: true)
        // The folder is on a disk of its own, which is then removed.
        let (disk, path) = (TemporaryFolder(), folder.path(of: "there"))
        symlink(disk.path, path)
        let set = try await Self.share(one, folder)
        unlink(path)
        mkdir(path, 0o755)
        let there = try FileSystem(of: Folder(at: disk.path)).lastingID
        let here = try FileSystem(of: Folder(at: path)).lastingID
        // If two file systems can't be told apart, as in containers, the files there are a version like any other.
        guard there != here else { return await one.stop() }
        try folder.put("chapter 1", at: "there/slot")
        let other = try await SaveMachine.open("other", in: folder, watchesForReal: true)
        try await one.befriend(other)
        let trouble: any ExplainedError = try await other.next(in: set) { event in
            if case .trouble(let error) = event { error } else { nil }
        }
        #expect(trouble.code == "save-folder.other-place")
        #expect(try other.engine.report(of: set).trouble?.kind == .replaced)
        other.engine.connections.sees(one.id)
        try await one.next(in: set) { if case .met = $0 { true } else { nil } }
        try await one.engine.play(of: set).untilQuiet()
        #expect(try one.engine.report(of: set).versions.count == 1)
        try await other.engine.settings.change(set, inNewFolder: true) { $0.path = path }
        try await one.untilConflict(in: set)
        try await other.untilConflict(in: set)
        #expect(one.folder.text(at: "game/slot") == "chapter 7")
        #expect(folder.text(at: "there/slot") == "chapter 1")
        #expect(try other.engine.report(of: set).trouble == nil)
        try await other.engine.editor(of: set).resolve(.theirs)
        try await other.untilApplied(in: set)
        #expect(folder.text(at: "there/slot") == "chapter 7")
        await one.stop()
        await other.stop()
    }
}
