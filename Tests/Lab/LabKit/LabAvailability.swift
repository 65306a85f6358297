import Glibc
import LinuxPlatform
import Vocabulary

/// The ability of this machine to run a lab, or the reason against it.
public struct LabAvailability: Sendable {
    /// The reason against it; nil if the machine can run a lab.
    public let obstacle: LabError?

    /// True if the lab can also delay and lose frames, which needs more rights.
    public let canImpair: Bool

    let privilege: Privilege

    /// True if a lab can be started.
    public var isAvailable: Bool { obstacle == nil }

    /// One line for a skipped test or the user.
    public var reason: String { obstacle?.description ?? "the lab is available" }

    /// Finds out by a trial, which takes some milliseconds of the calling thread.
    init() {
        let (privilege, refusal) = Self.findPrivilege()
        self.privilege = privilege
        obstacle = Self.missingPrograms() ?? refusal
        canImpair = access("/dev/net/tun", R_OK | W_OK) == 0
    }

    private static let programs = [
        ("ip", "iproute2"), ("unshare", "util-linux"), ("flock", "util-linux"), ("mount", "mount"),
        ("hostname", "hostname"), ("dbus-daemon", "dbus-daemon"), ("avahi-daemon", "avahi-daemon"),
        ("avahi-browse", "avahi-utils"),
    ]

    private static func missingPrograms() -> LabError? {
        let folders = (HostEnvironment.plain["PATH"] ?? "").split(separator: ":")
        let missing = programs.filter { program, _ in
            !folders.contains { access("\($0)/\(program)", X_OK) == 0 }
        }
        guard !missing.isEmpty else { return nil }
        let packages = Set(missing.map(\.1)).sorted().joined(separator: " ")
        return LabError(
            "lab.programs",
            "the lab needs \(missing.map(\.0).joined(separator: ", "))",
            nextStep: "install them, on Debian with “apt install \(packages)”"
        )
    }

    private static func findPrivilege() -> (Privilege, LabError?) {
        do {
            try attempt(.administrator)
            return (.administrator, nil)
        } catch {
            do {
                try attempt(.userNamespace)
                return (.userNamespace, nil)
            } catch {
                return (.userNamespace, refusal(error))
            }
        }
    }

    /// Makes all parts of a host for a moment.
    private static func attempt(_ privilege: Privilege) throws {
        var launch = ProgramLaunch(
            "/bin/sh",
            ["-c", "mount --make-rprivate / && mount -t proc proc /proc && mount -t tmpfs tmpfs /run"]
        )
        launch.environment = HostEnvironment.plain
        launch.standardOutput = .null
        launch.standardError = .null
        var start = NamespaceLaunch(launch)
        start.created = privilege.created.union(.machine)
        let ending = try start.runBlockingToEnd()
        guard ending == 0 else { throw SystemError("mount", EPERM, on: "/proc") }
    }

    private static func refusal(_ error: any Error) -> LabError {
        let remedy =
            switch ((error as? SystemError)?.number, geteuid()) {
            case (ENOSPC, _): "raise the limits: sysctl user.max_user_namespaces, user.max_net_namespaces and so on"
            case (_, 0): "give the container the capability SYS_ADMIN, or run outside of it"
            default:
                "run as root, or allow user namespaces: sysctl kernel.unprivileged_userns_clone=1, "
                    + "kernel.apparmor_restrict_unprivileged_userns=0"
            }
        return LabError(LabError.namespaces, "this machine lets us make no namespaces", cause: error, nextStep: remedy)
    }
}
