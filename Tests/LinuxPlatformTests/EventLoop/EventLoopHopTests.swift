import Glibc
import LinuxPlatform
import Testing
import TestSupport

/// All operations of a daemon's actor, while all threads of Swift's own pool are blocked.
private actor Worker {
    private let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(on loop: EventLoop) {
        self.loop = loop
    }

    func whileOtherThreadsAreBlocked(_ body: @Sendable () async throws -> Void) async throws {
        let gate = BlockingGate()
        let held = Probe(0)
        for _ in 0..<64 {
            Task.detached {
                held.count()
                gate.pass()
            }
        }
        // There are as many as cores; the remaining tasks are queued behind them.
        while held.value < sysconf(CInt(_SC_NPROCESSORS_ONLN)) { sched_yield() }
        try await body()
        gate.open()
    }

    func exchange(over pair: LoopbackPair) async throws {
        try await pair.client.send([1, 2, 3])
        var bytes = try await pair.server.receive(upTo: 10)
        precondition(bytes == [1, 2, 3] && loop.isCurrent)
        // There are no bytes yet, so this one suspends.
        async let late: Void = sendLater(over: pair)
        bytes = try await pair.client.receive(upTo: 10)
        precondition(bytes == [4] && loop.isCurrent)
        try await late
    }

    func fill(_ pair: LoopbackPair) async throws {
        let bytes = [UInt8](repeating: 7, count: 32 << 20)
        async let drained: Void = drain(pair.server, bytes.count)
        try await pair.client.send(bytes)
        precondition(loop.isCurrent)
        try await drained
    }

    func accept(on listener: ListeningSocket) async throws {
        let port = listener.address.port
        async let accepted = listener.accept()
        let client = try await runBlocking("client") { try BlockingSocket.connected(toLoopbackPort: port) }
        _ = try await accepted
        withExtendedLifetime(client) {}
    }

    /// Operations of a task that prefers no executor and starts no other task.
    func waitAlone() async throws {
        let (near, far) = BlockingSocket.pair()
        loop.schedule(after: .milliseconds(1)) { try? far.send([1]) }
        try await loop.waitUntil(.readable, near.descriptor.number)
        precondition(loop.isCurrent)
        let socket = try StreamSocket(near.nonBlocking(), on: loop)
        var bytes = try await socket.receive(upTo: 10)
        precondition(bytes == [1] && loop.isCurrent)
        loop.schedule(after: .milliseconds(1)) { try? far.send([2]) }
        bytes = try await socket.receive(upTo: 10)
        precondition(bytes == [2] && loop.isCurrent)
        try await loop.sleep(for: .milliseconds(1))
        precondition(loop.isCurrent)
    }

    private func sendLater(over pair: LoopbackPair) async throws {
        try await loop.sleep(for: .milliseconds(1))
        precondition(loop.isCurrent)
        try await pair.server.send([4])
    }

    private func drain(_ socket: StreamSocket, _ count: Int) async throws {
        var rest = count
        while rest > 0 { rest -= try await socket.receive(upTo: 64 << 10).count }
    }
}

@Suite("Independence of Swift's own threads", .timeLimit(.minutes(5)))
struct EventLoopHopTests {
    // Swift's own threads             loop's thread
    // all held by the gate
    //                                 waits, receives, sleeps
    //                                 opens the gate
    @Test("An actor on a loop waits and continues without Swift's own threads")
    func waitsAlone() async {
        await #expect(processExitsWith: .success) {
            let worker = Worker(on: EventLoop(named: "self-reliant"))
            try await worker.whileOtherThreadsAreBlocked { try await worker.waitAlone() }
        }
    }

    @Test("Child tasks of a task that prefers the loop run without Swift's own threads")
    func preferringTask() async {
        await #expect(processExitsWith: .success) {
            let loop = EventLoop(named: "self-reliant")
            let pair = try await LoopbackPair(on: loop)
            let listener = try ListeningSocket(on: anyLoopbackPort, loop: loop)
            let task = Task(executorPreference: loop.taskExecutor) {
                let worker = Worker(on: loop)
                try await worker.whileOtherThreadsAreBlocked {
                    try await worker.exchange(over: pair)
                    try await worker.fill(pair)
                    try await worker.accept(on: listener)
                }
            }
            try await task.value
        }
    }
}
