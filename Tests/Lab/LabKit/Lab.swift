import Glibc
import LinuxPlatform

/// Several real hosts on one machine, joined by a switch: each with its own network, files below `/run`, name, processes,
/// system bus and Avahi.
///
/// ```swift
/// try await Lab.with(hosts: 2) { lab in
///     let publishing = try await lab[1].start(["avahi-publish", "-s", "Deck", "_huddle._tcp", "4242"])
///     try await lab[2].cutCable()
/// }
/// ```
///
/// A lab lives as long as the process that brought it up. Whatever way that ends, even by SIGKILL, nothing is left of
/// it: see `docs/internals/lab.md`. Several labs do not disturb each other.
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

    /// A host by its number, counted from 1 as its address is.
    public subscript(_ number: Int) -> LabHost {
        precondition(hosts.indices.contains(number - 1), "the lab has hosts 1 to \(hosts.count)")
        return hosts[number - 1]
    }

    /// Whether this machine can run a lab. Found out by trying, once, on the calling thread.
    public static func availability() -> LabAvailability { knownAvailability }

    private static let knownAvailability = LabAvailability()

    /// Brings a lab up; answers when every host has its network and its daemons are ready.
    ///
    /// - Throws: `LabError` that says which host failed at which step, and what was said last.
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

    /// Brings a lab up for as long as `body` runs.
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

    /// Takes everything down. Answers when no process of the lab is left.
    public func end() async {
        await withTaskGroup(of: Void.self) { group in
            for host in hosts { group.addTask { await host.keeper.end() } }
            group.addTask { await self.network.keeper.end() }
        }
    }
}
