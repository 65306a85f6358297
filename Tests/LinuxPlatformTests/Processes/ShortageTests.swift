import Glibc
import Synchronization
import Testing
import TestSupport

@testable import LinuxPlatform

/// Behaviour of a program without resources of the kernel. Each limit is set in a process of its own.
@Suite("Shortage of resources", .timeLimit(.minutes(5)))
struct ShortageTests {
    @Test("A shortage of memory for threads is an error of that work, and later work gets a thread again")
    func threads() async {
        await #expect(processExitsWith: .success) {
            _ = EventLoop.shared
            // Room for small allocations, not for a stack. Stacks of ended threads are reused first.
            let former = try limit(CInt(RLIMIT_AS.rawValue), to: rlim_t(try sizeInMemory() + (256 << 10)))
            let gate = BlockingGate()
            guard held(by: gate)?.number == EAGAIN else { exit(2) }
            guard await systemError({ try await runBlocking("without") {} })?.number == EAGAIN else { exit(3) }
            guard (try? EventLoop(ifPossible: "without")) == nil else { exit(4) }
            _ = try limit(CInt(RLIMIT_AS.rawValue), to: former)
            gate.open()
            try await runBlocking("after") {}
        }
    }

    @Test("A shortage of memory for threads delays a loop's disk calls, and drops none")
    func questions() async {
        await #expect(processExitsWith: .success) {
            let loop = EventLoop.shared
            let former = try limit(CInt(RLIMIT_AS.rawValue), to: rlim_t(try sizeInMemory() + (256 << 10)))
            let (gate, answers) = (BlockingGate(), Probe(0))
            guard held(by: gate)?.number == EAGAIN else { exit(2) }
            loop.ask("later") {
                loop.isCurrent
            } then: { wasOnLoop in
                guard !wasOnLoop, loop.isCurrent else { exit(3) }
                answers.count()
            }
            // By then it was tried.
            await loop.performing { @Sendable in }
            _ = try limit(CInt(RLIMIT_AS.rawValue), to: former)
            gate.open()
            try await answers.wait { $0 == 1 }
        }
    }

    @Test("A shortage of descriptors is an error of starting a loop")
    func descriptors() async {
        await #expect(processExitsWith: .success) {
            _ = EventLoop.shared
            let former = try limit(CInt(RLIMIT_NOFILE.rawValue), to: 0)
            do throws(SystemError) {
                _ = try EventLoop(ifPossible: "without")
                exit(2)
            } catch {
                guard error.number == EMFILE else { exit(3) }
            }
            _ = try limit(CInt(RLIMIT_NOFILE.rawValue), to: former)
            let loop = try EventLoop(ifPossible: "after")
            await loop.performing { @Sendable in }
        }
    }

    @Test("A failed watch is an error, and leaves nothing behind")
    func watches() throws {
        let folder = TemporaryFolder()
        try folder.put("", at: "file")
        let file = OwnedDescriptor(takingOwnershipOf: open(folder.path(of: "file"), O_RDONLY | O_CLOEXEC))
        let loop = EventLoop(named: "shortage")
        let error = #expect(throws: SystemError.self) {
            try loop.watch(file.number, for: .readable) { @Sendable _ in }
        }
        #expect(error?.number == EPERM)
        #expect(loop.state.withLock { $0.watches.isEmpty })
    }
}

/// Size of the process's used address space.
private func sizeInMemory() throws -> Int {
    let file = OwnedDescriptor(
        takingOwnershipOf: try retrying("open") { open("/proc/self/statm", O_RDONLY | O_CLOEXEC) }
    )
    var text = [UInt8](repeating: 0, count: 256)
    let count = try text.withUnsafeMutableBytes { try file.read(into: $0, at: 0) }
    let pages = String(decoding: text.prefix(count), as: UTF8.self).prefix { $0 != " " }
    return (Int(pages) ?? 0) * sysconf(CInt(_SC_PAGESIZE))
}

/// Starts threads that stay until the gate opens, until none can be started; returns the error.
private func held(by gate: BlockingGate) -> SystemError? {
    for _ in 0..<64 {
        do throws(SystemError) {
            try startThread(named: "held") { @Sendable in gate.pass() }
        } catch {
            return error
        }
    }
    return nil
}

private func systemError(_ work: () async throws -> Void) async -> SystemError? {
    do {
        try await work()
        return nil
    } catch {
        return error as? SystemError
    }
}

/// Sets a limit of the process, and returns the previous one.
private func limit(_ resource: CInt, to value: rlim_t) throws -> rlim_t {
    var limits = rlimit()
    try retrying("getrlimit") { getrlimit(resource, &limits) }
    var changed = limits
    changed.rlim_cur = value
    try retrying("setrlimit") { setrlimit(resource, &changed) }
    return limits.rlim_cur
}
