import FoundationEssentials
import Glibc
import LabKit
import LinuxPlatform
import Testing

extension LabSuites {
    @Suite("What the doctor finds", .needsLab, .timeLimit(.minutes(10)))
    struct DoctorTests {
        struct Finding: Decodable {
            let check: String
            let state: String
            let message: String
        }

        /// Hosts, the first two with a daemon whose key is in a folder of its own.
        private func withDaemons(
            _ body: @escaping @Sendable (_ lab: Lab, _ state: @Sendable (Int) -> String) async throws -> Void
        ) async throws {
            try await Lab.with(hosts: 2) { lab in
                let folder = "/var/tmp/huddle-lab-doctor-\(getpid())"
                let state: @Sendable (Int) -> String = { "\(folder)/\($0)" }
                var daemons: [ChildProcess] = []
                for host in lab.hosts {
                    let words = ["--state", state(host.number), "--into", "\(folder)/in", "--name", host.name]
                    let daemon = try await host.start([HuddleProgram.daemonPath] + words)
                    var log = try #require(daemon.standardError).lines().makeAsyncIterator()
                    while let line = try await log.next(), !line.contains("listening on port") {}
                    daemons.append(daemon)
                }
                do {
                    try await body(lab, state)
                } catch {
                    Issue.record(error)
                }
                for daemon in daemons { _ = await daemon.terminate() }
                _ = try await lab[1].run(["rm", "-rf", folder])
            }
        }

        private func doctor(_ host: LabHost, _ state: String) async throws -> [Finding] {
            let words = [HuddleProgram.path, "doctor", "--json", "--state", state]
            let program = try await host.run(words, deadline: .seconds(40))
            return try program.standardOutput.text.split(separator: "\n").map { line in
                try JSONDecoder().decode(Finding.self, from: Data(line.utf8))
            }
        }

        private func states(_ findings: [Finding], _ check: String) -> [String] {
            findings.filter { $0.check == check }.map(\.state)
        }

        @Test("multicast that passes, and a peer that was never let in; then multicast that the network keeps away")
        func multicast() async throws {
            try await withDaemons { lab, state in
                let first = try await doctor(lab[1], state(1))
                #expect(states(first, "avahi") == ["ok"])
                #expect(states(first, "host-name") == ["ok"])
                #expect(states(first, "interfaces") == ["ok"])
                #expect(states(first, "multicast") == ["ok"], "\(first)")
                #expect(states(first, "port") == ["ok"])
                #expect(first.contains { $0.check == "peers" && $0.message.contains("never let in") }, "\(first)")

                try await lab[1].dropMulticast()
                let second = try await doctor(lab[1], state(1))
                let found = try #require(second.first { $0.check == "multicast" })
                #expect(found.state == "fault", "\(second)")
                #expect(found.message.contains("host2") && found.message.contains("is not heard"), "\(found)")

                try await lab[1].passMulticast()
                #expect(states(try await doctor(lab[1], state(1)), "multicast") == ["ok"])
            }
        }

        @Test("Avahi that has ended, Avahi that hangs, and no bus")
        func avahi() async throws {
            try await withDaemons { lab, state in
                let process = try await lab[1].run(["pgrep", "-x", "avahi-daemon"]).standardOutput.text
                let first = try #require(process.split(separator: "\n").first)
                _ = try await lab[1].run(["kill", "-STOP", String(first)])
                let hung = try await doctor(lab[1], state(1))
                _ = try await lab[1].run(["kill", "-CONT", String(first)])
                #expect(hung.contains { $0.check == "avahi" && $0.message.contains("does not answer") }, "\(hung)")

                try await lab[1].stopAvahi()
                let ended = try await doctor(lab[1], state(1))
                #expect(ended.contains { $0.check == "avahi" && $0.message.contains("does not run") }, "\(ended)")

                try await lab[1].stopBus()
                let alone = try await doctor(lab[1], state(1))
                #expect(alone.contains { $0.check == "avahi" && $0.message.contains("system bus") }, "\(alone)")
            }
        }

        @Test("a host that nothing reaches any more, a cable that is out, and only Docker's bridge")
        func cables() async throws {
            try await withDaemons { lab, state in
                try await lab[1].addInterface("docker0", addresses: ["172.17.0.1/16"])
                try await lab[1].cutCable()
                let cut = try await doctor(lab[1], state(1))
                #expect(states(cut, "interfaces") == ["fault"], "\(cut)")
                try await lab[1].mendCable()
                #expect(states(try await doctor(lab[1], state(1)), "interfaces") == ["ok"])
            }
        }

        @Test("a clock over there that is three hours ahead, and is set right")
        func clocks() async throws {
            try await Lab.with(hosts: 2) { lab in
                let folder = "/var/tmp/huddle-lab-clocks-\(getpid())"
                let deck = try await DaemonHost(lab[1], in: "\(folder)/1")
                let clock = "\(folder)/clock"
                try await setClock(at: clock, of: lab[2], to: 3 * 3600)
                let desk = try await DaemonHost(lab[2], in: "\(folder)/2", withClockOf: clock)
                try await deck.meets(desk)
                try await deck.huddle("msg", lab[2].name, "hello")
                let apart = try await doctor(lab[1], deck.state)
                let found = apart.filter { $0.check == "clock" && $0.message.contains("clock is 3 hours ahead") }
                #expect(found.map(\.state) == ["warning"], "\(apart)")
                try await setClock(at: clock, of: lab[2], to: 0)
                try await deck.huddle("msg", lab[2].name, "hello")
                let mended = try await doctor(lab[1], deck.state)
                #expect(!mended.contains { $0.check == "clock" && $0.message.contains("ahead") }, "\(mended)")
                await deck.terminate()
                await desk.terminate()
                _ = try await lab[1].run(["rm", "-rf", folder])
            }
        }

        private func setClock(at path: String, of host: LabHost, to seconds: Int) async throws {
            // It is mapped into the daemon, and must never be empty.
            let script = #"mkdir -p "${1%/*}" && printf '%+031d\n' "$2" | dd of="$1" conv=notrunc status=none"#
            let ended = try await host.run(["sh", "-c", script, "sh", path, "\(seconds)"])
            try #require(ended.status.isSuccess, "\(ended.standardError.text)")
        }

        @Test("a disk that is full")
        func disk() async throws {
            try await withDaemons { lab, state in
                let script = """
                    set -e
                    mkdir -p "$1"
                    mount -t tmpfs -o size=1m tmpfs "$1"
                    dd if=/dev/zero of="$1/rest" bs=1M count=2 2> /dev/null || true
                    exec "$2" doctor --json --state "$1/state"
                    """
                let words = ["unshare", "--mount", "sh", "-c", script, "sh", "\(state(1))-full", HuddleProgram.path]
                let program = try await lab[1].run(words, deadline: .seconds(40))
                let text = program.standardOutput.text
                #expect(program.status == .exited(25), "\(text)\(program.standardError.text)")
                #expect(text.contains("the disk with what is remembered is full"), "\(text)")
                _ = try await lab[1].run(["rm", "-rf", "\(state(1))-full"])
            }
        }
    }
}
