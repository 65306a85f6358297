import CLinux
import Glibc
import Synchronization

/// The start and the end of a program of the project.
public enum Program {
    /// The file of this program, without links.
    public static var path: String? {
        guard let own = realpath("/proc/self/exe", nil) else { return nil }
        defer { free(own) }
        return String(validatingCString: own)
    }

    /// Runs `body` on the shared loop while the main thread waits, and ends the program with its exit code.
    ///
    /// Before anything else it blocks the signals that `body` can wait for and ignores SIGPIPE and SIGXFSZ. Those would
    /// otherwise end the program when a peer disconnects in the middle of a write, or sends more than a file here may
    /// hold. Children get all of them back at their defaults (see ``ChildProcess``).
    public static func run(_ body: @escaping @Sendable (_ signals: Signals) async -> CInt) -> Never {
        fillClosedChannels()
        var mask = Signals.mask
        pthread_sigmask(SIG_BLOCK, &mask, nil)
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        let loop = EventLoop.shared
        let end = ExitCode()
        do {
            let signals = try Signals(on: loop)
            Task(executorPreference: loop.taskExecutor) {
                end.set(await body(signals))
            }
        } catch {
            preconditionFailure("a program needs to receive signals: \(error)")
        }
        exit(end.wait())
    }

    /// Opens `/dev/null` for standard channels that were closed at the start. Otherwise the next opened descriptor
    /// would get such a number, and printed text would go into it.
    private static func fillClosedChannels() {
        for number in CInt(0)...2 where fcntl(number, F_GETFD) < 0 {
            _ = open("/dev/null", O_RDWR)
        }
    }

    /// The exit code, for which the main thread waits.
    private final class ExitCode: Sendable {
        private let code = Mutex<CInt?>(nil)
        private let descriptor: OwnedDescriptor

        init() {
            let number = eventfd(0, Int32(EFD_CLOEXEC))
            precondition(number >= 0, "no descriptor for the exit code: \(SystemError("eventfd"))")
            descriptor = OwnedDescriptor(takingOwnershipOf: number)
        }

        func set(_ value: CInt) {
            code.withLock { $0 = value }
            var one: UInt64 = 1
            _ = write(descriptor.number, &one, 8)
        }

        func wait() -> CInt {
            var count: UInt64 = 0
            while true {
                if let code = code.withLock({ $0 }) { return code }
                _ = read(descriptor.number, &count, 8)
            }
        }
    }
}
