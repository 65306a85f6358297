import Digests
import SyncthingBridge
import Testing

@Suite("Folders shared with a device", .timeLimit(.minutes(5)))
struct BridgedFolderTests {
    @Test("In random worlds both sides are equal at rest, and no content is replaced that no history has")
    func worlds() {
        var conflicts = 0
        for seed in 0..<2_000 as Range<UInt64> {
            var world = FolderWorld(seed: seed)
            world.run(steps: 60)
            conflicts += world.conflicts
            #expect(world.heads.count == 1, "seed \(seed)")
            #expect(world.householdContents == world.deviceContents, "seed \(seed), \(world.folder.phase)")
            #expect(world.lost.isEmpty, "seed \(seed)")
        }
        #expect(conflicts > 100)
    }

    static let version = SHA256Digest(words: (1, 0, 0, 0))

    static func file(_ name: String, content: UInt64, by device: UInt64 = 2, at count: UInt64 = 1) -> FileEntry {
        var entry = FileEntry(name: name)
        (entry.size, entry.sequence) = (1, Int64(count))
        entry.version = DeviceVector(counting: [device: count])
        entry.blocks = [FileBlock(offset: 0, size: 1, digest: SHA256Digest(words: (content, 0, 0, 0)))]
        return entry
    }

    static func index(_ entries: [FileEntry]) -> IndexMessage {
        IndexMessage(folder: "f", extent: .update, entries: entries)
    }

    @Test("A household's change is announced only after the device's index is complete and quiet")
    func announcing() throws {
        var folder = BridgedFolder(device: 1, FolderMemory(own: HouseholdIndex(id: 1)))
        let tree = ["a": Self.file("a", content: 1)]
        #expect(folder.household(is: Self.version, tree, includesStored: false, at: 100).isEmpty)
        #expect(folder.own.changes(after: 0).isEmpty)
        #expect(folder.connect(index: 5, upTo: 1) == [.awaitQuiet])
        #expect(folder.quiet().isEmpty)
        #expect(try folder.take(Self.index([Self.file("a", content: 1)])) == [.awaitQuiet])
        #expect(folder.quiet() == [.announce])
        #expect(folder.phase == .still)
        #expect(folder.agreed == Self.version)
        // Equal contents with different versions are no conflict.
        #expect(folder.own.changes(after: 0).map(\.version) == [DeviceVector(counting: [1: 100, 2: 1])])
    }

    @Test("Changes of both sides are a conflict: the device's version has the last common one as its base")
    func conflict() throws {
        var folder = BridgedFolder(device: 1, FolderMemory(own: HouseholdIndex(id: 1)))
        _ = folder.household(is: Self.version, ["a": Self.file("a", content: 1)], includesStored: false, at: 100)
        _ = folder.connect(index: 5, upTo: 0)
        #expect(folder.quiet() == [.announce])
        let announced = try #require(folder.own.entries["a"])
        _ = try folder.take(Self.index([announced]))
        _ = folder.quiet()
        #expect(folder.agreed == Self.version)
        // Now both change something, in different files.
        _ = folder.set(.playing, true)
        let second = SHA256Digest(words: (2, 0, 0, 0))
        _ = folder.household(is: second, ["a": Self.file("a", content: 2)], includesStored: false, at: 200)
        _ = try folder.take(Self.index([Self.file("b", content: 3, at: 9)]))
        #expect(folder.quiet().isEmpty)
        #expect(folder.set(.playing, false) == [.fetch])
        guard case .fetching(let incoming) = folder.phase else { return #expect(Bool(false), "\(folder.phase)") }
        #expect(incoming.base == Self.version)
        #expect(
            incoming.entries.mapValues(\.blocks) == ["a": announced.blocks, "b": Self.file("b", content: 3).blocks]
        )
        // Nothing is announced until a version includes both. It is newer than both, so Syncthing makes no copy.
        #expect(folder.fetched() == [.store])
        let third = SHA256Digest(words: (3, 0, 0, 0))
        #expect(folder.stored(as: third) == [])
        #expect(folder.set(.conflict, true) == [])
        #expect(folder.own.changes(after: 1).isEmpty)
        let fourth = SHA256Digest(words: (4, 0, 0, 0))
        let both = ["a": Self.file("a", content: 2), "b": Self.file("b", content: 4)]
        #expect(folder.household(is: fourth, both, includesStored: true, at: 300) == [.announce])
        let changes = folder.own.changes(after: 1)
        #expect(Set(changes.map(\.name)) == ["a", "b"])
        for change in changes {
            let theirs = try #require(folder.theirs.entries[change.name])
            #expect(change.version.order(to: theirs.version) == .newer)
        }
    }

    @Test("Nothing is announced or taken while the game is played")
    func playing() throws {
        var folder = BridgedFolder(device: 1, FolderMemory(own: HouseholdIndex(id: 1)))
        _ = folder.connect(index: 5, upTo: 0)
        _ = folder.quiet()
        _ = folder.set(.playing, true)
        #expect(
            folder.household(is: Self.version, ["a": Self.file("a", content: 1)], includesStored: false, at: 1) == []
        )
        #expect(try folder.take(Self.index([Self.file("b", content: 2)])) == [.awaitQuiet])
        #expect(folder.quiet() == [])
        #expect(folder.phase == .waiting)
        #expect(folder.own.changes(after: 0).isEmpty)
        #expect(folder.set(.playing, false) == [.fetch])
    }

    @Test("A device that lost all its files is held until the user confirms it")
    func emptied() throws {
        var folder = BridgedFolder(device: 1, FolderMemory(own: HouseholdIndex(id: 1)))
        _ = folder.household(is: Self.version, ["a": Self.file("a", content: 1)], includesStored: false, at: 1)
        _ = folder.connect(index: 5, upTo: 0)
        _ = folder.quiet()
        var gone = FileEntry(name: "a")
        gone.standing = .deleted
        gone.version = DeviceVector(counting: [1: 5, 2: 5])
        _ = try folder.take(Self.index([gone]))
        #expect(folder.quiet() == [.tellEmptied])
        #expect(folder.phase == .held(.device))
        #expect(folder.confirmEmptied() == [.fetch])
    }

    @Test("A household's version without files is held until the user confirms it")
    func emptiedHere() {
        var folder = BridgedFolder(device: 1, FolderMemory(own: HouseholdIndex(id: 1)))
        _ = folder.household(is: Self.version, ["a": Self.file("a", content: 1)], includesStored: false, at: 1)
        _ = folder.connect(index: 5, upTo: 0)
        _ = folder.quiet()
        let second = SHA256Digest(words: (2, 0, 0, 0))
        #expect(folder.household(is: second, [:], includesStored: false, at: 2) == [.tellEmptied])
        #expect(folder.own.changes(after: 0).map(\.standing) == [.present])
        #expect(folder.confirmEmptied(second, includesStored: false, at: 3) == [.announce])
        #expect(folder.own.changes(after: 0).map(\.standing) == [.deleted])
    }

    @Test("A device's index beyond the limit is refused, and nothing of it is kept")
    func limit() throws {
        var index = DeviceIndex(id: 1)
        let entries = (0..<DeviceIndex.limit + 1).map { Self.deleted("\($0)") }
        #expect(throws: ProtocolViolation.self) { try index.take(Self.index(entries)) }
        #expect(index.entries.isEmpty)
        try index.take(Self.index([Self.deleted("a")]))
        #expect(index.entries.count == 1)
    }

    private static func deleted(_ name: String) -> FileEntry {
        var entry = FileEntry(name: name)
        entry.standing = .deleted
        return entry
    }
}
