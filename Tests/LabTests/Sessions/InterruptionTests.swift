import Glibc
import LabKit
import LinuxPlatform
import Testing

extension LabSuites {
    /// Transfers of a file between two hosts, with all kinds of interruptions.
    ///
    /// `HUDDLE_INTERRUPTIONS=20 HUDDLE_FILE_MIB=1024 HUDDLE_CUT_SECONDS=10` is the whole measurement. The defaults are
    /// shorter.
    @Suite("Interrupted transfers of files", .needsLab, .timeLimit(.minutes(60)))
    struct InterruptionTests {
        private static func setting(_ name: String, or standard: Int) -> Int {
            ProgramLaunch.ownEnvironment[name].flatMap { Int($0) } ?? standard
        }

        private static let rounds = setting("HUDDLE_INTERRUPTIONS", or: 3)
        private static let size = UInt64(setting("HUDDLE_FILE_MIB", or: 96)) << 20
        private static let cut = Duration.seconds(setting("HUDDLE_CUT_SECONDS", or: 2))

        /// Two hosts with paired daemons, a file on the first one, and `huddle inbox` on the second.
        private func withFile(
            impairment: Impairment? = nil,
            size: UInt64 = size,
            _ body: @escaping @Sendable (Lab, DaemonHost, ReceivingHost, _ send: [String]) async throws -> Void
        ) async throws {
            try await Lab.with(hosts: 2) { lab in
                let folder = "/var/tmp/huddle-lab-\(getpid())"
                _ = try await lab[1].run(["mkdir", "-p", "\(folder)/1", "\(folder)/2/in"])
                let count = size >> 20
                _ = try await lab[1].run(
                    ["dd", "if=/dev/urandom", "of=\(folder)/1/big", "bs=1M", "count=\(count)"],
                    deadline: .seconds(60)
                )
                let receiver = try await ReceivingHost(lab[2], in: "\(folder)/2")
                let sender = try await DaemonHost(lab[1], in: "\(folder)/1")
                let inviting = try await lab[1].start(sender.command(["invite", "host2", "--wait", "15s"]))
                try await receiver.letIn(inviting)
                let invited = try await inviting.complete(deadline: .seconds(40))
                #expect(invited.status.isSuccess, "\(invited.standardError.text)")
                if let impairment { try await lab[2].impair(impairment) }
                let send = sender.command(["send", "host2", "\(folder)/1/big", "--wait", "20s"])
                do {
                    try await body(lab, sender, receiver, send)
                } catch {
                    Issue.record(error)
                }
                await receiver.end()
                await sender.terminate()
                let same = try await lab[1].run(
                    ["cmp", "\(folder)/1/big", "\(folder)/2/in/big"],
                    deadline: .seconds(60)
                )
                #expect(same.status.isSuccess, "what arrived is what was sent")
                let names = try await lab[1].run(["ls", "-A", "\(folder)/2/in"])
                #expect(names.standardOutput.text == "big\n", "nothing is left beside it")
                _ = try await lab[1].run(["rm", "-rf", folder])
            }
        }

        /// Runs a command that must succeed, and shows its output if it fails.
        private func succeed(_ words: [String], on host: LabHost) async throws {
            let ended = try await host.run(words, deadline: .seconds(1800))
            try #require(ended.status.isSuccess, "\(ended.status): \(ended.standardError.text)")
        }

        /// The offsets in the file at which the interruptions happen.
        private static func place(_ round: Int) -> UInt64 { size * UInt64(round) / UInt64(rounds + 1) }

        @Test("A file arrives through a cable that is cut again and again, and no byte is sent twice")
        func cables() async throws {
            try await withFile { lab, _, receiver, send in
                async let sending: Void = succeed(send, on: lab[1])
                for round in 1...Self.rounds {
                    try await receiver.has(bytes: Self.place(round), orReceived: "big")
                    try await lab[2].cutCable()
                    // because the test is about the time without a cable
                    try await EventLoop.shared.sleep(for: Self.cut)
                    try await lab[2].plugCable()
                }
                try await sending
                try await receiver.hasReceived("big")
            }
        }

        @Test("A cut cable is noticed within ten seconds, and its repair soon after")
        func silence() async throws {
            try await Lab.with(hosts: 2) { lab in
                let folder = "/var/tmp/huddle-lab-silence-\(getpid())"
                _ = try await lab[1].run(["mkdir", "-p", "\(folder)/1", "\(folder)/2/in"])
                let receiver = try await ReceivingHost(lab[2], in: "\(folder)/2")
                let sender = try await DaemonHost(lab[1], in: "\(folder)/1")
                var launch = lab[1].launch(sender.command(["pipe", "host2", "--wait", "15s"]))
                launch.standardInput = .pipe
                launch.standardOutput = .pipe
                let speaking = try await lab[1].start(launch)
                try await receiver.letIn(speaking)
                try await receiver.says("joined")
                let clock = ContinuousClock()
                try await lab[2].cutCable()
                let unnoticed = try await clock.measure { try await receiver.says("away") }
                // because the last bytes may be as old as the ping of a quiet link
                #expect(unnoticed < .seconds(11), "silence is noticed after ten seconds: \(unnoticed)")
                #expect(unnoticed > .seconds(4), "and not before it means something: \(unnoticed)")
                try await lab[2].plugCable()
                let apart = try await clock.measure { try await receiver.says("returned") }
                #expect(apart < .seconds(10), "\(apart)")
                _ = await speaking.terminate()
                await receiver.end()
                await sender.terminate()
                _ = try await lab[1].run(["rm", "-rf", folder])
            }
        }

        @Test("A receiver that is killed again and again resumes the file")
        func receiverKilled() async throws {
            try await withFile { lab, _, receiver, send in
                async let sending: Void = succeed(send, on: lab[1])
                for round in 1...Self.rounds {
                    try await receiver.has(bytes: Self.place(round), orReceived: "big")
                    try await receiver.kill()
                    try await receiver.start()
                }
                try await sending
                try await receiver.hasReceived("big")
            }
        }

        @Test("A sender that is killed again and again resumes the file")
        func senderKilled() async throws {
            try await withFile { lab, sender, receiver, send in
                for round in 1...Self.rounds where !receiver.hasIt("big") {
                    let sending = try await lab[1].start(send)
                    try await receiver.has(bytes: Self.place(round), orReceived: "big")
                    try await sender.kill()
                    _ = try await sending.wait()
                    try await sender.start()
                }
                // If a file that has arrived is sent again, it becomes “big (2)”.
                if !receiver.hasIt("big") { try await succeed(send, on: lab[1]) }
                try await receiver.hasReceived("big")
            }
        }

        @Test("A file arrives through a slow network that loses one packet in twenty")
        func badNetwork() async throws {
            try await withFile(impairment: Impairment(lossPercent: 5, delay: .milliseconds(50)), size: 2 << 20) {
                lab,
                _,
                receiver,
                send in
                try await succeed(send, on: lab[1])
                try await receiver.hasReceived("big")
            }
        }
    }
}
