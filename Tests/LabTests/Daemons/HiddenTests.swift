import Glibc
import LabKit
import LinuxPlatform
import Testing

extension LabSuites {
    @Suite("Daemons that other machines can't find", .needsLab, .timeLimit(.minutes(4)))
    struct HiddenTests {
        @Test("The daemon reports in its events and its status that it can't be found")
        func avahiGone() async throws {
            try await Lab.with(hosts: 1) { lab in
                let folder = "/var/tmp/huddle-lab-hidden-\(getpid())"
                let daemon = try await DaemonHost(lab[1], in: folder)
                do {
                    try await tells(daemon, of: lab[1])
                    // The same is true from the start on.
                    try await lab[1].stopAvahi()
                    try await daemon.stop()
                    try await daemon.start()
                    while try await !daemon.huddle("status").contains("avahi-daemon does not run") {}
                } catch {
                    Issue.record(error)
                }
                await daemon.terminate()
                _ = try await lab[1].run(["rm", "-rf", folder])
            }
        }

        private func tells(_ daemon: DaemonHost, of host: LabHost) async throws {
            #expect(try await !daemon.huddle("status").contains("can't find"))
            let events = try await host.start(daemon.command(["events", "--json"]))
            var lines = try #require(events.standardOutput).lines().makeAsyncIterator()
            func next(_ event: String) async throws -> String {
                while let line = try await lines.next() {
                    if line.contains("\"event\":\"\(event)\"") { return line }
                }
                return ""
            }
            #expect(try await next("ready") != "")
            try await host.stopAvahi()
            let withdrawn = try await next("withdrawn")
            #expect(withdrawn.contains("\"reason\":\"no-daemon\""))
            #expect(try await daemon.huddle("status").contains("others can't find this machine, nor it them"))
            #expect(try await daemon.huddle("status", "--json").contains("\"reason\":\"no-daemon\""))
            try await host.startAvahi()
            #expect(try await next("advertised").contains("\"name\":\"host1\""))
            #expect(try await !daemon.huddle("status").contains("can't find"))
            _ = await events.terminate()
        }
    }
}
