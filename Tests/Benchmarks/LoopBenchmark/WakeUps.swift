import CLinux
import Glibc
import LinuxPlatform
import TestSupport

/// The time of a hop from another task to a candidate's own thread.
enum WakeUps {
    static func run(blocks: Int, rounds: Int) async throws {
        let pairs = try Candidate.all.dropFirst().map { try $0.connected() }
        var baseline = Samples()
        var samples = Array(repeating: Samples(), count: pairs.count)
        for _ in 0..<blocks {
            baseline.add(try await threadToThread(rounds: rounds))
            for index in pairs.indices { samples[index].add(try await hops(into: pairs[index].near, rounds: rounds)) }
        }
        for pair in pairs { await pair.near.end() }
        var table = Table(
            "From a task elsewhere into the actor, one way, \(blocks * rounds) times",
            ["candidate", "p50 µs", "p99 µs", "p50 ratio", "p99 ratio"]
        )
        let names = ["a blocked thread"] + Candidate.all.dropFirst().map(\.name)
        for (name, times) in zip(names, [baseline] + samples) {
            table.add([
                name, figure(times.percentile(50) / 1_000), figure(times.percentile(99) / 1_000),
                ratio(times.percentile(50), to: baseline.percentile(50)),
                ratio(times.percentile(99), to: baseline.percentile(99)),
            ])
        }
        table.show()
    }

    @concurrent
    private static func hops(into party: any Party, rounds: Int) async throws -> [UInt64] {
        var times: [UInt64] = []
        for _ in 0..<rounds {
            let start = monotonicNanoseconds()
            times.append(try await party.timeThere() - start)
        }
        return times
    }

    /// One thread adds to a counter on which another one blocks: the least costs of waking a thread.
    private static func threadToThread(rounds: Int) async throws -> [UInt64] {
        let (there, back) = (try Bell(), try Bell())
        async let answers = runBlocking("woken") {
            try (0..<rounds).map { _ in
                try there.wait()
                let time = monotonicNanoseconds()
                try back.ring()
                return time
            }
        }
        let starts = try await runBlocking("waker") {
            try (0..<rounds).map { _ in
                let time = monotonicNanoseconds()
                try there.ring()
                try back.wait()
                return time
            }
        }
        return zip(try await answers, starts).map { $0 - $1 }
    }
}

/// A counter that a thread can block on.
private final class Bell: Sendable {
    private let descriptor: OwnedDescriptor

    init() throws {
        descriptor = OwnedDescriptor(takingOwnershipOf: try retrying("eventfd") { eventfd(0, CInt(EFD_CLOEXEC)) })
    }

    func ring() throws {
        var one: UInt64 = 1
        try retrying("write") { write(descriptor.number, &one, 8) }
    }

    func wait() throws {
        var count: UInt64 = 0
        try retrying("read") { read(descriptor.number, &count, 8) }
    }
}
