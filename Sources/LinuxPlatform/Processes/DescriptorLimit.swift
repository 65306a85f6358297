import Glibc

/// The number of descriptors that this process may have open.
public enum DescriptorLimit {
    /// More than any household needs. Some systems allow a thousand million, and programs that this one starts may look
    /// at each.
    private static let most: rlim_t = 65_536

    /// The kernel's current limit.
    public static var current: Int { Int(clamping: limits.rlim_cur) }

    /// Raises the limit as far as it may go without a privilege, once, when a program begins. The system's value is
    /// often 1,024, for old programs that can't use larger numbers.
    public static func raise() {
        var limits = limits
        let wanted = min(limits.rlim_max, most)
        guard limits.rlim_cur < wanted else { return }
        limits.rlim_cur = wanted
        // If the kernel refuses, the old limit stays.
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
    }

    private static var limits: rlimit {
        var limits = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
        return limits
    }
}
