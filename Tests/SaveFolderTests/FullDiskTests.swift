import CLinux
import Glibc
import History
import LinuxPlatform
import SaveFolder
import SaveRules
import Testing
import TestSupport
import Vocabulary

@Suite("Full disks, read-only disks and mount points", .timeLimit(.minutes(5)))
struct FullDiskTests {
    /// Two states of a set of two files: the folder holds the first; the second is larger than the disk.
    private static func states(_ machine: SetFixture, _ folder: SaveFolder) throws -> (base: Manifest, goal: Manifest) {
        let elsewhere = machine.base.path(of: "elsewhere")
        mkdir(elsewhere, 0o755)
        let large = try SaveFolder(
            SaveSetID(high: 5, low: 5),
            at: SetPlace(root: elsewhere),
            notes: machine.base.path(of: "elsewhere-notes")
        )
        try machine.base.put(String(repeating: "large ", count: 500_000), at: "elsewhere/a")
        try machine.base.put("new", at: "elsewhere/b")
        let goal = try machine.capture(large).manifest
        try machine.put("old", at: "a")
        try machine.put("old", at: "b")
        return (try machine.capture(folder).manifest, goal)
    }

    @Test(
        "A full disk is an error with its reason, the folder is unchanged, and no staging remains",
        .enabled("needs the right to mount") { await canMount() }
    )
    func full() async throws {
        try await withSmallHome { machine in
            for extent in [SetPlace.Extent.everything, .chosen([try FileName("a"), try FileName("b")])] {
                let folder = try machine.folder(extent)
                let (base, goal) = try Self.states(machine, folder)
                #expect(refusal("save-folder.no-space") { try folder.apply(goal, over: base, from: machine.history) })
                #expect(try machine.capture(folder, rereading: true).manifest == base)
                #expect(machine.debris == [])
                #expect(try FileSystem(of: Folder(at: machine.home)).free.bytes > 1 << 20)
            }
        }
    }

    @Test(
        "A read-only disk is an error, and the folder is unchanged",
        .enabled("needs the right to mount") { await canMount() }
    )
    func readOnly() async throws {
        try await withSmallHome { machine in
            let folder = try machine.folder()
            let (base, goal) = try Self.states(machine, folder)
            try retrying("mount") { mount("none", machine.home, nil, UInt(MS_REMOUNT | MS_RDONLY), nil) }
            #expect(refusal("save-folder.read-only") { try folder.apply(goal, over: base, from: machine.history) })
            #expect(try machine.capture(folder, rereading: true).manifest == base)
        }
    }

    @Test(
        "A root that is a mount point can be changed",
        .enabled("needs the right to mount") { await canMount() }
    )
    func mountPoint() async throws {
        try await withSmallHome { machine in
            let folder = try machine.folder(root: machine.home)
            for name in ["a", "b"] { try machine.base.put("old", at: "home/\(name)") }
            let base = try machine.capture(folder).manifest
            for name in ["a", "b"] { try machine.base.put("new", at: "home/\(name)") }
            let goal = try machine.capture(folder).manifest
            guard case .applied = try folder.apply(base, over: goal, from: machine.history) else {
                Issue.record("not applied")
                return
            }
            #expect(try machine.capture(folder, rereading: true).manifest == base)
            #expect(machine.namesIn(machine.home) == ["a", "b", "save"])
        }
    }
}
