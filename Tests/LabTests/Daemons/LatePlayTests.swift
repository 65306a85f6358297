import LabKit
import LinuxPlatform
import Testing

extension LabSuites {
    @Suite("Play while the newest version is on its way", .needsLab, .timeLimit(.minutes(10)))
    struct LatePlayTests {
        /// The outcome, with all output.
        private func play(_ host: DaemonHost, _ words: String...) async throws -> (status: ProgramEnding, text: String)
        {
            let ended = try await host.host.run(
                [HuddleProgram.path, "play", "--state", host.state] + words,
                deadline: .seconds(180)
            )
            return (ended.status, ended.standardOutput.text + ended.standardError.text)
        }

        @Test("The game is refused, starts with --anyway, and waits with enough time")
        func late() async throws {
            try await DaemonHost.withTwo("late") { lab, from, to in
                let (there, here) = ("\(from.folder)/game", "\(to.folder)/game")
                _ = try await lab[1].run(["sh", "-c", "mkdir \(there); echo 1 > \(there)/slot"])
                try await from.huddle("share", "--only-here", there, "--name", "game")
                try await from.huddle("share", "game", "--with", "host2")
                while try await !to.huddle("list").contains("game") {}
                try await to.huddle("join", "game", "--at", here)
                while try await !lab[2].run(["test", "-e", "\(here)/slot"]).status.isSuccess {}

                // Two megabytes a second.
                try await lab[2].impair(Impairment(bitsPerSecond: 16_000_000))
                let words = ["dd", "if=/dev/urandom", "of=\(there)/world", "bs=1M", "count=48"]
                _ = try await lab[1].run(words, deadline: .seconds(60))
                while try await !to.huddle("list").contains("receiving") {}
                let refused = try await play(to, "game", "--wait", "1s", "--", "echo", "begun")
                #expect(refused.status == .exited(1), "\(refused.text)")
                #expect(refused.text.contains("the newest version of game has not come in time\nhint: switch on"))
                let anyway = try await play(to, "game", "--wait", "1s", "--anyway", "--", "echo", "begun")
                #expect(anyway.status == .exited(0) && anyway.text.contains("begun"), "\(anyway.text)")
                let warning = "game is played with the save of this machine; another version may be newer"
                #expect(anyway.text.contains(warning), "\(anyway.text)")

                // The machine with the newest version leaves in the middle of the transfer.
                try await from.stop()
                while try await !to.huddle("list").contains("from a machine that is offline") {}
                let gone = try await play(to, "game", "--wait", "1s", "--", "echo", "begun")
                #expect(gone.status == .exited(1) && gone.text.contains("has not come in time"), "\(gone.text)")

                try await lab[2].clearImpairment()
                async let played = play(to, "game", "--wait", "120s", "--", "cmp", "\(there)/world", "\(here)/world")
                try await from.start()
                let whole = try await played
                #expect(whole.status == .exited(0), "\(whole.text)")
            }
        }
    }
}
