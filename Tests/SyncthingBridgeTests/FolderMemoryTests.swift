import Digests
import SyncthingBridge
import Testing

@Suite("The state of a shared folder after a restart", .timeLimit(.minutes(1)))
struct FolderMemoryTests {
    private typealias Tests = BridgedFolderTests

    private static let (version, later) = (Tests.version, SHA256Digest(words: (2, 0, 0, 0)))

    /// A folder of which both sides have one file.
    private static func equal() throws -> BridgedFolder {
        var folder = BridgedFolder(device: 1, FolderMemory(own: HouseholdIndex(id: 7)))
        _ = folder.household(is: version, ["a": Tests.file("a", content: 1)], includesStored: false, at: 100)
        _ = folder.connect(index: 5, upTo: 1)
        _ = try folder.take(Tests.index([Tests.file("a", content: 1)]))
        #expect(folder.quiet() == [.announce])
        #expect(folder.agreed == version)
        return folder
    }

    private static func restarted(_ folder: BridgedFolder) throws -> BridgedFolder {
        BridgedFolder(device: 1, try FolderMemory(decoding: folder.memory.encoded))
    }

    @Test("The state on the disk is the state that was stored")
    func coding() throws {
        var folder = try Self.equal()
        #expect(try FolderMemory(decoding: folder.memory.encoded) == folder.memory)
        _ = try folder.take(Tests.index([Tests.file("b", content: 2, at: 2)]))
        _ = folder.quiet()
        _ = folder.fetched()
        _ = folder.stored(as: Self.later)
        #expect(folder.memory.stored?.version == Self.later)
        #expect(try FolderMemory(decoding: folder.memory.encoded) == folder.memory)
    }

    @Test("A damaged file is refused at each byte, and at each length")
    func damaged() throws {
        let file = try Self.equal().memory.encoded
        for place in file.indices {
            var wrong = file
            wrong[place] ^= 1
            #expect(throws: ProtocolViolation.self) { try FolderMemory(decoding: wrong) }
            #expect(throws: ProtocolViolation.self) { try FolderMemory(decoding: Array(file.prefix(place))) }
        }
    }

    @Test("After a restart a change of the device follows the version that both sides had, and is no conflict")
    func base() throws {
        let before = try Self.equal()
        var folder = try Self.restarted(before)
        _ = folder.household(is: Self.version, ["a": Tests.file("a", content: 1)], includesStored: false, at: 200)
        _ = folder.connect(index: 6, upTo: 2)
        _ = try folder.take(Tests.index([Tests.file("a", content: 2, at: 2)]))
        #expect(folder.quiet() == [.fetch])
        guard case .fetching(let incoming) = folder.phase else {
            Issue.record("it fetches nothing")
            return
        }
        #expect(incoming.base == Self.version)
        #expect(folder.own == before.own, "nothing is announced twice")
    }

    @Test("After a restart a choice includes the device's version that was stored before, and beats it")
    func choice() throws {
        var folder = try Self.equal()
        let theirs = Tests.file("a", content: 2, at: 2)
        _ = try folder.take(Tests.index([theirs]))
        _ = folder.quiet()
        _ = folder.fetched()
        _ = folder.stored(as: Self.later)
        folder = try Self.restarted(folder)
        _ = folder.set(.conflict, true)
        let chosen = SHA256Digest(words: (3, 0, 0, 0))
        _ = folder.household(is: chosen, ["a": Tests.file("a", content: 1)], includesStored: true, at: 200)
        _ = folder.connect(index: 6, upTo: 2)
        _ = try folder.take(Tests.index([theirs]))
        #expect(folder.quiet() == [.announce])
        let announced = try #require(folder.own.entries["a"]?.version)
        #expect(announced.order(to: theirs.version) == .newer)
    }

    @Test("A device that has deleted everything gets all files again if the user wants it")
    func resend() throws {
        var folder = try Self.equal()
        var deleted = Tests.file("a", content: 1, at: 2)
        (deleted.standing, deleted.blocks, deleted.size) = (.deleted, [], 0)
        _ = try folder.take(Tests.index([deleted]))
        #expect(folder.quiet() == [.tellEmptied])
        #expect(folder.refuseEmptied(at: 300) == [.announce])
        let announced = try #require(folder.own.entries["a"])
        #expect(announced.standing == .present && announced.version.order(to: deleted.version) == .newer)
        #expect(folder.phase == .still)
        #expect(folder.refuseEmptied(at: 300) == [])
    }

    @Test("One of a device's files that differ in capital letters alone is synced, and the others are not deleted")
    func letters() throws {
        var index = DeviceIndex(id: 1)
        try index.take(Tests.index([Tests.file("Save/x", content: 1), Tests.file("save/x", content: 2)]))
        #expect(Set(index.synced.keys) == ["Save/x"])
        var folder = Tests.file("a:b", content: 1)
        (folder.kind, folder.size, folder.blocks) = (.folder, 0, [])
        try index.take(Tests.index([folder, Tests.file("a:b/c", content: 1)]))
        #expect(Set(index.synced.keys) == ["Save/x"])
    }
}
