import Glibc

/// How many descriptors this process may have open.
public enum DescriptorLimit {
    /// More than any household needs. Some systems allow a thousand million, for which programs that this one starts may look at each.
    private static let most: rlim_t = 65_536

    /// As many as the kernel gives now.
    public static var current: Int { Int(clamping: limits.rlim_cur) }

    /// Raises it as far as it may be raised without being asked, once, when a program begins: what the system sets is often 1,024, for programs of old that know no larger numbers.
    public static func raise() {
        var limits = limits
        let wanted = min(limits.rlim_max, most)
        guard limits.rlim_cur < wanted else { return }
        limits.rlim_cur = wanted
        // Where that is refused, it goes on with what there is.
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
    }

    private static var limits: rlimit {
        var limits = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
        return limits
    }
}
