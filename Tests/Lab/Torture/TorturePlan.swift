import Glibc
import LabKit
import LinuxPlatform

/// The plan of a run. The same words give the same decisions, but the kernel decides the exact times.
struct TorturePlan: Sendable {
    var rounds = 500
    var seed: UInt64 = 1
    /// The default: two and three hosts, half of the rounds each.
    var hosts: [Int] = [2, 3]
    var folder = ".build/torture"

    init?(_ words: [String]) {
        var left = words[...]
        while let option = left.popFirst() {
            guard let value = left.popFirst() else { return nil }
            switch (option, Int(value)) {
            case ("--rounds", let number?) where number > 0: rounds = number
            case ("--seed", let number?): seed = UInt64(truncatingIfNeeded: number)
            case ("--hosts", let number?) where (2...3).contains(number): hosts = [number]
            case ("--in", _): folder = value
            default: return nil
            }
        }
        if rounds == 1 { hosts = [hosts[0]] }
    }

    /// Returns true if the run found no fault.
    func run() async throws -> Bool {
        let place = try absolute(folder)
        var report = TortureReport(seed: seed)
        for (part, count) in hosts.enumerated() where report.failure == nil {
            let share = rounds / hosts.count + (part < rounds % hosts.count ? 1 : 0)
            let torture = try await Torture(hosts: count, seed: seed &+ UInt64(part), in: "\(place)/\(count)-hosts")
            await torture.run(rounds: share)
            report.add(await torture.report, hosts: count)
            await torture.end()
        }
        report.requireAllSteps()
        report.requirePromises()
        try PlainFile.write(Array(report.text.utf8), to: "\(place)/report.txt")
        Console.say(report.text)
        Console.say("the report: \(place)/report.txt; disks and logs lie beside it")
        return report.failure == nil
    }

    private func absolute(_ folder: String) throws -> String {
        try PlainFile.makeFolders(folder)
        guard let path = realpath(folder, nil) else { throw SystemError("realpath", on: folder) }
        defer { free(path) }
        return String(cString: path)
    }
}
