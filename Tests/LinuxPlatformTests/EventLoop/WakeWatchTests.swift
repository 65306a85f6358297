import CLinux
import Glibc
@testable import LinuxPlatform
import Testing
import TestSupport

@Suite("WakeWatch", .timeLimit(.minutes(5)))
struct WakeWatchTests {
    private let slept = Probe(Duration.seconds(3600))
    private let looks = Probe(0)
    private let woken = Probe(0)

    private var sleptSoFar: @Sendable () -> Duration {
        { [slept, looks] in
            looks.count()
            return slept.value
        }
    }

    /// Watches during the body, and counts the resumes of the machine. The body can interrupt the wait, as the kernel
    /// does when the clock is set or after a sleep.
    private func watching(_ body: (_ breakOff: () async throws -> Void) async throws -> Void) async throws {
        let bell = try retrying("eventfd") { eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK)) }
        let watch = WakeWatch(
            on: OwnedDescriptor(takingOwnershipOf: bell),
            arming: { bell throws(SystemError) in
                var count = eventfd_t()
                _ = eventfd_read(bell, &count)
            },
            sleptSoFar: sleptSoFar
        )
        let running = Task(executorPreference: EventLoop.shared.taskExecutor) {
            while true {
                try await watch.next(on: .shared)
                woken.count()
            }
        }
        // Once at its creation, and once before the wait.
        try await looks.wait { $0 == 2 }
        try await body {
            let before = looks.value
            #expect(eventfd_write(bell, 1) == 0)
            try await looks.wait { $0 > before }
        }
        running.cancel()
        _ = await running.result
    }

    @Test("Each sleep is reported once")
    func sleeps() async throws {
        try await watching { breakOff in
            for count in 1...2 {
                slept.update { $0 += .seconds(1) }
                try await breakOff()
                try await woken.wait { $0 == count }
                for _ in 1...3 { try await breakOff() }
                #expect(woken.value == count)
            }
        }
    }

    @Test("A changed clock, an earlier sleep and a very short one are not reported")
    func clocks() async throws {
        try await watching { breakOff in
            for _ in 1...3 { try await breakOff() }
            slept.update { $0 += .milliseconds(99) }
            try await breakOff()
            try await breakOff()
            #expect(woken.value == 0)
            // Several short ones add up to a sleep.
            slept.update { $0 += .milliseconds(1) }
            try await breakOff()
            try await woken.wait { $0 == 1 }
        }
    }

    @Test("The kernel accepts the farthest time, and without a sleep there is no wake-up")
    func kernel() async throws {
        let watch = try WakeWatch(sleptSoFar: sleptSoFar)
        let running = Task(executorPreference: EventLoop.shared.taskExecutor) { try await watch.next(on: .shared) }
        try await looks.wait { $0 == 2 }
        running.cancel()
        await #expect(throws: CancellationError.self) { try await running.value }
        #expect(looks.value == 2)
    }
}
