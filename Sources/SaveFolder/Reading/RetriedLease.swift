import Glibc
import LinuxPlatform

/// Requests leases, and retries briefly: a child that this program has just forked holds copies of its descriptors
/// until it executes, and looks like a program that has the file open.
struct RetriedLease {
    private static let pause: useconds_t = 4_000

    /// Number of retries over all files: a program that really has a file open delays only once.
    private var patience = 5

    mutating func take(
        _ keeping: FileLease.Keeping,
        _ open: () throws(SystemError) -> OwnedDescriptor
    ) throws(SystemError) -> FileLease.Answer {
        while true {
            switch FileLease.take(keeping, on: try open()) {
            case .held(let lease): return .held(lease)
            case .unavailable: return .unavailable
            case .inUse:
                guard patience > 0 else { return .inUse }
                patience -= 1
                usleep(Self.pause)
            }
        }
    }
}
