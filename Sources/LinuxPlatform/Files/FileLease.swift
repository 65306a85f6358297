import CLinux
import Glibc

/// A lease on an open file ([fcntl(2)](https://man7.org/linux/man-pages/man2/fcntl.2.html)): the kernel guarantees that
/// no program has it open for writing, and delays any program that opens it for writing until the lease is released.
///
/// A program that has closed the file and kept a shared, writable mapping of it also counts as a writer. A search of
/// open descriptors would not find it. Leases exist only for files of this user, and not on every file system.
public struct FileLease: ~Copyable, Sendable {
    /// The programs that the lease excludes.
    public enum Keeping: Sendable {
        /// Writers. The file must be open for reading only.
        case writersAway
        /// All programs that open it. The file may be open once, here.
        case everybodyAway

        fileprivate var kind: CInt { self == .writersAway ? CInt(F_RDLCK) : CInt(F_WRLCK) }
    }

    /// The outcome of a request for a lease.
    public enum Answer: ~Copyable, Sendable {
        /// The lease is held.
        case held(FileLease)
        /// A program has the file open in the way that the lease excludes.
        case inUse
        /// The file belongs to another user, or its file system has no leases; nothing is known.
        case unavailable
    }

    /// The open file.
    public let file: OwnedDescriptor
    private let keeping: Keeping

    private init(_ file: consuming OwnedDescriptor, _ keeping: Keeping) {
        self.file = file
        self.keeping = keeping
    }

    deinit {
        // A lease that was broken meanwhile is already gone.
        _ = huddle_set_lease(file.number, CInt(F_UNLCK))
    }

    /// Asks for a lease, without waiting.
    public static func take(_ keeping: Keeping, on file: consuming OwnedDescriptor) -> Answer {
        // The kernel signals the holder when another program waits. The default signal would end the program; this one
        // is ignored by default. To find out, ask ``isWanted``.
        guard huddle_choose_lease_signal(file.number, SIGURG) == 0 else { return .unavailable }
        while huddle_set_lease(file.number, keeping.kind) != 0 {
            switch errno {
            case EINTR: continue
            case EAGAIN, EBUSY: return .inUse
            default: return .unavailable
            }
        }
        return .held(FileLease(file, keeping))
    }

    /// True while another program waits for the lease, or after the kernel took the lease away because one waited too
    /// long.
    public var isWanted: Bool {
        huddle_get_lease(file.number) != keeping.kind
    }
}
