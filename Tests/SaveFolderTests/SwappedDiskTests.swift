import CLinux
import Glibc
import LinuxPlatform
import SaveFolder
import SaveRules
import Synchronization
import Testing
import TestSupport
import Vocabulary

/// Two disks that were formatted alike give their folders the same inode number.
@Suite("Swapped disks", .timeLimit(.minutes(5)))
struct SwappedDiskTests {
    /// Mounts another disk whose folder is not the set's, but has the same inode number.
    private static func swap(_ machine: SetFixture) throws {
        let number = try FileFacts(at: machine.root).inode
        try mountHome(of: machine)
        try #require(try FileFacts(at: machine.root).inode == number)
    }

    private static func swapBack(_ machine: SetFixture) { umount2(machine.home, CInt(MNT_DETACH)) }

    @Test(
        "A swapped disk does not count as the set's, empty or with other files, also after a restart",
        .enabled("needs the right to mount") { await canMount() },
        arguments: [true, false]
    )
    func another(isWatched: Bool) async throws {
        try await withSmallHome { machine in
            try machine.put("chapter 7", at: "slot")
            let before = try machine.folder()
            let saved = try machine.capture(before).manifest
            try before.saveCache()
            try Self.swap(machine)
            let folder = isWatched ? before : try machine.folder()
            #expect(refusal("save-folder.empty-place") { try machine.capture(folder) })
            try machine.put("another's", at: "slot")
            #expect(refusal("save-folder.other-place") { try machine.capture(folder) })
            Self.swapBack(machine)
            #expect(try machine.capture(folder).manifest == saved)
        }
    }

    /// Leaves an interrupted change of every file. Returns the previous files.
    private static func interrupt(_ machine: SetFixture, _ extent: SetPlace.Extent) throws -> Manifest {
        func put(_ text: String) throws { for name in ["a", "b"] { try machine.put(text, at: name) } }
        let folder = try machine.folder(extent)
        try put("later")
        let goal = try machine.capture(folder).manifest
        try put("former")
        let base = try machine.capture(folder).manifest
        let hasFailed = Mutex(false)
        let failing = try machine.folder(
            extent,
            failing: { point in
                hasFailed.withLock { hasFailed in
                    hasFailed = hasFailed || point == .committed
                    return hasFailed ? SystemError("fsync", EIO) : nil
                }
            }
        )
        #expect(refusal("save-folder.disk") { try failing.apply(goal, over: base, from: machine.history) })
        return base
    }

    private static func chosen() throws -> SetPlace.Extent { .chosen([try FileName("a"), try FileName("b")]) }

    @Test(
        "An interrupted change does not end on a swapped disk",
        .enabled("needs the right to mount") { await canMount() }
    )
    func interrupted() async throws {
        try await withSmallHome { machine in
            let extent = try Self.chosen()
            let base = try Self.interrupt(machine, extent)
            try Self.swap(machine)
            try machine.put("another's", at: "a")
            let later = try machine.folder(extent)
            #expect(refusal("save-folder.not-the-folder") { try later.recover() })
            #expect(machine.text(at: "a") == "another's")
            Self.swapBack(machine)
            #expect(try later.recover() == .undone)
            #expect(try machine.capture(later).manifest == base)
        }
    }
    @Test(
        "A swapped disk that the user confirms ends the interrupted change, and keeps its files",
        .enabled("needs the right to mount") { await canMount() }
    )
    func meant() async throws {
        try await withSmallHome { machine in
            let extent = try Self.chosen()
            _ = try Self.interrupt(machine, extent)
            try Self.swap(machine)
            try machine.put("another's", at: "a")
            let folder = try machine.folder(extent)
            #expect(refusal("save-folder.not-the-folder") { try folder.recover() })
            try folder.startFresh()
            #expect(try folder.recover() == .undone)
            #expect(try machine.capture(folder).manifest.shown == ["a"])
            #expect(machine.text(at: "a") == "another's")
            Self.swapBack(machine)
        }
    }
}
