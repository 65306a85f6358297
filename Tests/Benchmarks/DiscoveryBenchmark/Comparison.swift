import FoundationEssentials
import LabKit
import LinuxPlatform
import Yardstick

/// Two hosts: one advertises, and on the other Huddle's browser and Avahi's tool run in turns.
struct Comparison {
    private static let rounds = 7
    private static let idleTime: Duration = .seconds(20)

    func run() async throws {
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        try await Lab.with(hosts: 3) { lab in
            let begun = ContinuousClock.now
            let crowd = try await lab[1].start([own, "advertise", "\(DiscoveryBenchmark.services)"])
            try await Self.line("ready", of: crowd)
            print("\(DiscoveryBenchmark.services) services advertised from one process: \(Self.text(.now - begun))")
            try await compare(own, on: lab[2])
            try await idle(own, on: lab[2], peers: DiscoveryBenchmark.services)
            await crowd.terminate()
            // Their names stay in Avahi's cache for a second after the goodbye.
            let pair = try await lab[3].start([own, "advertise", "2"])
            try await Self.line("ready", of: pair)
            try await lab[2].restartAvahi()
            try await idle(own, on: lab[2], peers: 2)
            await pair.terminate()
        }
    }

    private func compare(_ own: String, on host: LabHost) async throws {
        var (ours, theirs) = ([Duration](), [Duration]())
        for _ in 0..<Self.rounds {
            var begun = ContinuousClock.now
            let browsing = try await host.start([own, "browse", "\(DiscoveryBenchmark.services)"])
            try await Self.line("complete", of: browsing)
            ours.append(.now - begun)
            await browsing.terminate()
            begun = .now
            let tool = try await host.run(["avahi-browse", "-rpt", "_huddle._tcp"], deadline: .seconds(30))
            theirs.append(.now - begun)
            let seen = Set(
                tool.standardOutput.text.split(separator: "\n").filter { $0.hasPrefix("=") }.map {
                    $0.split(separator: ";", omittingEmptySubsequences: false)[3]
                }
            )
            guard seen.count == DiscoveryBenchmark.services else { throw Incomplete(seen: seen.count) }
        }
        let (our, their) = (Self.median(ours), Self.median(theirs))
        print(
            "all seen by another host, median of \(Self.rounds): huddle \(Self.text(our)), avahi-browse -rpt \(Self.text(their))"
        )
        print("ratio huddle : avahi-browse = \(Self.number(our / their))")
    }

    private func idle(_ own: String, on host: LabHost, peers: Int) async throws {
        let browsing = try await host.start([own, "browse", "\(peers)"])
        try await Self.line("complete", of: browsing)
        // The work after finding them ends within a moment.
        try await EventLoop.shared.sleep(for: .seconds(5))
        guard let before = ProcessFigures(of: browsing.identifier) else { throw Incomplete(seen: 0) }
        try await EventLoop.shared.sleep(for: Self.idleTime)
        guard let after = ProcessFigures(of: browsing.identifier) else { throw Incomplete(seen: 0) }
        await browsing.terminate()
        let cost = after.processorTime - before.processorTime
        print(
            "idle browser with \(peers) peers: \(after.residentKiB) KiB resident, \(after.threads) threads, "
                + "\(Self.text(cost)) of processor and \(after.wakeUps - before.wakeUps) wake-ups in \(Self.idleTime)"
        )
    }

    private struct Incomplete: Error { let seen: Int }

    private static func line(_ wanted: String, of program: ChildProcess) async throws {
        guard let output = program.standardOutput else { throw Incomplete(seen: 0) }
        try await EventLoop.shared.withDeadline(.seconds(60), "wait for \(wanted)") {
            for try await line in output.lines() where line == wanted { return }
            throw Incomplete(seen: 0)
        }
    }

    private static func median(_ times: [Duration]) -> Duration {
        times.sorted()[times.count / 2]
    }

    private static func text(_ time: Duration) -> String {
        "\(number(time / .milliseconds(1))) ms"
    }

    private static func number(_ value: Double) -> String {
        let hundredths = Int((value * 100).rounded())
        let rest = hundredths % 100
        return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
    }
}
