import Diagnosis
import FoundationEssentials
import Glibc
import LinuxPlatform

/// Finds the active firewall, as far as this user may know it. Only root can read the kernel's rules.
enum FirewallLook {
    private static let patience: Duration = .seconds(2)

    static func look() async -> Firewall {
        Firewall(
            ufwSettings: try? String(contentsOfFile: "/etc/ufw/ufw.conf", encoding: .utf8),
            hasFirewalld: access("/run/firewalld.pid", F_OK) == 0 || access("/run/firewalld", F_OK) == 0,
            rules: geteuid() == 0 ? await rules() : nil
        )
    }

    private static func rules() async -> String? {
        let launch = ProgramLaunch("nft", ["list", "ruleset"])
        let run = try? await ChildProcess.run(launch, deadline: patience)
        return run?.standardOutput.text
    }
}
