import CLinux
import Glibc

/// The kernel's side of an event loop: the watched descriptors, the wake-up, and the one timer.
///
/// `@unchecked Sendable` because only the loop's thread touches `events` and `readyCount`, and the kernel itself
/// serializes calls on the three descriptors.
final class Poll: @unchecked Sendable {
    enum Patience {
        case dontWait
        case untilWoken
    }

    private let epoll: OwnedDescriptor
    private let wakeUp: OwnedDescriptor
    private let timer: OwnedDescriptor
    private let events: UnsafeMutableBufferPointer<epoll_event>
    private var readyCount = 0
    /// True if the last wait ended, among other reasons, because the timer fired.
    private(set) var timerHasFired = false

    private static let wakeUpID: UInt64 = 0
    private static let timerID = UInt64.max

    init() throws(SystemError) {
        epoll = OwnedDescriptor(
            takingOwnershipOf: try retrying("epoll_create1") { epoll_create1(Int32(EPOLL_CLOEXEC)) }
        )
        wakeUp = OwnedDescriptor(
            takingOwnershipOf: try retrying("eventfd") { eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK)) }
        )
        timer = OwnedDescriptor(
            takingOwnershipOf: try retrying("timerfd_create") {
                // Boot time goes on while the machine sleeps, as ContinuousClock does.
                timerfd_create(CLOCK_BOOTTIME, Int32(TFD_CLOEXEC | TFD_NONBLOCK))
            }
        )
        events = .allocate(capacity: 128)
        // Edge-triggered, so neither ever needs a read.
        try add(wakeUp.number, for: EPOLLIN.rawValue | EPOLLET.rawValue, id: Self.wakeUpID)
        try add(timer.number, for: EPOLLIN.rawValue | EPOLLET.rawValue, id: Self.timerID)
    }

    deinit {
        events.deallocate()
    }

    func add(_ descriptor: CInt, for interest: UInt32, id: UInt64) throws(SystemError) {
        var event = epoll_event(events: interest, data: epoll_data_t(u64: id))
        try retrying("epoll_ctl") { epoll_ctl(epoll.number, EPOLL_CTL_ADD, descriptor, &event) }
    }

    /// The descriptor must still be open: a closed one loses its watch, and its number may belong to another file.
    func remove(_ descriptor: CInt) {
        let failed = epoll_ctl(epoll.number, EPOLL_CTL_DEL, descriptor, nil) != 0
        precondition(!failed || errno == ENOENT, "descriptor \(descriptor) was closed while it was watched")
    }

    func wake() {
        var one: UInt64 = 1
        _ = write(wakeUp.number, &one, 8)
    }

    /// Makes the timer fire after `delay`.
    func arm(after delay: Duration) {
        let (seconds, attoseconds) = max(delay, .nanoseconds(1)).components
        var setting = itimerspec()
        setting.it_value = timespec(tv_sec: Int(seconds), tv_nsec: Int((attoseconds + 999_999_999) / 1_000_000_000))
        if setting.it_value.tv_nsec == 1_000_000_000 {
            setting.it_value = timespec(tv_sec: Int(seconds) + 1, tv_nsec: 0)
        }
        timerfd_settime(timer.number, 0, &setting, nil)
    }

    func wait(_ patience: Patience) {
        let timeout: CInt = patience == .untilWoken ? -1 : 0
        let count = epoll_wait(epoll.number, events.baseAddress, CInt(events.count), timeout)
        precondition(count >= 0 || errno == EINTR, "epoll_wait failed: \(errno)")
        readyCount = Int(max(count, 0))
        timerHasFired = events.prefix(readyCount).contains { $0.data.u64 == Self.timerID }
    }

    /// Hands out the results of the last wait, without the loop's own two descriptors.
    func takeReady(_ body: (_ id: UInt64, _ readiness: Readiness) -> Void) {
        let count = readyCount
        readyCount = 0
        for event in events.prefix(count) where event.data.u64 != Self.wakeUpID && event.data.u64 != Self.timerID {
            body(event.data.u64, Readiness(rawValue: event.events))
        }
    }
}
