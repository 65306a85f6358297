import CLinux
import Glibc

/// Reports when file systems are mounted or unmounted, without polling. Events of folders don't report that.
public final class MountWatch: Sendable {
    private let table: OwnedDescriptor
    private let watch: DescriptorWatch

    /// - Parameters:
    ///   - loop: the loop on whose thread the handler runs
    ///   - handler: called after each change
    public init(on loop: EventLoop, _ handler: @escaping @Sendable () -> Void) throws(SystemError) {
        let path = "/proc/self/mountinfo"
        table = OwnedDescriptor(takingOwnershipOf: try retrying("open", on: path) { open(path, O_RDONLY | O_CLOEXEC) })
        // The kernel reports a changed table as urgent data.
        watch = try loop.watch(table.number, for: Readiness(rawValue: EPOLLPRI.rawValue)) { @Sendable _ in handler() }
    }

    /// Returns true if the mounts have changed since the last call, or since the handler ran. The handler does not run
    /// for that change.
    public func takeChange() -> Bool {
        var question = pollfd(fd: table.number, events: Int16(POLLPRI), revents: 0)
        return poll(&question, 1, 0) > 0
    }

    deinit {
        watch.cancel()
    }
}
