import CLinux
import Glibc
import Synchronization

/// Notices that the machine was asleep as soon as it is awake again, without polling the clock. The kernel then
/// interrupts a wait for a calendar time (since Linux 5.15), as it does when the clock is set.
public final class WakeWatch: Sendable {
    private let timer: OwnedDescriptor
    private let arm: @Sendable (CInt) throws(SystemError) -> Void
    private let sleptSoFar: @Sendable () -> Duration
    private let slept: Mutex<Duration>

    /// The shortest sleep that counts. Setting the clock, or reading two clocks one after the other, also gives a small
    /// difference.
    private static let least = Duration.milliseconds(100)

    /// The year 2242. Linux allows no clock beyond 2232, and counts to 2262.
    private static let never = Int(Int32.max) * 4

    /// Starts to count sleep from now on.
    public convenience init() throws(SystemError) {
        try self.init { Self.sleptSoFar }
    }

    /// - Parameter sleptSoFar: how long the machine has slept since it was started
    convenience init(sleptSoFar: @escaping @Sendable () -> Duration) throws(SystemError) {
        let timer = try retrying("timerfd_create") {
            timerfd_create(CLOCK_REALTIME, Int32(TFD_CLOEXEC | TFD_NONBLOCK))
        }
        self.init(on: OwnedDescriptor(takingOwnershipOf: timer), arming: Self.arm, sleptSoFar: sleptSoFar)
    }

    /// - Parameters:
    ///   - timer: becomes readable once the kernel interrupted it
    ///   - arm: makes it readable only for interruptions from here on
    ///   - sleptSoFar: how long the machine has slept since it was started
    init(
        on timer: consuming OwnedDescriptor,
        arming arm: @escaping @Sendable (CInt) throws(SystemError) -> Void,
        sleptSoFar: @escaping @Sendable () -> Duration
    ) {
        (self.arm, self.sleptSoFar) = (arm, sleptSoFar)
        self.timer = timer
        slept = Mutex(sleptSoFar())
    }

    /// Waits until the machine has slept and woken up.
    public func next(on loop: EventLoop) async throws {
        while true {
            try arm(timer.number)
            if hasSlept { return }
            try await loop.waitUntil(.readable, timer.number)
        }
    }

    /// The monotonic clock stops while the machine sleeps; the boot-time clock does not.
    private static var sleptSoFar: Duration { time(CLOCK_BOOTTIME) - time(CLOCK_MONOTONIC) }

    private static func time(_ clock: clockid_t) -> Duration {
        var time = timespec()
        let failed = clock_gettime(clock, &time) != 0
        precondition(!failed, "every Linux has these clocks")
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    private var hasSlept: Bool {
        slept.withLock { slept in
            let now = sleptSoFar()
            guard now - slept >= Self.least else { return false }
            slept = now
            return true
        }
    }

    private static func arm(_ timer: CInt) throws(SystemError) {
        var setting = itimerspec()
        setting.it_value.tv_sec = never
        // If the timer was already interrupted, the call says so, and arms it all the same.
        let flags = Int32(TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET)
        guard timerfd_settime(timer, flags, &setting, nil) != 0, errno != ECANCELED else { return }
        throw SystemError("timerfd_settime")
    }
}
