import LabKit
import LinuxPlatform
import Testing

extension LabSuites {
    @Suite("Daemons that stop during transfers", .needsLab, .timeLimit(.minutes(10)))
    struct StopTests {
        /// Two megabytes a second. The transfers take far longer than a stopping daemon waits for them.
        private static let line = 16_000_000
        private static let fileMiB: UInt64 = 32
        private static let saveMiB: UInt64 = 16
        private static let arrived: UInt64 = 3 << 20

        /// Two paired machines, with a file and a game on the first one.
        private func withHosts(
            _ body: @escaping @Sendable (_ lab: Lab, _ from: DaemonHost, _ to: DaemonHost) async throws -> Void
        ) async throws {
            try await DaemonHost.withTwo("stop") { lab, from, to in
                _ = try await lab[1].run(["mkdir", "\(from.folder)/game"])
                for (path, size) in [("big", Self.fileMiB), ("game/world", Self.saveMiB)] {
                    let words = ["dd", "if=/dev/urandom", "of=\(from.folder)/\(path)", "bs=1M", "count=\(size)"]
                    _ = try await lab[1].run(words, deadline: .seconds(60))
                }
                try await from.huddle("share", "--only-here", "\(from.folder)/game", "--name", "game")
                try await from.huddle("share", "game", "--with", "host2")
                while try await !to.huddle("list").contains("game") {}
                try await body(lab, from, to)
            }
        }

        private func send(_ from: DaemonHost) -> [String] {
            from.command(["send", "host2", "\(from.folder)/big", "--wait", "60s"])
        }

        private func same(_ lab: Lab, _ one: String, _ other: String) async throws -> Bool {
            try await lab[1].run(["cmp", "-s", one, other], deadline: .seconds(60)).status.isSuccess
        }

        @Test("A file and a game continue after the next start of a daemon, and both arrive", arguments: [1, 2])
        func inTheMiddle(stopped: Int) async throws {
            try await withHosts { lab, from, to in
                try await lab[2].impair(Impairment(bitsPerSecond: Self.line))
                async let joining = lab[2].run(
                    to.command(["join", "game", "--at", "\(to.folder)/game"]),
                    deadline: .seconds(120)
                )
                let sending = try await lab[1].start(send(from))
                while try await to.metric("huddle_received_bytes_total{kind=\"resources\"}") < Self.arrived {}
                while try await to.metric("huddle_received_bytes_total{kind=\"streams\"}") < Self.arrived {}
                _ = try await joining
                let host = stopped == 1 ? from : to
                try await host.stop()
                #expect(try await !same(lab, "\(from.folder)/big", "\(to.inbox)/big"))
                #expect(try await !same(lab, "\(from.folder)/game/world", "\(to.folder)/game/world"))
                try await lab[2].clearImpairment()
                try await host.start()
                if stopped == 1 {
                    // The command reports that it must run again.
                    #expect(try await sending.wait() != .exited(0))
                    let again = try await lab[1].run(send(from), deadline: .seconds(240))
                    #expect(again.status.isSuccess, "\(again.standardError.text)")
                } else {
                    #expect(try await sending.wait() == .exited(0))
                }
                #expect(try await same(lab, "\(from.folder)/big", "\(to.inbox)/big"))
                while try await !same(lab, "\(from.folder)/game/world", "\(to.folder)/game/world") {}
                // Bytes that had arrived were not sent again.
                let kinds = [("resources", Self.fileMiB), ("streams", Self.saveMiB)]
                for (kind, size) in kinds {
                    let bytes = try await host.metric(
                        "huddle_\(stopped == 1 ? "sent" : "received")_bytes_total{kind=\"\(kind)\"}"
                    )
                    #expect(bytes < (size << 20) - Self.arrived / 2, "\(kind) \(bytes)")
                }
            }
        }
    }
}
