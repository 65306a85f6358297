import FoundationEssentials
import LabKit
import LinuxPlatform
import Testing
import Workbench

extension LabSuites {
    @Suite("Measurements between machines", .needsLab, .timeLimit(.minutes(10)))
    struct BenchTests {
        private struct Measured: Decodable {
            let event: String
            let kind: String?
            let counts: [String: Int]?
        }

        @Test("A slow cable is the named limit, and its delay is in every round trip")
        func slowLine() async throws {
            try await DaemonHost.withTwo("bench") { lab, from, to in
                // Two megabytes a second, and ten milliseconds each way.
                try await lab[2].impair(Impairment(delay: .milliseconds(10), bitsPerSecond: 16_000_000))
                let lines = try await from.huddle("bench", lab[2].name, "--json").split(separator: "\n")
                let page = try JSONPage()
                for line in lines { #expect(page.fault(in: line) == nil, "\(line)") }
                let reported = try lines.map { try JSONDecoder().decode(Measured.self, from: Data($0.utf8)) }
                let measured = reported.filter { $0.event == "measured" }
                let kinds = measured.compactMap(\.kind)
                #expect(kinds.prefix(4) == ["round-trip", "messages", "stream", "encryption"], "\(lines)")
                func count(_ kind: String, _ name: String) throws -> Int {
                    try #require(measured.first { $0.kind == kind }?.counts?[name], "\(kind) \(name): \(lines)")
                }
                #expect(try count("round-trip", "p50_microseconds") >= 20_000)
                #expect(try count("round-trip", "network_microseconds") >= 20_000)
                #expect(try count("stream", "bytes_per_second") <= 2_200_000)
                #expect(try count("encryption", "bytes_per_second") > 2_200_000)
            }
        }

        @Test(
            "A machine with the policy ask declines a measurement, and one that blocks gives no answer"
        )
        func refused() async throws {
            try await DaemonHost.withTwo("bench") { lab, from, to in
                try await to.huddle("policy", lab[1].name, "--set", "ask")
                let asks = try await lab[1].run(from.command(["bench", lab[2].name]), deadline: .seconds(60))
                #expect(asks.status == .exited(6), "\(asks.standardError.text)")
                #expect(asks.standardError.text.contains("--set accept"), "\(asks.standardError.text)")
                try await to.huddle("block", lab[1].name)
                let blocks = try await lab[1].run(from.command(["bench", lab[2].name]), deadline: .seconds(60))
                #expect(blocks.status == .exited(5) && blocks.standardError.text.contains("did not answer"))
            }
        }
    }
}
