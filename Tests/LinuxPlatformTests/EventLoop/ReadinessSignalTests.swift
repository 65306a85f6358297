@testable import LinuxPlatform
import Testing
import TestSupport

@Suite("ReadinessSignal", .timeLimit(.minutes(5)))
struct ReadinessSignalTests {
    let loop = EventLoop(named: "signal loop")
    let near: BlockingSocket
    let far: BlockingSocket

    init() {
        (near, far) = BlockingSocket.pair()
    }

    // reader              loop's thread        other side
    // expect(.readable)
    //                                          sends
    //                     notes it
    // wait -> at once
    @Test("An event between the expectation and the wait is not missed")
    func betweenExpectAndWait() async throws {
        let signal = try ReadinessSignal(near.descriptor.number, on: loop)
        defer { signal.end() }
        try await passThrough(loop)
        signal.expect(.readable)
        try far.send([1])
        try await passThrough(loop)
        try await signal.wait(for: .readable)
    }

    // reader              loop's thread        other side
    // expect(.readable)
    // wait ...
    //                                          sends
    //                     notes it, wakes it
    @Test("An event during the wait ends it")
    func duringWait() async throws {
        let signal = try ReadinessSignal(near.descriptor.number, on: loop)
        defer { signal.end() }
        for round in 0..<200 as Range<UInt8> {
            signal.expect(.readable)
            async let ready: Void = signal.wait(for: .readable)
            try far.send([round])
            try await ready
            var byte: [UInt8] = [0]
            #expect(try near.receive(filling: &byte) == 1)
            #expect(byte == [round])
        }
    }

    @Test("Readiness before the expectation, or of the other direction, does not count")
    func earlierReadiness() async throws {
        let signal = try ReadinessSignal(near.descriptor.number, on: loop)
        defer { signal.end() }
        try await signal.wait(for: .writable)
        signal.expect(.readable)
        let task = Task { try await signal.wait(for: .readable) }
        try await passThrough(loop)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("A signal works after a cancelled wait")
    func cancelled() async throws {
        let signal = try ReadinessSignal(near.descriptor.number, on: loop)
        defer { signal.end() }
        for _ in 0..<200 {
            signal.expect(.readable)
            let task = Task { try await signal.wait(for: .readable) }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
        signal.expect(.readable)
        async let ready: Void = signal.wait(for: .readable)
        try far.send([1])
        try await ready
    }

    @Test("The other side's end resumes readers and writers")
    func end() async throws {
        let signal = try ReadinessSignal(near.descriptor.number, on: loop)
        defer { signal.end() }
        try await passThrough(loop)
        signal.expect(.readable)
        signal.expect(.writable)
        async let readable: Void = signal.wait(for: .readable)
        async let writable: Void = signal.wait(for: .writable)
        far.end()
        _ = try await (readable, writable)
    }
}
