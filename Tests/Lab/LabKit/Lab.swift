import Glibc
import LinuxPlatform

/// Several hosts on one machine, joined by a switch. Each has its own network, files below `/run`, name, processes,
/// system bus and Avahi.
///
/// ```swift
/// try await Lab.with(hosts: 2) { lab in
///     let publishing = try await lab[1].start(["avahi-publish", "-s", "Deck", "_huddle._tcp", "4242"])
///     try await lab[2].cutCable()
/// }
/// ```
///
/// A lab runs as long as the process that started it. No matter how that process ends, even by SIGKILL, nothing is left
/// of the lab: see `docs/internals/lab.md`. Several labs do not disturb each other.
public final class Lab: Sendable {
    /// The hosts, in order.
    public let hosts: [LabHost]

    let network: Switch
    let privilege: Privilege

    init(hosts: [LabHost], network: Switch, privilege: Privilege) {
        self.hosts = hosts
        self.network = network
        self.privilege = privilege
    }

    /// A host by its number, which counts from 1 like its address.
    public subscript(_ number: Int) -> LabHost {
        precondition(hosts.indices.contains(number - 1), "the lab has hosts 1 to \(hosts.count)")
        return hosts[number - 1]
    }

    /// The result of one trial on the calling thread that shows if this machine can run a lab.
    public static func availability() -> LabAvailability { knownAvailability }

    private static let knownAvailability = LabAvailability()

    /// Starts a lab. Returns once every host has its network and its daemons are ready.
    ///
    /// - Throws: `LabError` with the host, the step that failed, and the last output
    public static func up(_ plan: LabPlan = LabPlan()) async throws -> Lab {
        precondition((1...99).contains(plan.hostNames.count), "a lab has 1 to 99 hosts")
        let availability = try await runBlocking("lab-check") { @Sendable in Self.availability() }
        if let obstacle = availability.obstacle { throw obstacle }
        let network = try await Switch.start(availability.privilege)
        let construction = Construction(network: network, plan: plan)
        do {
            let hosts = try await construction.build()
            return Lab(hosts: hosts, network: network, privilege: availability.privilege)
        } catch {
            await construction.abandon()
            throw error
        }
    }

    /// Runs a lab as long as `body` runs.
    public static func with<Result: Sendable>(
        hosts count: Int,
        startsDaemons: Bool = true,
        _ body: @Sendable (Lab) async throws -> Result
    ) async throws -> Result {
        let lab = try await up(LabPlan(hosts: count, startsDaemons: startsDaemons))
        do {
            let result = try await body(lab)
            await lab.end()
            return result
        } catch {
            await lab.end()
            throw error
        }
    }

    /// Ends the lab. Returns once none of its processes is left.
    public func end() async {
        await withTaskGroup(of: Void.self) { group in
            for host in hosts { group.addTask { await host.keeper.end() } }
            group.addTask { await self.network.keeper.end() }
        }
    }
}
