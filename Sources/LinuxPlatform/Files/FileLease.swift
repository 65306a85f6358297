import CLinux
import Glibc

/// A lease on an open file ([fcntl(2)](https://man7.org/linux/man-pages/man2/fcntl.2.html)): the kernel's word that nobody has it open
/// for writing, and that whoever wants to is held up until the lease goes.
///
/// Also a program that has closed the file and kept a shared, writable mapping of it counts as a writer, which no look at open
/// descriptors would find. Leases exist for one's own files only, and not on every file system.
public struct FileLease: ~Copyable, Sendable {
    /// Whom the lease keeps away.
    public enum Keeping: Sendable {
        /// Whoever writes. The file must be open for reading only.
        case writersAway
        /// Whoever opens it at all. The file may be open once, here.
        case everybodyAway

        fileprivate var kind: CInt { self == .writersAway ? CInt(F_RDLCK) : CInt(F_WRLCK) }
    }

    /// What became of the wish for a lease.
    public enum Answer: ~Copyable, Sendable {
        /// It is held.
        case held(FileLease)
        /// Somebody has the file open in the way that was to be excluded.
        case inUse
        /// The file is somebody else's, or its file system has no leases; nothing is known.
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
        // A lease that was broken meanwhile is gone already.
        _ = huddle_set_lease(file.number, CInt(F_UNLCK))
    }

    /// Asks for a lease, without waiting.
    public static func take(_ keeping: Keeping, on file: consuming OwnedDescriptor) -> Answer {
        // The kernel tells the holder by a signal that somebody waits. Its default one would end the program; this one is ignored
        // by default, and who wants to know asks ``isWanted``.
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

    /// Whether somebody is being held up by the lease, or was for so long that the kernel took it away.
    public var isWanted: Bool {
        huddle_get_lease(file.number) != keeping.kind
    }
}
