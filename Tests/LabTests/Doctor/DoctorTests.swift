import FoundationEssentials
import Glibc
import LabKit
import LinuxPlatform
import Testing
import Workbench

extension LabSuites {
    @Suite("Findings of the doctor", .needsLab, .timeLimit(.minutes(10)))
    struct DoctorTests {
        struct Finding: Decodable {
            let check: String
            let state: String
            let message: String
            let commands: [String]?
        }

        /// Hosts, of which the first two have a daemon with a key in a folder of its own.
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
            return try findings(program.standardOutput.text)
        }

        private func findings(_ text: String) throws -> [Finding] {
            let page = try JSONPage()
            return try text.split(separator: "\n").map { line in
                #expect(page.fault(in: line) == nil, "\(line)")
                return try JSONDecoder().decode(Finding.self, from: Data(line.utf8))
            }
        }

        /// Expects a finding of that kind with these words and that command.
        private func expect(
            _ findings: [Finding],
            _ check: String,
            _ state: String,
            _ words: String,
            _ command: String,
            _ location: SourceLocation = #_sourceLocation
        ) {
            let found = findings.contains { finding in
                finding.check == check && finding.state == state && finding.message.contains(words)
                    && finding.commands?.contains { $0.contains(command) } == true
            }
            #expect(found, "\(findings.filter { $0.check == check })", sourceLocation: location)
        }

        private func states(_ findings: [Finding], _ check: String) -> [String] {
            findings.filter { $0.check == check }.map(\.state)
        }

        @Test("The doctor finds an unpaired machine, and then a network that drops multicast")
        func multicast() async throws {
            try await withDaemons { lab, state in
                let first = try await doctor(lab[1], state(1))
                #expect(states(first, "avahi") == ["ok"])
                #expect(states(first, "host-name") == ["ok"])
                #expect(states(first, "interfaces") == ["ok"])
                #expect(states(first, "multicast") == ["ok"], "\(first)")
                #expect(states(first, "port") == ["ok"])
                expect(first, "peers", "warning", "not paired", "huddle pair ")

                try await lab[1].dropMulticast()
                let second = try await doctor(lab[1], state(1))
                expect(second, "multicast", "fault", "host2", "huddle invite HOST:PORT")
                expect(second, "multicast", "fault", "is not heard", "huddle invite HOST:PORT")

                try await lab[1].passMulticast()
                #expect(states(try await doctor(lab[1], state(1)), "multicast") == ["ok"])
            }
        }

        @Test("The doctor finds an ended Avahi, a hanging one, and a missing bus")
        func avahi() async throws {
            try await withDaemons { lab, state in
                let process = try await lab[1].run(["pgrep", "-x", "avahi-daemon"]).standardOutput.text
                let first = try #require(process.split(separator: "\n").first)
                _ = try await lab[1].run(["kill", "-STOP", String(first)])
                let hung = try await doctor(lab[1], state(1))
                _ = try await lab[1].run(["kill", "-CONT", String(first)])
                expect(hung, "avahi", "fault", "does not answer", "sudo systemctl restart avahi-daemon")

                try await lab[1].stopAvahi()
                let ended = try await doctor(lab[1], state(1))
                expect(ended, "avahi", "fault", "does not run", "sudo systemctl enable --now avahi-daemon")

                try await lab[1].stopBus()
                let alone = try await doctor(lab[1], state(1))
                expect(alone, "avahi", "fault", "system bus", "sudo systemctl start dbus")
            }
        }

        @Test(
            "The doctor finds a missing cable beside the interface of Docker or a VPN",
            arguments: ["docker0", "tailscale0"]
        )
        func cables(other: String) async throws {
            try await withDaemons { lab, state in
                try await lab[1].addInterface(other, addresses: ["172.17.0.1/16"])
                try await lab[1].cutCable()
                let cut = try await doctor(lab[1], state(1))
                expect(cut, "interfaces", "fault", "only \(other)", "nmcli device status")
                expect(cut, "interfaces", "fault", "is without cable", "nmcli device status")
                #expect(cut.allSatisfy { !$0.message.contains("no answer comes") }, "\(cut)")
                try await lab[1].plugCable()
                #expect(states(try await doctor(lab[1], state(1)), "interfaces") == ["ok"])
            }
        }

        @Test("The doctor finds two machines of one name, until one has another name")
        func names() async throws {
            try await withDaemons { lab, state in
                _ = try await lab[2].run(["hostname", lab[1].name])
                try await lab[2].restartAvahi()
                // Both may have begun to claim the name before either received the other's claim.
                var found: [Finding] = []
                while states(found, "host-name") != ["fault"] { found = try await doctor(lab[2], state(2)) }
                expect(
                    found,
                    "host-name",
                    "fault",
                    "are called \(lab[1].name)",
                    "sudo hostnamectl set-hostname NEW-NAME"
                )
                _ = try await lab[2].run(["hostname", lab[2].name])
                try await lab[2].restartAvahi()
                while states(found, "host-name") != ["ok"] { found = try await doctor(lab[2], state(2)) }
            }
        }

        @Test("The doctor finds a closed port, from both machines")
        func closedPort() async throws {
            try await withDaemons { lab, state in
                let status = try await lab[1].run([HuddleProgram.path, "status", "--state", state(1)]).standardOutput
                    .text
                let port = try #require(status.firstMatch(of: #/port (\d+)/#)?.1)
                // A replacement for a firewall, which the kernel may not have: packets to that port have no route. TCP
                // is given by its number, because its name is known only if netbase is installed.
                let script = """
                    for family in -4 -6; do
                        ip $family rule add pref 5 ipproto 6 dport "$1" blackhole
                        ip $family rule add pref 10 lookup local
                        ip $family rule del pref 0
                    done
                    """
                let closing = try await lab[1].run(["sh", "-ec", script, "sh", String(port)])
                try #require(closing.status.isSuccess, "\(closing.standardError.text)")
                let here = try await doctor(lab[1], state(1))
                expect(here, "port", "fault", "port \(port) takes no connections", "huddle config show")
                let there = try await doctor(lab[2], state(2))
                expect(there, "peers", "fault", "no answer comes", "huddle doctor    # on the other machine")
            }
        }

        @Test("The doctor finds a clock of another machine that is three hours ahead, until it is set")
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
                let repaired = try await doctor(lab[1], deck.state)
                #expect(!repaired.contains { $0.check == "clock" && $0.message.contains("ahead") }, "\(repaired)")
                await deck.terminate()
                await desk.terminate()
                _ = try await lab[1].run(["rm", "-rf", folder])
            }
        }

        private func setClock(at path: String, of host: LabHost, to seconds: Int) async throws {
            // The daemon maps this file, so it must never be empty.
            let script = #"mkdir -p "${1%/*}" && printf '%+031d\n' "$2" | dd of="$1" conv=notrunc status=none"#
            let ended = try await host.run(["sh", "-c", script, "sh", path, "\(seconds)"])
            try #require(ended.status.isSuccess, "\(ended.standardError.text)")
        }

        /// A fault of a machine itself, which is made for one program.
        struct Ailment: Sendable, CustomTestStringConvertible {
            let testDescription: String
            /// The script that makes the fault, as root in a mount namespace of its own. `$scratch` is a folder for it,
            /// and `$state` is the daemon's.
            let cause: String
            let check: String
            let state: String
            let words: String
            let command: String

            init(_ name: String, _ cause: String, _ check: String, _ state: String, _ words: String, fix: String) {
                (testDescription, self.cause, self.check) = (name, cause, check)
                (self.state, self.words, command) = (state, words, fix)
            }
        }

        private static let smallDisk = "mount -t tmpfs -o size=1m tmpfs $scratch; state=$scratch/state; mkdir $state; "
        private static let limits = "/proc/sys/fs/inotify"

        static let ailments = [
            Ailment(
                "a disk that is full",
                "\(smallDisk) dd if=/dev/zero of=$scratch/rest bs=1M count=2 2>$scratch/../said || true",
                "disk",
                "fault",
                "the disk with the state folder is full",
                fix: "df -h "
            ),
            Ailment(
                "a disk that can only be read",
                "\(smallDisk) mount -o remount,ro $scratch",
                "disk",
                "fault",
                "is read-only",
                fix: "sudo mount -o remount,rw "
            ),
            Ailment(
                "a limit on watches that is too low",
                "echo 1 >$scratch/limit; mount --bind $scratch/limit \(limits)/max_user_watches",
                "watches",
                "fault",
                "the limit is 1",
                fix: "echo fs.inotify.max_user_watches="
            ),
            Ailment(
                "a limit on queues that is too low",
                "echo 1 >$scratch/limit; mount --bind $scratch/limit \(limits)/max_user_instances",
                "watches",
                "fault",
                "of 1 queues",
                fix: "echo fs.inotify.max_user_instances="
            ),
            Ailment(
                "ufw",
                "mount -t tmpfs tmpfs /etc; mkdir /etc/ufw; echo ENABLED=yes >/etc/ufw/ufw.conf",
                "port",
                "warning",
                "ufw is on",
                fix: "sudo ufw allow "
            ),
            Ailment(
                "firewalld",
                "mkdir -p /run/firewalld",
                "port",
                "warning",
                "firewalld is on",
                fix: "sudo firewall-cmd --reload"
            ),
            Ailment(
                "a state folder that all users can read",
                "chmod 755 $state",
                "files",
                "fault",
                "755",
                fix: "chmod 700 "
            ),
        ]

        @Test("The doctor finds a fault of the machine itself and its repair", arguments: ailments)
        func ailment(_ ailment: Ailment) async throws {
            try await withDaemons { lab, state in
                let script = """
                    set -e
                    program=$1 state=$2 scratch=$2-scratch
                    mkdir -p "$scratch"
                    \(ailment.cause)
                    exec "$program" doctor --json --state "$state"
                    """
                let words = ["unshare", "--mount", "sh", "-c", script, "sh", HuddleProgram.path, state(1)]
                let program = try await lab[1].run(words, deadline: .seconds(40))
                let found = try findings(program.standardOutput.text)
                expect(found, ailment.check, ailment.state, ailment.words, ailment.command)
                #expect(found.contains { $0.state == "fault" } == (program.status == .exited(25)))
                try #require(program.standardError.text.isEmpty, "\(program.standardError.text)")
            }
        }
    }
}
