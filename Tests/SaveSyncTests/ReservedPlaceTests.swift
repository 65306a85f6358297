import Glibc
import Ledger
import LinuxPlatform
import SaveRules
@testable import SaveSync
import Session
import TestSupport
import Testing
import Vocabulary

@Suite("A folder with the program's own files", .timeLimit(.minutes(4)))
struct ReservedPlaceTests {
    private static func reserve(_ folder: TemporaryFolder) -> [ReservedPlace] {
        [
            ReservedPlace(folder.path(of: "home/state"), .own, .itself),
            ReservedPlace(folder.path(of: "home/state/history"), .own, .whole),
            ReservedPlace(folder.path(of: "home/none/config.json5"), .own, .itself),
            ReservedPlace(folder.path(of: "home/in"), .inbox, .itself),
        ]
    }

    private static func makeHome(in folder: TemporaryFolder) throws {
        for name in ["home", "home/state", "home/state/history", "home/in", "home/game", "home/state/game"] {
            mkdir(folder.path(of: name), 0o755)
        }
        try folder.put("secret", at: "home/state/identity.pem")
        try folder.put("chapter 1", at: "home/game/slot")
        symlink(folder.path(of: "home"), folder.path(of: "link"))
    }

    @Test(
        "a folder is refused if it is the program's own, contains that, or is inside a place that is wholly so",
        arguments: [
            "", "home", "home/state", "home/state/history", "home/state/history/deeper", "home/in", "link",
            "link/state",
            "home/none", "home/game/../state",
        ]
    )
    func refused(_ name: String) throws {
        let folder = TemporaryFolder.inMemory()
        try Self.makeHome(in: folder)
        let entry = SaveSetEntry(.random(), named: try SaveSetName("game"), at: folder.path(of: name))
        let refusal = ReservedPlace.refusal(of: entry, by: Self.reserve(folder))
        #expect(refusal?.code == SaveSyncError.reservedCode)
        #expect(refusal?.message.contains(name.hasSuffix("in") ? "inbox" : "own") == true)
    }

    @Test(
        "a folder beside the program's own is allowed",
        arguments: ["home/game", "home/state/game", "home/in/game", "home/statement"]
    )
    func free(_ name: String) throws {
        let folder = TemporaryFolder.inMemory()
        try Self.makeHome(in: folder)
        let entry = SaveSetEntry(.random(), named: try SaveSetName("game"), at: folder.path(of: name))
        #expect(ReservedPlace.refusal(of: entry, by: Self.reserve(folder)) == nil)
    }

    @Test(
        "a folder is the program's own, and no other, even if it is made again after it was found, and its number is another's"
    )
    func madeAgain() throws {
        let folder = TemporaryFolder.inMemory()
        try Self.makeHome(in: folder)
        let reserved = Self.reserve(folder).map(\.resolved)
        func isRefused(_ name: String) throws -> Bool {
            let entry = SaveSetEntry(.random(), named: try SaveSetName("game"), at: folder.path(of: name))
            return ReservedPlace.refusal(of: entry, by: reserved) != nil
        }
        // The folder that was the inbox is the game's now, as when the file system reuses an inode number.
        rename(folder.path(of: "home/in"), folder.path(of: "home/game/new"))
        #expect(try !isRefused("home/game/new"))
        mkdir(folder.path(of: "home/in"), 0o755)
        #expect(try isRefused("home/in") && !isRefused("home/game/new"))
        symlink(folder.path(of: "home/in"), folder.path(of: "turned"))
        #expect(try isRefused("turned"))
    }

    @Test("a game of chosen files is refused if one of them leads to the program's own")
    func chosen() throws {
        let folder = TemporaryFolder.inMemory()
        try Self.makeHome(in: folder)
        func isRefused(_ place: String, _ names: String...) throws -> Bool {
            var entry = SaveSetEntry(.random(), named: try SaveSetName("game"), at: folder.path(of: place))
            entry.chosen = ChosenNames(try names.map { try FileName($0) })
            return ReservedPlace.refusal(of: entry, by: Self.reserve(folder)) != nil
        }
        #expect(try !isRefused("home", "slot", "game"))
        #expect(try isRefused("home", "slot", "state"))
        #expect(try isRefused("link", "none"))
        #expect(try isRefused("home/state", "slot"))
    }

    @Test("the program's own folder is refused for a new game, for an offered one, and for an existing one")
    @Engine
    func engine() async throws {
        let (folder, elsewhere) = (TemporaryFolder.inMemory(), TemporaryFolder.inMemory())
        try Self.makeHome(in: folder)
        let one = try await SaveMachine.open("one", in: elsewhere)
        let other = try await SaveMachine.open("other", in: folder) { $0.reserved = Self.reserve(folder) }
        try await one.befriend(other)
        await #expect(throws: SaveSyncError.self) {
            try await other.engine.joining.add(SaveSetName("home"), at: folder.path(of: "home"))
        }
        #expect(other.engine.reports().isEmpty)
        let set = try await one.add(["slot": "chapter 1"])
        try await one.offer(set, to: other)
        await #expect(throws: SaveSyncError.self) {
            try await other.engine.joining.join(set, at: folder.path(of: "link/state"))
        }
        #expect(try await other.engine.joining.offers().count == 1)
        try await other.join(set)
        try await other.untilApplied(in: set)
        await #expect(throws: SaveSyncError.self) {
            try await other.engine.settings.change(set) { $0.path = folder.path(of: "home") }
        }
        #expect(try other.engine.report(of: set).entry.path == other.place().path)
        await one.stop()
        await other.stop()
    }

    @Test("the program's own folder is not read or written for a game whose link leads there")
    @Engine
    func turned() async throws {
        let folder = TemporaryFolder.inMemory()
        try Self.makeHome(in: folder)
        let link = folder.path(of: "turned")
        symlink(folder.path(of: "home/game"), link)
        let one = try await SaveMachine.open("one", watchesForReal: true) { $0.reserved = Self.reserve(folder) }
        let set = try await one.engine.joining.add(SaveSetName("game"), at: link)
        let first = try #require(try one.heads(of: set).first)
        unlink(link)
        symlink(folder.path(of: "home/state"), link)
        await #expect(throws: SaveSyncError.self) { try await one.engine.editor(of: set).scan() }
        await #expect(throws: SaveSyncError.self) { try await one.engine.editor(of: set).restore(first) }
        #expect(try one.engine.report(of: set).trouble?.error.code == SaveSyncError.reservedCode)
        #expect(try one.engine.report(of: set).versions.count == 1)
        #expect(folder.text(at: "home/state/slot") == nil)
        unlink(link)
        symlink(folder.path(of: "home/game"), link)
        try await one.engine.editor(of: set).scan()
        #expect(try one.engine.report(of: set).trouble == nil)
        await one.stop()
    }

    /// The state of a folder from before any folder was reserved.
    @Engine
    private static func offerUnasked(_ folder: TemporaryFolder, to other: SaveMachine) async throws -> SaveSetID {
        let one = try await SaveMachine.open("one", in: folder)
        try await one.befriend(other)
        let set = try await one.engine.joining.add(SaveSetName("state"), at: folder.path(of: "home/state"))
        try await one.offer(set, to: other)
        await one.stop()
        return set
    }

    @Test("the program's own folder of an old game is neither read nor sent, and the game says so and can be left")
    @Engine
    func fromBefore() async throws {
        let (folder, elsewhere) = (TemporaryFolder.inMemory(), TemporaryFolder.inMemory())
        try Self.makeHome(in: folder)
        let other = try await SaveMachine.open("other", in: elsewhere)
        let set = try await Self.offerUnasked(folder, to: other)
        let one = try await SaveMachine.open("one", in: folder) { $0.reserved = Self.reserve(folder) }
        try await one.befriend(other)
        let report = try one.engine.report(of: set)
        #expect(report.trouble?.error.code == SaveSyncError.reservedCode)
        #expect(report.trouble?.error.nextStep.contains("huddle stop state") == true)
        #expect(report.sharers.isEmpty && report.versions.count == 1)
        let shared = try await one.add(["slot": "chapter 1"])
        try await one.offer(shared, to: other)
        await #expect(throws: SaveSyncError.self) { try await one.engine.sharing.offer(set, to: other.id) }
        await #expect(throws: SaveSyncError.self) { try await one.engine.editor(of: set).scan() }
        await #expect(throws: SaveSyncError.self) {
            try await one.engine.settings.change(set) { $0.path = folder.path(of: "home/game") }
        }
        try await other.join(shared, "celeste")
        try await other.untilApplied(in: shared)
        // It was offered before, but is not offered now: no machine there has it.
        try await other.engine.joining.join(set, at: elsewhere.path(of: "state"))
        try await other.engine.play(of: set).untilQuiet()
        #expect(try other.engine.report(of: set).present.isEmpty && other.engine.report(of: set).versions.heads.isEmpty)
        try await one.engine.joining.leave(set)
        #expect(one.engine.reports().map(\.entry.id) == [shared])
        // The kept versions can be joined at another folder, which no machine learns of, or discarded.
        try await one.engine.joining.join(set, at: folder.path(of: "home/game"))
        #expect(try one.engine.report(of: set).sharers.isEmpty && one.engine.report(of: set).versions.heads.count == 2)
        try await one.engine.joining.leave(set)
        try await one.engine.upkeep.cleanUp(alsoLeft: true)
        #expect(try await one.engine.joining.offers().isEmpty)
        await one.stop()
        await other.stop()
    }
}
