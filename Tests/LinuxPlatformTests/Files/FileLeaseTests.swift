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

    /// True if it is held, at the latest when no other test is starting a program: such a child has copies of all
    /// descriptors until it executes.
    private func isHeldAtLast(_ keeping: FileLease.Keeping, _ access: Folder.Access = .reading) throws -> Bool {
        while try outcome(keeping, access) != .held { sched_yield() }
        return true
    }

    @Test("A lease is held without users; with a reader only a read lease is held; with a writer none")
    func answers() throws {
        #expect(try isHeldAtLast(.writersAway))
        #expect(try isHeldAtLast(.everybodyAway, .readingAndWriting))
        let reading = try temporary.opened().open(name)
        #expect(try isHeldAtLast(.writersAway))
        #expect(try outcome(.everybodyAway, .readingAndWriting) == .inUse)
        try reading.close()
        let writing = try temporary.opened().open(name, for: .writing)
        #expect(try outcome(.writersAway) == .inUse)
        #expect(try outcome(.everybodyAway, .readingAndWriting) == .inUse)
        #expect(try FileWriter.all(of: [writing.facts().identity]).map(\.process).contains(getpid()))
        try writing.close()
        #expect(try isHeldAtLast(.writersAway))
    }

    @Test("A closed file that is still mapped for writing is in use, and /proc names the program")
    func mapped() throws {
        let file = try temporary.opened().open(name, for: .readingAndWriting)
        let identity = try file.facts().identity
        let memory = mmap(nil, 3, PROT_READ | PROT_WRITE, MAP_SHARED, file.number, 0)
        try file.close()
        #expect(try outcome(.writersAway) == .inUse)
        let writers = FileWriter.all(of: [identity])
        #expect(writers.map(\.process).contains(getpid()))
        #expect(writers.allSatisfy { !$0.program.isEmpty })
        munmap(memory, 3)
        #expect(try isHeldAtLast(.writersAway))
        while !FileWriter.all(of: [identity]).isEmpty { sched_yield() }
    }

    @Test("A writer waits for the lease, the holder gets a report and continues, and reads still work")
    func heldUp() async throws {
        let isOpen = Probe(false)
        let path = temporary.path(of: "save")
        #expect(try isHeldAtLast(.writersAway))
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
        // The kernel reports it once the writer waits.
        while !lease.isWanted { sched_yield() }
        #expect(temporary.text(at: "save") == "old")
        #expect(!isOpen.value)
        letGo(lease)
        try await isOpen.pass()
        try await writer
    }

    private func letGo(_ lease: consuming FileLease) {}

    @Test("Readers of a file, and writers of another one, are not its writers")
    func others() throws {
        try temporary.put("x", at: "other")
        let reading = try temporary.opened().open(name)
        let other = try temporary.opened().open(FileName("other"), for: .writing)
        #expect(try FileWriter.all(of: [reading.facts().identity]).isEmpty)
        let writers = FileWriter.all(of: [try reading.facts().identity, try other.facts().identity])
        #expect(writers.map(\.process).contains(getpid()))
    }
}
