import Glibc
import LabKit
import LinuxPlatform

/// `lab up`: start a lab and keep it until a signal.
enum UpCommand {
    static func run(_ words: inout Words) throws {
        let count = Int(try words.number("--hosts", in: 1...99) ?? 3)
        let names = try words.option("--names")?.split(separator: ",").map(String.init)
        let name = try words.option("--name") ?? "lab"
        try words.finish()
        let plan = names.map { LabPlan(hostNames: $0) } ?? LabPlan(hosts: count)
        let folder = try LabFolder()
        if try folder.names().contains(name) { throw UsageError("a lab called “\(name)” runs already") }
        Program.run { signals in
            await exitCode { try await keep(plan, name, folder, signals) }
        }
    }

    private static func keep(_ plan: LabPlan, _ name: String, _ folder: LabFolder, _ signals: Signals) async throws {
        guard let lab = try await startLab(plan, signals) else { return }
        do {
            try folder.publish(lab, as: name)
        } catch {
            await lab.end()
            throw error
        }
        describe(lab, name)
        _ = await signals.next()
        // From here on the lab is not usable for other processes.
        folder.withdraw(name)
        await lab.end()
    }

    /// The lab; nil if a signal arrived first.
    private static func startLab(_ plan: LabPlan, _ signals: Signals) async throws -> Lab? {
        try await withThrowingTaskGroup(of: Lab?.self) { group in
            group.addTask { try await Lab.up(plan) }
            group.addTask {
                _ = await signals.next()
                return nil
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
    }

    private static func describe(_ lab: Lab, _ name: String) {
        for host in lab.hosts {
            Console.say("host \(host.number)  \(host.name).local  \(host.address)  \(host.address6)")
        }
        let choice = name == "lab" ? "" : " --name \(name)"
        Console.note(
            "in another terminal: lab run\(choice) 1 -- avahi-browse -art (see “lab help” for what else there is)"
        )
        Console.note("the lab is up until Ctrl-C or “lab down\(choice)”")
    }
}
