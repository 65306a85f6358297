import CLinux
import Glibc

/// Tells when file systems are mounted or taken away, without looking again and again. No event of a folder says so.
public final class MountWatch: Sendable {
    private let table: OwnedDescriptor
    private let watch: DescriptorWatch

    /// - Parameters:
    ///   - loop: on whose thread the handler is called
    ///   - handler: called after each change
    public init(on loop: EventLoop, _ handler: @escaping @Sendable () -> Void) throws(SystemError) {
        let path = "/proc/self/mountinfo"
        table = OwnedDescriptor(takingOwnershipOf: try retrying("open", on: path) { open(path, O_RDONLY | O_CLOEXEC) })
        // The kernel says that the table has changed as if something urgent had come.
        watch = try loop.watch(table.number, for: Readiness(rawValue: EPOLLPRI.rawValue)) { @Sendable _ in handler() }
    }

    deinit {
        watch.cancel()
    }
}
