import CLinux
import Glibc
import LinuxPlatform
import Testing
import TestSupport
import Vocabulary

@Suite("FileLease and FileWriter", .timeLimit(.minutes(5)))
struct FileLeaseTests {
    enum Outcome { case held, inUse, unavailable }

    let temporary = TemporaryFolder()
    let name: FileName

    init() throws {
        name = try FileName("save")
        try temporary.put("old", at: "save")
    }

    private func outcome(
        _ keeping: FileLease.Keeping,
        _ access: Folder.Access = .reading
    ) throws -> Outcome {
        switch FileLease.take(keeping, on: try temporary.opened().open(name, for: access)) {
        case .held: .held
        case .inUse: .inUse
        case .unavailable: .unavailable
        }
    }

    @Test("nobody has it open: held; somebody reads: only writers are away; somebody writes: neither")
    func answers() throws {
        #expect(try outcome(.writersAway) == .held)
        #expect(try outcome(.everybodyAway, .readingAndWriting) == .held)
        let reading = try temporary.opened().open(name)
        #expect(try outcome(.writersAway) == .held)
        #expect(try outcome(.everybodyAway, .readingAndWriting) == .inUse)
        try reading.close()
        let writing = try temporary.opened().open(name, for: .writing)
        #expect(try outcome(.writersAway) == .inUse)
        #expect(try outcome(.everybodyAway, .readingAndWriting) == .inUse)
        #expect(try FileWriter.all(of: [writing.facts().identity]).map(\.process) == [getpid()])
        try writing.close()
        #expect(try outcome(.writersAway) == .held)
    }

    @Test("a file that is closed and still mapped for writing is in use, and /proc names the program")
    func mapped() throws {
        let file = try temporary.opened().open(name, for: .readingAndWriting)
        let identity = try file.facts().identity
        let memory = mmap(nil, 3, PROT_READ | PROT_WRITE, MAP_SHARED, file.number, 0)
        try file.close()
        #expect(try outcome(.writersAway) == .inUse)
        let writers = FileWriter.all(of: [identity])
        #expect(writers.map(\.process) == [getpid()])
        #expect(writers.first?.program.isEmpty == false)
        munmap(memory, 3)
        #expect(try outcome(.writersAway) == .held)
        #expect(FileWriter.all(of: [identity]).isEmpty)
    }

    @Test("whoever wants to write waits for the lease, the holder is told and lives, and reading goes on")
    func heldUp() async throws {
        let isOpen = Probe(false)
        let path = temporary.path(of: "save")
        guard case .held(let lease) = FileLease.take(.writersAway, on: try temporary.opened().open(name)) else {
            Issue.record("no lease")
            return
        }
        let isWantedAtOnce = lease.isWanted
        #expect(!isWantedAtOnce)
        async let writer: Void = runBlocking("writer") {
            let file = try retrying("open") { open(path, O_WRONLY | O_CLOEXEC) }
            isOpen.open()
            close(file)
        }
        // The kernel says so once the writer waits.
        while !lease.isWanted { sched_yield() }
        #expect(temporary.text(at: "save") == "old")
        #expect(!isOpen.value)
        letGo(lease)
        try await isOpen.pass()
        try await writer
    }

    private func letGo(_ lease: consuming FileLease) {}

    @Test("a reader of a file, and one who writes to another, are no writers of it")
    func others() throws {
        try temporary.put("x", at: "other")
        let reading = try temporary.opened().open(name)
        let other = try temporary.opened().open(FileName("other"), for: .writing)
        #expect(try FileWriter.all(of: [reading.facts().identity]).isEmpty)
        #expect(try FileWriter.all(of: [reading.facts().identity, other.facts().identity]).count == 1)
    }
}
