import CLinux
import Dispatch
import Glibc
import LinuxPlatform
import TestSupport

/// The costs of a distant timer that is cancelled at once, like the deadline of a message that is answered in time.
enum Timers {
    static func run(count: Int, repetitions: Int) async throws {
        let loop = EventLoop(named: "timers")
        let queue = DispatchQueue(label: "timers")
        let ways: [(String, @Sendable (Int) async throws -> UInt64)] = [
            ("timerfd set and cleared", { try await runBlocking("timerfd", timerDescriptor($0)) }),
            ("event loop, from elsewhere", { try await runBlocking("elsewhere", loopTimers(loop, $0)) }),
            ("event loop, on its thread", { try await onLoop(loop, $0) }),
            ("Dispatch timer source", { try await runBlocking("dispatch", dispatchTimers(queue, $0)) }),
        ]
        var best = Array(repeating: UInt64.max, count: ways.count)
        for _ in 0..<repetitions {
            for (index, way) in ways.enumerated() { best[index] = min(best[index], try await way.1(count)) }
        }
        var table = Table(
            "\(count) timers set and cancelled, best of \(repetitions)",
            ["way", "ms", "ns each", "ratio"]
        )
        for (way, time) in zip(ways, best) {
            table.add([
                way.0, figure(Double(time) / 1e6), figure(Double(time) / Double(count), digits: 0),
                ratio(Double(time), to: Double(best[0])),
            ])
        }
        table.show()
    }

    private static func timerDescriptor(_ count: Int) -> @Sendable () throws -> UInt64 {
        { @Sendable in
            let timer = OwnedDescriptor(takingOwnershipOf: timerfd_create(CLOCK_BOOTTIME, CInt(TFD_CLOEXEC)))
            let start = monotonicNanoseconds()
            var (far, never) = (itimerspec(), itimerspec())
            far.it_value.tv_sec = 3_600
            for _ in 0..<count {
                timerfd_settime(timer.number, 0, &far, nil)
                timerfd_settime(timer.number, 0, &never, nil)
            }
            return monotonicNanoseconds() - start
        }
    }

    private static func loopTimers(_ loop: EventLoop, _ count: Int) -> @Sendable () -> UInt64 {
        { @Sendable in
            let start = monotonicNanoseconds()
            for _ in 0..<count { loop.schedule(after: .seconds(3_600)) {}.cancel() }
            return monotonicNanoseconds() - start
        }
    }

    private static func onLoop(_ loop: EventLoop, _ count: Int) async throws -> UInt64 {
        let time = Probe<UInt64?>(nil)
        let work = loopTimers(loop, count)
        loop.perform {
            let taken = work()
            time.update { $0 = taken }
        }
        return try await time.wait { $0 != nil } ?? 0
    }

    private static func dispatchTimers(_ queue: DispatchQueue, _ count: Int) -> @Sendable () -> UInt64 {
        { @Sendable in
            let start = monotonicNanoseconds()
            for _ in 0..<count {
                let timer = DispatchSource.makeTimerSource(queue: queue)
                timer.schedule(deadline: .now() + .seconds(3_600))
                timer.setEventHandler { @Sendable in }
                timer.activate()
                timer.cancel()
            }
            queue.sync {}
            return monotonicNanoseconds() - start
        }
    }
}
