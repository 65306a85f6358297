import Glibc
import Testing

@testable import LinuxPlatform

@Suite("Limit of descriptors", .timeLimit(.minutes(5)))
struct DescriptorLimitTests {
    @Test("The limit is raised up to the need, as far as the system allows, and never lowered")
    func raised() async {
        await #expect(processExitsWith: .success) {
            let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
            var limits = rlimit()
            getrlimit(kind, &limits)
            limits.rlim_cur = min(64, limits.rlim_max)
            guard setrlimit(kind, &limits) == 0, DescriptorLimit.current == 64 else { exit(2) }
            DescriptorLimit.raise()
            guard DescriptorLimit.current == Int(min(limits.rlim_max, 65_536)) else { exit(3) }
            guard limits.rlim_max > 70_000 else { exit(0) }
            limits.rlim_cur = 70_000
            guard setrlimit(kind, &limits) == 0 else { exit(4) }
            DescriptorLimit.raise()
            guard DescriptorLimit.current == 70_000 else { exit(5) }
        }
    }
}
