import Glibc
import LabKit
import LinuxPlatform
import Testing

extension LabSuites {
    @Suite("Strangers on the network", .needsLab, .timeLimit(.minutes(5)))
    struct StrangerTests {
        @Test("A stranger is blocked, unblocked and set to ask by its name and its ID in the list")
        func blocked() async throws {
            try await Lab.with(hosts: 2) { lab in
                let folder = "/var/tmp/huddle-lab-stranger-\(getpid())"
                let here = try await DaemonHost(lab[1], in: "\(folder)/here")
                let there = try await DaemonHost(lab[2], in: "\(folder)/there")
                do {
                    try await isBlocked(there, at: here)
                } catch {
                    Issue.record(error)
                }
                await here.terminate()
                await there.terminate()
                _ = try await lab[1].run(["rm", "-rf", folder])
            }
        }

        private func isBlocked(_ there: DaemonHost, at here: DaemonHost) async throws {
            let name = there.host.name
            var id: String?
            while id == nil {
                id = try await here.huddle("peers").firstMatch(of: #/host2 +(\S+) +ask +no +online/#).map { "\($0.1)" }
            }
            let short = try #require(id)
            #expect(
                try await here.huddle("block", name)
                    == "Blocked \(name) (\(short)). To it, this machine looks offline.\n"
            )
            #expect(try await here.huddle("peers").contains("block"))
            #expect(try await here.huddle("unblock", name).hasPrefix("Unblocked \(name) (\(short))."))
            try await here.huddle("forget", name)
            try await here.huddle("block", short)
            try await here.huddle("forget", short)
            #expect(try await here.huddle("policy", name, "--set", "block").contains("block"))
            try await here.huddle("forget", name)
            // An unknown machine can't be accepted by the name that it announces.
            for words in [["--set", "accept"], ["--allow", "saves"]] {
                let refused = try await here.host.run(here.command(["policy", name] + words), deadline: .seconds(60))
                #expect(refused.status == .exited(4) && refused.standardError.text.contains("only announced"))
            }
            // The machine is blocked by its whole ID, and has no name here but the one that it announces.
            let whole = try await there.huddle("identity").firstMatch(of: #/(?:[a-z2-7]{4}-){12}[a-z2-7]{4}/#)
            try await here.huddle("block", String(try #require(whole).output))
            #expect(try await here.huddle("unblock", name).hasPrefix("Unblocked \(name) (\(short))."))
        }
    }
}
