import CLinux
import Glibc
import LinuxPlatform
import Testing
import TestSupport
import Vocabulary

@testable import Resources

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

/// Waits for free space. A program that another test starts holds copies of this process's descriptors until it
/// executes, and with them the space of removed files.
private func waitForRoom(of bytes: UInt64, in disk: String) throws {
    while try FileSystem(of: Folder(at: disk)).free.bytes < bytes { sched_yield() }
}

private func canMount() async -> Bool { (try? await withSmallDisk { _ in true }) ?? false }

@Suite("Disk errors", .timeLimit(.minutes(10)))
struct DiskTroubleTests {
    @Test(
        "A resource that does not fit is refused before a byte is written",
        .enabled("needs the right to mount") { await canMount() },
        arguments: [false, true]
    )
    func fullBefore(isFolder: Bool) async throws {
        try await withSmallDisk { disk in
            let from = TemporaryFolder()
            mkdir(from.path(of: "saves"), 0o755)
            try put(patterned(3 << 20), at: from.path(of: "saves/a"))
            let source = try ResourceSource(at: from.path(of: isFolder ? "saves" : "saves/a"))
            let sink = try ResourceSink(for: source.offer, from: Transfer.sender, into: disk)
            _ = try sink.held()
            #expect(refusal("resource.no-space") { try sink.start(at: 0) })
            try sink.abandon(keepingPartial: false)
            #expect(try Folder(at: disk).entries(limit: 10).isEmpty)
        }
    }

    @Test(
        "Part of the disk stays free, and the sender learns no figure",
        .enabled("needs the right to mount") { await canMount() }
    )
    func reserve() async throws {
        try await withSmallDisk { disk in
            let from = TemporaryFolder()
            let free = try FileSystem(of: Folder(at: disk)).free
            #expect(free.reserve > 0 && free.reserve < free.bytes)
            try put(patterned(Int(free.bytes - free.reserve / 2)), at: from.path(of: "save"))
            let source = try ResourceSource(at: from.path(of: "save"))
            let sink = try ResourceSink(for: source.offer, from: Transfer.sender, into: disk)
            _ = try sink.held()
            let error = #expect(throws: ResourceError.self) { try sink.start(at: 0) }
            #expect(error?.code == "resource.no-space")
            #expect(error?.message.contains { $0.isNumber } == true)
            #expect(error?.remark?.contains { $0.isNumber } == false)
        }
    }

    @Test(
        "A disk that fills up during the transfer leaves no file, or a resumable one",
        .enabled("needs the right to mount") { await canMount() },
        arguments: [false, true]
    )
    func fullMeanwhile(isFolder: Bool) async throws {
        try await withSmallDisk { disk in
            let from = TemporaryFolder()
            mkdir(from.path(of: "saves"), 0o755)
            for number in 0..<15 { try put(patterned(100_000), at: from.path(of: "saves/\(number)")) }
            try put(patterned(1_500_000), at: from.path(of: "save"))
            let source = try ResourceSource(at: from.path(of: isFolder ? "saves" : "save"))
            for keeping in [false, true] {
                try waitForRoom(of: 1_800_000, in: disk)
                let reader = source.reader()
                let sink = try ResourceSink(for: source.offer, from: Transfer.sender, into: disk)
                try sink.start(at: reader.begin(after: sink.held()))
                try put(patterned(1_200_000), at: "\(disk)/other")
                #expect(refusal("resource.no-space") { try Transfer.pump(reader, into: sink, step: 50_000) })
                unlink("\(disk)/other")
                try sink.abandon(keepingPartial: keeping)
                #expect(try Folder(at: disk).entries(limit: 10).count == (keeping ? 1 : 0))
            }
            try waitForRoom(of: 1_100_000, in: disk)
            #expect(try Transfer.whole(source, into: disk).start > 400_000)
        }
    }

    @Test("A read-only folder is reported as such", .enabled("needs the right to mount") { await canMount() })
    func readOnly() async throws {
        try await withSmallDisk { disk in
            let from = TemporaryFolder()
            try put([1], at: from.path(of: "a"))
            let source = try ResourceSource(at: from.path(of: "a"))
            try retrying("mount") { mount("none", disk, nil, UInt(MS_REMOUNT | MS_RDONLY), nil) }
            #expect(
                refusal("resource.read-only") {
                    _ = try ResourceSink(for: source.offer, from: Transfer.sender, into: disk)
                }
            )
        }
    }

    @Test("A file beyond the process's limit is refused with an explanation")
    func fileSizeLimit() async throws {
        await #expect(processExitsWith: .success) {
            let (from, into) = (TemporaryFolder(), TemporaryFolder())
            try put(patterned(300_000), at: from.path(of: "a"))
            let source = try ResourceSource(at: from.path(of: "a"))
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit(rlim_cur: 100_000, rlim_max: 100_000)
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            guard refusal("resource.file-too-large", { try Transfer.whole(source, into: into.path) }) else { exit(3) }
        }
    }

    @Test(
        "An ordinary user resumes in read-only folders and files",
        .enabled("needs root") { geteuid() == 0 }
    )
    func ordinaryUser() async throws {
        await #expect(processExitsWith: .success) {
            let (from, into) = (TemporaryFolder(), TemporaryFolder())
            for folder in [from, into] { chown(folder.path, 65_534, 65_534) }
            seteuid(65_534)
            let path = from.path(of: "saves")
            for folder in ["", "/b"] { mkdir(path + folder, 0o755) }
            for name in ["a", "b/x", "b/y", "c"] {
                try put(patterned(5_000), at: "\(path)/\(name)")
                chmod("\(path)/\(name)", 0o400)
            }
            chmod("\(path)/b", 0o500)
            chmod(path, 0o500)
            let source = try ResourceSource(at: path)
            let total = Int(source.totalBytes)
            for cut in stride(from: 0, through: total, by: 1_000) + [5_000 + 22 + 26, total] {
                try Transfer.cut(source, into: into.path, after: cut, step: 500)
                let (name, start) = try Transfer.whole(source, into: into.path, step: 500)
                guard Int(start) <= cut, TreeListing.of(path) == TreeListing.of(into.path(of: name)) else { exit(3) }
            }
            let file = try ResourceSource(at: "\(path)/a")
            try Transfer.cut(file, into: into.path, after: 5_000)
            for name in into.names() where PartialName.matches(name) { chmod(into.path(of: name), 0o400) }
            let later = FileTime(seconds: 4_000_000_000, nanoseconds: 0)
            let stale = try StalePartial.list(in: into.path, before: later)
            guard stale.count == 1, try stale[0].remove(in: into.path) else { exit(5) }
            chmod(into.path, 0o500)
            for source in [source, file] {
                guard refusal("resource.no-permission", { try Transfer.whole(source, into: into.path) }) else {
                    exit(4)
                }
            }
            seteuid(0)
            exit(0)
        }
    }
}
