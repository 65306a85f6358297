import CLinux
import Glibc
import LinuxPlatform
import Testing
import TestSupport
import Vocabulary

/// A disk of 2 MiB, mounted for one thread only.
private func withSmallDisk<Value: Sendable>(_ body: @escaping @Sendable (String) throws -> Value) async throws -> Value
{
    try await runBlocking("small disk") {
        let temporary = TemporaryFolder()
        try retrying("unshare") { huddle_leave_shared_mounts() }
        try retrying("mount") { mount("none", "/", nil, UInt(MS_REC | MS_PRIVATE), nil) }
        try retrying("mount") { mount("tmpfs", temporary.path, "tmpfs", 0, "size=2m") }
        defer { umount2(temporary.path, CInt(MNT_DETACH)) }
        return try body(temporary.path)
    }
}

@Suite("Full disk", .timeLimit(.minutes(5)))
struct FullDiskTests {
    @Test(
        "A full disk keeps the old content and no leftover",
        .enabled("needs the right to mount") { (try? await withSmallDisk { _ in true }) ?? false }
    )
    func fullDisk() async throws {
        try await withSmallDisk { path in
            let folder = try Folder(at: path)
            let file = AtomicFile(try FileName("state"))
            let old = [UInt8](repeating: 1, count: 100_000)
            try file.write(old, in: folder, overwriting: .allowed)
            for count in [2_000_000, 8 << 20] {
                let new = [UInt8](repeating: 2, count: count)
                #expect(error(of: ENOSPC, in: "write") { try file.write(new, in: folder, overwriting: .allowed) })
                #expect(try file.read(in: folder, limit: 1 << 20) == old)
                #expect(try folder.entries(limit: 10).count == 1)
            }
            // A child that another test is starting holds a copy of the removed file's descriptor, and with it the
            // space, until it executes.
            let deadline = ContinuousClock.now + .seconds(10)
            while (try? file.write([3], in: folder, overwriting: .allowed)) == nil {
                try #require(ContinuousClock.now < deadline, "the space of the removed file never came back")
            }
            #expect(try file.read(in: folder, limit: 1 << 20) == [3])
        }
    }
}
