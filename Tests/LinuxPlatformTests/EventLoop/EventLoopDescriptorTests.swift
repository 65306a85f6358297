import LinuxPlatform
import Testing
import TestSupport

@Suite("EventLoop descriptors", .timeLimit(.minutes(5)))
struct EventLoopDescriptorTests {
    let loop = EventLoop(named: "watch loop")

    @Test("A handler is called with “readable” while there are bytes")
    func handler() async throws {
        let (near, far) = BlockingSocket.pair()
        let seen = Probe<[Readiness]>([])
        let watch = Probe<DescriptorWatch?>(nil)
        let made = try loop.watch(near.descriptor.number, for: .readable) { readiness in
            seen.record(readiness)
            if seen.value.count == 3 { watch.value?.cancel() }
        }
        watch.update { $0 = made }
        // No task reads, so from now on it is called in each turn.
        try far.send([1])
        try await seen.wait { $0.count == 3 }
        try await passThrough(loop)
        #expect(seen.value.count == 3)
        #expect(seen.value.allSatisfy { $0.touches(.readable) && !$0.touches(.writable) })
        made.cancel()
    }

    @Test("The other side's end is reported as readable and ended")
    func hangUp() async throws {
        let (near, far) = BlockingSocket.pair()
        let seen = Probe<[Readiness]>([])
        let watch = try watchUntilCalled(near, on: loop) { seen.record($0) }
        far.end()
        let first = try await seen.wait { !$0.isEmpty }[0]
        watch.cancel()
        #expect(first.touches(.readable) && first.touches(.ended))
    }

    // loop's thread                        kernel
    // held by the gate                     both descriptors become readable
    // epoll_wait                           answers with both
    // first handler cancels the other      -
    // second is looked up and not found    -
    @Test("A handler can cancel the other watch of its batch")
    func cancelInBatch() async throws {
        let pairs = [BlockingSocket.pair(), BlockingSocket.pair()]
        let called = Probe<[Int]>([])
        let watches = Probe<[DescriptorWatch]>([])
        let gate = BlockingGate()
        loop.perform { gate.pass() }
        for (number, pair) in pairs.enumerated() {
            let watch = try loop.watch(pair.0.descriptor.number, for: .readable) { _ in
                called.record(number)
                for watch in watches.value { watch.cancel() }
            }
            watches.record(watch)
            try pair.1.send([1])
        }
        gate.open()
        try await called.wait { !$0.isEmpty }
        try await passThrough(loop)
        #expect(called.value.count == 1)
    }

    @Test("After a cancelled watch the descriptor can be watched again, closed and reused", arguments: 1...20)
    func watchedAgain(round: Int) async throws {
        let (near, far) = BlockingSocket.pair()
        let seen = Probe<[String]>([])
        try loop.watch(near.descriptor.number, for: .readable) { _ in seen.record("first") }.cancel()
        try far.send([1])
        let second = try watchUntilCalled(near, on: loop) { _ in seen.record("second") }
        try await seen.wait { !$0.isEmpty }
        second.cancel()
        #expect(!seen.value.contains("first"))
    }

    @Test("A wait ends when there are bytes to read, or room to write")
    func waits() async throws {
        let (near, far) = BlockingSocket.pair()
        try await loop.waitUntil(.writable, near.descriptor.number)
        async let readable: Void = loop.waitUntil(.readable, near.descriptor.number)
        try far.send([1])
        try await readable
    }

    @Test("A cancelled wait ends at once and leaves the descriptor free for the next")
    func cancelledWait() async throws {
        let (near, far) = BlockingSocket.pair()
        let loop = loop
        for _ in 0..<100 {
            let task = Task { try await loop.waitUntil(.readable, near.descriptor.number) }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
        try far.send([1])
        try await loop.waitUntil(.readable, near.descriptor.number)
    }

    @Test("Closing a descriptor that is still watched ends the program when the watch is cancelled")
    func closedWhileWatched() async {
        await #expect(processExitsWith: .failure) {
            let loop = EventLoop(named: "careless")
            var pair: (BlockingSocket, BlockingSocket)? = BlockingSocket.pair()
            guard let number = pair?.0.descriptor.number else { return }
            let watch = try loop.watch(number, for: .readable) { _ in }
            pair = nil
            watch.cancel()
        }
    }

    @Test("A thousand ready descriptors all get a turn")
    func many() async throws {
        let pairs = (0..<1_000).map { _ in BlockingSocket.pair() }
        let done = Probe<Set<Int>>([])
        let watches = try pairs.enumerated().map { number, pair in
            try watchUntilCalled(pair.0, on: loop) { _ in done.update { $0.insert(number) } }
        }
        for pair in pairs { try pair.1.send([1]) }
        try await done.wait { $0.count == 1_000 }
        for watch in watches { watch.cancel() }
    }
}

/// Returns after one more turn of the loop.
func passThrough(_ loop: EventLoop) async throws {
    let passed = Probe(false)
    loop.perform { loop.perform { passed.open() } }
    try await passed.pass()
}

/// A watch that ends when its handler is called: without a reader, it would be called all the time.
private func watchUntilCalled(
    _ socket: BlockingSocket,
    on loop: EventLoop,
    _ handler: @escaping @Sendable (Readiness) -> Void
) throws -> DescriptorWatch {
    let watch = Probe<DescriptorWatch?>(nil)
    let made = try loop.watch(socket.descriptor.number, for: .readable) { readiness in
        handler(readiness)
        watch.value?.cancel()
    }
    watch.update { $0 = made }
    return made
}
