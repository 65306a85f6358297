import Glibc
import LinuxPlatform

/// Asks for leases, and for a moment longer than one call: a child that this program has just forked holds copies of its
/// descriptors until it becomes another program, and looks like somebody who has the file open.
struct PatientLease {
    private static let pause: useconds_t = 4_000

    /// How often it is asked again, over all files: whoever really has a file open is waited for only once.
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
