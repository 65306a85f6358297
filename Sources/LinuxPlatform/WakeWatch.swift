import CLinux
import Glibc
import Synchronization

/// Notices that the machine has been asleep, as soon as it is awake again, and without a look at the clock: the kernel breaks off a wait for a time
/// of the calendar then (since Linux 5.15), as it does when somebody sets the clock.
public final class WakeWatch: Sendable {
    private let timer: OwnedDescriptor
    private let slept: Mutex<Duration>

    /// What came by setting the clock, or by reading two clocks one after the other, is no sleep.
    private static let least = Duration.milliseconds(100)

    /// Sleep from here on counts.
    public init() throws(SystemError) {
        timer = OwnedDescriptor(
            takingOwnershipOf: try retrying("timerfd_create") {
                timerfd_create(CLOCK_REALTIME, Int32(TFD_CLOEXEC | TFD_NONBLOCK))
            }
        )
        slept = Mutex(Self.sleptSoFar)
    }

    /// Waits until the machine has been asleep and is awake.
    public func next(on loop: EventLoop) async throws {
        while true {
            try arm()
            if hasSlept { return }
            try await loop.waitUntil(.readable, timer.number)
        }
    }

    /// How long the machine has slept since it was started: one of the two clocks stands still meanwhile.
    private static var sleptSoFar: Duration { time(CLOCK_BOOTTIME) - time(CLOCK_MONOTONIC) }

    private static func time(_ clock: clockid_t) -> Duration {
        var time = timespec()
        let failed = clock_gettime(clock, &time) != 0
        precondition(!failed, "every Linux has these clocks")
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    private var hasSlept: Bool {
        slept.withLock { slept in
            let now = Self.sleptSoFar
            guard now - slept >= Self.least else { return false }
            slept = now
            return true
        }
    }

    private func arm() throws(SystemError) {
        var setting = itimerspec()
        // A time that never comes.
        setting.it_value.tv_sec = Int(Int32.max) * 4
        // Where it was broken off already that is said, and it is armed all the same.
        let flags = Int32(TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET)
        guard timerfd_settime(timer.number, flags, &setting, nil) != 0, errno != ECANCELED else { return }
        throw SystemError("timerfd_settime")
    }
}
