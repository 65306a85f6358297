import Glibc
import LinuxPlatform
import Vocabulary

/// A private system bus and Avahi for machines without them, such as containers and build machines. Programs on this
/// machine find each other through it, and the network sees nothing of it. Both end with this process, no matter how it
/// ends.
public final class PrivateDiscovery: Sendable {
    /// The value of `DBUS_SYSTEM_BUS_ADDRESS` for programs that use this Avahi.
    public let busAddress: String

    private let keeper: Keeper?
    private let direct: DirectDaemons?

    private init(keeper: Keeper? = nil, direct: DirectDaemons? = nil, busAddress: String) {
        self.keeper = keeper
        self.direct = direct
        self.busAddress = busAddress
    }

    /// Returns true if programs on this machine reach an Avahi already. The request makes systemd start it.
    public static func isAvahiReachable() async -> Bool {
        var launch = ProgramLaunch(
            "dbus-send",
            [
                "--system", "--print-reply", "--reply-timeout=3000", "--dest=org.freedesktop.Avahi", "/",
                "org.freedesktop.Avahi.Server.GetState",
            ]
        )
        launch.standardInput = .null
        let result = try? await ChildProcess.run(launch, deadline: .seconds(5))
        return result?.status.isSuccess == true
    }

    /// Starts the bus and Avahi, and waits until Avahi has registered its name.
    public static func start() async throws -> PrivateDiscovery {
        let availability = try await runBlocking("lab-check") { @Sendable in Lab.availability() }
        // An abstract socket belongs to the network namespace and not to a folder, so it can't be left behind.
        let name = "huddle-lab-private-\(getpid())-\(UInt32.random(in: .min ... .max))"
        let address = "unix:abstract=\(name)"
        if let obstacle = availability.obstacle {
            guard obstacle.code == LabError.namespaces else { throw obstacle }
            // In a container all programs are the container's own, so no other program is disturbed.
            let direct = try await DirectDaemons.start(configuration(address), at: address)
            return PrivateDiscovery(direct: direct, busAddress: address)
        }
        let privilege = availability.privilege
        let keeper = try await Keeper.start(
            "private",
            script: Scripts.privateKeeper,
            words: KeeperWords.make(
                busConfiguration: configuration(address),
                avahiConfiguration: DaemonConfiguration.avahiOnLoopback,
                avahiUser: privilege == .userNamespace ? (geteuid(), getegid()) : nil
            ),
            joined: nil,
            created: privilege.created.union([.mounts, .processes])
        )
        let discovery = PrivateDiscovery(keeper: keeper, busAddress: address)
        do {
            try await startDaemons(in: keeper, at: address, privilege)
            return discovery
        } catch {
            await discovery.end()
            throw error
        }
    }

    /// Ends the bus and Avahi.
    public func end() async {
        await keeper?.end()
        await direct?.end()
    }

    private static func startDaemons(in keeper: Keeper, at address: String, _ privilege: Privilege) async throws {
        let room = Room(keeper: keeper, privilege: privilege, name: "this machine", namespaces: [.mounts, .processes])
        // A bus and its clients must agree on their users, so these two have the same user inside as outside and are
        // not root.
        let identity =
            privilege == .userNamespace
            ? ["unshare", "--user", "--map-user=\(geteuid())", "--map-group=\(getegid())"] : []
        let bus =
            identity + [
                "dbus-daemon", "--config-file=/run/huddle-lab/bus.conf", "--nofork", "--nopidfile", "--print-address",
            ]
        try await room.perform("start a private bus", Scripts.startDaemon, ["bus", "unix:abstract="] + bus)
        let avahi =
            identity + ["env", "DBUS_SYSTEM_BUS_ADDRESS=\(address)"]
            + ["avahi-daemon", "--no-drop-root", "--no-chroot", "--no-rlimits", "--file", "/run/huddle-lab/avahi.conf"]
        try await room.perform(
            "start a private Avahi",
            Scripts.startDaemon,
            ["avahi", "Server startup complete"] + avahi
        )
    }

    private static func configuration(_ address: String) -> String {
        let rule = "  <policy user=\"\(geteuid())\"><allow own=\"org.freedesktop.Avahi\"/></policy>"
        return DaemonConfiguration.bus(listeningAt: address, rules: rule)
    }
}
