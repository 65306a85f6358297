import Glibc
import LinuxPlatform
import TestSupport

/// The idle costs of a candidate: ten connections in a process of their own.
enum Idling {
    private enum Kind: String, CaseIterable {
        case blockingThreads = "blocking threads"
        case eventLoop = "event loop, one for all"
        case eventLoopAndPool = "the same, and one task on Swift's own threads"
        case dispatch = "Dispatch, a queue for each"
    }

    private static let connections = 10

    /// Runs this program once for each kind.
    static func run(seconds: Int) throws {
        print("\n\(connections) idle connections for \(seconds) s, in a process of their own")
        print("  (two threads of each are the measurement's: the main thread and the shared loop)")
        for number in Kind.allCases.indices { try spawn(["--idle", "\(number)", "\(seconds)"]) }
    }

    /// Measures one kind, in a program of its own. It must not be called from a task: once Swift's own threads were
    /// used, they wake up regularly.
    static func measure(kind number: Int, seconds: Int) throws {
        let kind = Kind.allCases[number]
        let settled = BlockingGate()
        let loop = EventLoop.shared
        Task(executorPreference: loop.taskExecutor) {
            if kind == .eventLoopAndPool { await Task.detached {}.value }
            for _ in 0..<connections {
                let near = try await connection(kind)
                Task(executorPreference: loop.taskExecutor) { try await near.echo() }
            }
            settled.open()
        }
        settled.pass()
        // The last threads of the start end meanwhile.
        sleep(1)
        let before = switches()
        sleep(CUnsignedInt(seconds))
        let after = switches()
        let name = kind.rawValue + String(repeating: " ", count: 46 - kind.rawValue.count)
        print(
            "  \(name) \(after.count + 1) threads, \(OwnProcess.residentKiB()) KiB, \(wakeUps(before, after)) wake-ups"
        )
    }

    /// A connection that was used once.
    private static func connection(_ kind: Kind) async throws -> any Party {
        let (listener, port) = try BlockingSocket.boundToLoopback(backlog: 8)
        let near = try BlockingSocket.connected(toLoopbackPort: port)
        let far = BlockingParty(try listener.accept())
        let party: any Party =
            switch kind {
            case .blockingThreads: BlockingParty(near)
            case .eventLoop, .eventLoopAndPool: try LoopParty(near, on: .shared)
            case .dispatch: try DispatchParty(near)
            }
        // The far end exists as long as the process.
        _ = Unmanaged.passRetained(far)
        async let echo: Void = far.echo(times: 1)
        _ = try await party.pingPong(rounds: 1)
        try await echo
        return party
    }

    /// The figures of all threads except the measuring one.
    private static func switches() -> [Int: Int] {
        let threads = OwnProcess.threads().filter { $0.id != OwnProcess.currentThread }
        return Dictionary(uniqueKeysWithValues: threads.map { ($0.id, $0.voluntarySwitches) })
    }

    private static func wakeUps(_ before: [Int: Int], _ after: [Int: Int]) -> Int {
        after.reduce(0) { $0 + $1.value - (before[$1.key] ?? 0) }
    }

    private static func spawn(_ arguments: [String]) throws {
        fflush(nil)
        var words: [UnsafeMutablePointer<CChar>?] = (["loop-benchmark"] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var process: pid_t = 0
        let failure = posix_spawn(&process, "/proc/self/exe", nil, nil, &words, environ)
        guard failure == 0 else { throw SystemError("posix_spawn", failure) }
        var status: CInt = 0
        try retrying("waitpid") { waitpid(process, &status, 0) }
    }
}
