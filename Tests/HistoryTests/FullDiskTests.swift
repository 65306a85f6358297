import CLinux
import Digests
import Glibc
import History
import LinuxPlatform
import SaveRules
import Testing
import TestSupport
import Vocabulary

/// A disk of 2 MiB, mounted where only one thread sees it.
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

private func canMount() async -> Bool { (try? await withSmallDisk { _ in true }) ?? false }

@Suite("A history on a disk that is full or read-only", .timeLimit(.minutes(10)))
struct FullDiskTests {
    @Test(
        "Content that does not fit is refused with the reason, and fits once there is space",
        .enabled("needs the right to mount") { await canMount() }
    )
    func full() async throws {
        try await withSmallDisk { disk in
            let history = try History.open(at: "\(disk)/history")
            let small = ["a": randomBytes(300_000, seed: 1)]
            let first = try history.capture(small)
            let large = ["b": randomBytes(1_900_000, seed: 2)]
            for _ in 0..<3 {
                #expect(refusal("history.no-space") { try history.capture(large, counter: 2) })
                #expect(try history.contents(of: first.id) == small)
            }
            let medium = ["c": randomBytes(1_000_000, seed: 3)]
            let second = try history.capture(medium, counter: 3)
            #expect(try history.contents(of: second.id) == medium)
            try history.drop([second.id])
            try history.collectGarbage()
            let third = try history.capture(["d": randomBytes(1_000_000, seed: 4)], counter: 4)
            #expect(try history.contents(of: third.id)?.count == 1)
            #expect(try history.check().isSound)
        }
    }

    @Test(
        "A history on a full disk can be checked",
        .enabled("needs the right to mount") { await canMount() }
    )
    func checked() async throws {
        try await withSmallDisk { disk in
            let history = try History.open(at: "\(disk)/history")
            try history.capture(["a": randomBytes(300_000, seed: 1)])
            let rest = open("\(disk)/rest", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
            defer { close(rest) }
            let bytes = [UInt8](repeating: 7, count: 4_096)
            while write(rest, bytes, bytes.count) > 0 {}
            let check = try history.check()
            #expect(check.isSound && check.snapshots == 1)
        }
    }

    @Test("A batch does not report pieces as safe that another batch's failure took back")
    func takenBackByOthers() throws {
        let (disk, folder) = (RecordedDisk(), TemporaryFolder())
        let history = try History.open(at: folder.path(of: "history"), by: disk.calls)
        try history.capture(["a": [1]])
        let (piece, other) = (randomBytes(50, seed: 1), randomBytes(50, seed: 2))
        let id = PieceID(of: piece, hashedBy: Digest.sha256)
        let batch = try history.beginBatch()
        try batch.put(piece, expecting: id)
        disk.refuse(disk.attempts + 1, with: ENOSPC)
        #expect(refusal("history.no-space") { try history.capture(["other": other], counter: 2) })
        #expect(try !history.has(id))
        for _ in 1...2 { #expect(refusal("history.no-space") { try batch.commit() }) }
        let again = try history.beginBatch()
        try again.put(piece, expecting: id)
        try again.commit()
        #expect(try history.read(id) == piece)
    }

    @Test("Too many open files are reported as such, and the next attempt works", arguments: [EMFILE, ENFILE])
    func tooManyOpen(error: CInt) throws {
        let (disk, folder) = (RecordedDisk(), TemporaryFolder())
        let history = try History.open(at: folder.path(of: "history"), by: disk.calls)
        disk.refuse(disk.attempts + 1, with: error)
        #expect(refusal("history.too-many-open") { try history.capture(["a": [1]]) })
        let snapshot = try history.capture(["a": [1]])
        #expect(try history.contents(of: snapshot.id) == ["a": [1]])
    }

    @Test(
        "A read-only history can be read, and a write says that it is read-only",
        .enabled("needs the right to mount") { await canMount() }
    )
    func readOnly() async throws {
        try await withSmallDisk { disk in
            let files = ["a": randomBytes(300_000, seed: 1)]
            let snapshot = try History.open(at: "\(disk)/history").capture(files)
            // A program that another test starts just now holds all open files until its exec.
            while mount("none", disk, nil, UInt(MS_REMOUNT | MS_RDONLY), nil) != 0 {
                guard errno == EBUSY else { throw SystemError("mount", on: disk) }
                sched_yield()
            }
            #expect(refusal("history.read-only") { try History.open(at: "\(disk)/history") })
            let history = try History.open(at: "\(disk)/history", for: .reading)
            #expect(try history.contents(of: snapshot.id) == files)
            #expect(try history.check().isSound)
        }
    }
}
