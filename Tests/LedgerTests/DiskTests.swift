import CLinux
import Database
import Glibc
@testable import Ledger
import LinuxPlatform
import Testing
import TestSupport
import Vocabulary

/// A disk of 1 MiB that is mounted for one thread alone, and can be made read-only.
private func withSmallDisk<Value: Sendable>(
    _ body: @escaping @Sendable (_ path: String, _ makeReadOnly: () throws -> Void) throws -> Value
) async throws -> Value {
    try await runBlocking("small disk") {
        let temporary = TemporaryFolder()
        try retrying("unshare") { huddle_leave_shared_mounts() }
        try retrying("mount") { mount("none", "/", nil, UInt(MS_REC | MS_PRIVATE), nil) }
        try retrying("mount") { mount("tmpfs", temporary.path, "tmpfs", 0, "size=1m,mode=0700") }
        defer { umount2(temporary.path, CInt(MNT_DETACH)) }
        return try body(temporary.path) {
            try retrying("mount") { mount("tmpfs", temporary.path, "tmpfs", UInt(MS_REMOUNT | MS_RDONLY), nil) }
        }
    }
}

/// The test uses the layer below the actor, since the ledger's own thread would not see the disk.
private func opened(_ path: String) throws -> (LedgerDatabase, Ledger.Opening) {
    let folder = try LedgerFolder(at: path)
    return try LedgerOpening(folder: folder, bell: FileLock(folder.openCompanion(LedgerFolder.bellName))).open()
}

private func code(of work: () throws -> Void) -> ErrorCode? {
    do {
        try work()
        return nil
    } catch {
        return (error as? LedgerError)?.code ?? "test.unexplained"
    }
}

@Suite("Full and read-only disks of a ledger", .timeLimit(.minutes(5)))
struct DiskTests {
    static let mayMount: @Sendable () async -> Bool = { (try? await withSmallDisk { _, _ in true }) ?? false }

    @Test(
        "On a full disk a write fails as a whole, and the ledger continues once there is space",
        .enabled("needs the right to mount", Self.mayMount)
    )
    func fullDisk() async throws {
        try await withSmallDisk { path, _ in
            let (database, opening) = try opened(path)
            #expect(opening == .fresh)
            var count: Int64 = 0
            func add() throws {
                try database.transaction(.promised) { () throws(LedgerError) in
                    try database.run(
                        "INSERT INTO counters (scope, count) VALUES (?, 1)",
                        .text("\(count)" + String(repeating: "x", count: 9000))
                    )
                }
                count += 1
            }
            var failure: ErrorCode?
            while failure == nil { failure = code { try add() } }
            #expect(failure == LedgerError.diskFullCode)
            #expect(count > 10)
            #expect(try rowCount(of: database) == count)
            #expect(code { try add() } == LedgerError.diskFullCode)
            try database.transaction(.promised) { () throws(LedgerError) in }
            // Another program frees space.
            try retrying("mount") { mount("tmpfs", path, "tmpfs", UInt(MS_REMOUNT), "size=8m") }
            try add()
            #expect(try rowCount(of: database) == count)
        }
    }

    @Test(
        "If no ledger fits on the disk, opening reports that it is full",
        .enabled("needs the right to mount", Self.mayMount)
    )
    func noRoomToOpen() async throws {
        try await withSmallDisk { path, _ in
            let file = try Folder(at: path).create(FileName("ballast"))
            let bytes = [UInt8](repeating: 1, count: 4096)
            while write(file.number, bytes, bytes.count) > 0 {}
            #expect(code { _ = try opened(path) } == LedgerError.diskFullCode)
            try Folder(at: path).remove(FileName("ballast"))
            _ = try file.close()
            // A child that another test is just starting has a copy of the removed file's descriptor. It holds the
            // space until it begins its program.
            let deadline = ContinuousClock.now + .seconds(10)
            while code(of: { _ = try opened(path) }) != nil {
                try #require(ContinuousClock.now < deadline, "the space of the removed file never came back")
            }
        }
    }

    @Test("A read-only disk is reported, and no file is set aside", .enabled("needs the right to mount", Self.mayMount))
    func readOnlyDisk() async throws {
        try await withSmallDisk { path, makeReadOnly in
            do { _ = try opened(path) }
            try makeReadOnly()
            #expect(code { _ = try opened(path) } == LedgerError.readOnlyCode)
            #expect(code { _ = try opened(path + "/further") } == LedgerError.readOnlyCode)
        }
    }

    @Test(
        "A file without the right to write is refused and not set aside",
        .enabled("root may do all") { geteuid() != 0 }
    )
    func readOnlyFile() async throws {
        let kit = LedgerKit()
        try await kit.fill()
        chmod(kit.path, 0o500)
        defer { chmod(kit.path, 0o700) }
        #expect(await code { _ = try await kit.open() } == LedgerError.readOnlyCode)
    }

    private func rowCount(of database: LedgerDatabase) throws -> Int64? {
        try database.row("SELECT count(*) AS count FROM counters") { row throws(UnreadableValue) in
            try row.integer("count")
        }
    }
}
