import Glibc
import LabKit
import LinuxPlatform
import Testing
import Vocabulary

@Suite("The lab itself", .serialized, .needsLab, .timeLimit(.minutes(10)))
struct LabItselfTests {
    private let publish = ["avahi-publish", "-s", "Deck", "_huddle._tcp", "4242", "v=1"]
    private let browse = ["avahi-browse", "-rp", "_huddle._tcp"]

    @Test("A published service is found by the other hosts with name, address and text")
    func discovery() async throws {
        try await Lab.with(hosts: 3) { lab in
            #expect(lab.hosts.map(\.name) == ["host1", "host2", "host3"])
            let publishing = try await lab[1].start(publish)
            for host in lab.hosts.dropFirst() {
                let browsing = try await host.start(browse)
                let found = try await line(from: browsing.standardOutput) { $0.hasPrefix("=;eth0;IPv4;") }
                #expect(found == "=;eth0;IPv4;Deck;_huddle._tcp;local;host1.local;10.77.0.1;4242;\"v=1\"")
                #expect(await browsing.terminate() == .exited(0))
            }
            await publishing.terminate()
        }
    }

    @Test("A program has its own exit code, and gets signals directly")
    func programs() async throws {
        try await Lab.with(hosts: 1, startsDaemons: false) { lab in
            let result = try await lab[1].run(["sh", "-c", "hostname; echo complaint >&2; exit 7"])
            #expect(result.status == .exited(7))
            #expect(result.standardOutput.text == "host1\n")
            #expect(result.standardError.text == "complaint\n")
            let trapping = try await lab[1].start(["sh", "-c", "trap 'exit 42' TERM; echo up; sleep 1000 & wait"])
            _ = try await line(from: trapping.standardOutput) { $0 == "up" }
            #expect(await trapping.terminate() == .exited(42))
            let killed = try await lab[1].start(["sh", "-c", "echo up; exec sleep 1000"])
            _ = try await line(from: killed.standardOutput) { $0 == "up" }
            killed.send(SIGKILL)
            #expect(try await killed.wait() == .signalled(SIGKILL))
            let error = await #expect(throws: LabError.self) { try await lab[1].run(["no-such-program"]) }
            #expect(error?.code == "lab.program")
            let slow = try await lab[1].run(["sleep", "1000"], deadline: .milliseconds(200))
            #expect(slow.exceededDeadline)
        }
    }

    @Test("A host has its own folders, the working directory and the given environment")
    func surroundings() async throws {
        try await Lab.with(hosts: 2, startsDaemons: false) { lab in
            let folder = try #require(getcwd(nil, 0))
            defer { free(folder) }
            let script = "pwd; echo $COLOUR; touch $HOME/mine $XDG_RUNTIME_DIR/mine; ls $HOME; ps -o pid= -C cat"
            let first = try await lab[1].run(["sh", "-c", script], environment: ["COLOUR": "green"])
            #expect(first.standardOutput.text == "\(String(cString: folder))\ngreen\nmine\n      1\n")
            let second = try await lab[2].run(["sh", "-c", "ls $HOME $XDG_RUNTIME_DIR"])
            #expect(!second.standardOutput.text.contains("mine"))
        }
    }

    @Test("A cut cable has no carrier and no frames until it is plugged in again")
    func cable() async throws {
        try await Lab.with(hosts: 2, startsDaemons: false) { lab in
            #expect(try await lab[1].ping(lab[2]).received == 20)
            try await lab[2].cutCable()
            #expect(try await lab[2].run(["ip", "link"]).standardOutput.text.contains("NO-CARRIER"))
            #expect(try await lab[1].ping(lab[2], count: 5, patience: .milliseconds(200)).received == 0)
            try await lab[2].plugCable()
            #expect(try await !lab[2].run(["ip", "link"]).standardOutput.text.contains("NO-CARRIER"))
            #expect(try await lab[1].ping(lab[2]).received == 20)
        }
    }

    @Test("An isolated host has a carrier but sees no host until it rejoins")
    func isolation() async throws {
        try await Lab.with(hosts: 3, startsDaemons: false) { lab in
            try await lab[2].isolate()
            #expect(try await !lab[2].run(["ip", "link"]).standardOutput.text.contains("NO-CARRIER"))
            #expect(try await lab[1].ping(lab[2], count: 5, patience: .milliseconds(200)).received == 0)
            #expect(try await lab[1].ping(lab[3]).received == 20)
            try await lab[2].rejoin()
            #expect(try await lab[1].ping(lab[2]).received == 20)
        }
    }

    @Test("A stopped Avahi sends a goodbye, and a restarted one is found again")
    func avahiRestart() async throws {
        try await Lab.with(hosts: 2) { lab in
            let browsing = try await lab[2].start(["avahi-browse", "-p", "_huddle._tcp"])
            var lines = try #require(browsing.standardOutput).lines().makeAsyncIterator()
            let first = try await lab[1].start(publish)
            #expect(try await lines.next() == "+;eth0;IPv6;Deck;_huddle._tcp;local")
            #expect(try await lines.next() == "+;eth0;IPv4;Deck;_huddle._tcp;local")
            try await lab[1].stopAvahi()
            #expect(try await !lab[1].isAvahiRunning())
            #expect(try await Set([lines.next(), lines.next()]).allSatisfy { $0?.hasPrefix("-;eth0;") == true })
            await first.terminate()
            try await lab[1].startAvahi()
            #expect(try await lab[1].avahiLog().contains("Host name is host1.local"))
            let second = try await lab[1].start(publish)
            #expect(try await lines.next()?.hasPrefix("+;eth0;") == true)
            try await lab[1].killAvahi()
            #expect(try await !lab[1].isAvahiRunning())
            try await lab[1].restartAvahi()
            #expect(try await lab[1].isAvahiRunning())
            await second.terminate()
            await browsing.terminate()
        }
    }

    @Test("A host's Avahi ends without its bus, and starts again with it")
    func busRestart() async throws {
        try await Lab.with(hosts: 1) { lab in
            let ask = ["dbus-send", "--system", "--print-reply", "--dest=org.freedesktop.Avahi", "/"]
            let question = ask + ["org.freedesktop.Avahi.Server.GetHostName"]
            try await lab[1].restartBus()
            #expect(try await lab[1].run(question).standardOutput.text.contains("host1"))
            try await lab[1].stopBus()
            #expect(try await !lab[1].isAvahiRunning())
            #expect(try await lab[1].run(question).status == .exited(1))
            try await lab[1].startBus()
            try await lab[1].startAvahi()
            #expect(try await lab[1].run(question).standardOutput.text.contains("host1"))
        }
    }

    @Test("Interfaces can be added and removed, with a second network or none")
    func interfaces() async throws {
        try await Lab.with(hosts: 2, startsDaemons: false) { lab in
            try await lab[1].addInterface("docker0", addresses: ["172.17.0.1/16"])
            for host in lab.hosts {
                let address = "10.78.0.\(host.number)/24"
                try await host.addInterface("eth1", toNetwork: "second", addresses: [address])
            }
            let addresses = try await lab[1].run(["ip", "-br", "address"]).standardOutput.text
            #expect(addresses.contains("172.17.0.1/16"))
            #expect(addresses.contains("10.78.0.1/24"))
            try await lab[2].cutCable()
            let neighbour = try await lab[1].run(["bash", "-c", "echo > /dev/tcp/10.78.0.2/9"])
            #expect(neighbour.standardError.text.contains("refused"), "somebody is there, over the other network")
            try await lab[1].removeInterface("docker0")
            try await lab[1].removeInterface("eth1")
            #expect(try await lab[1].run(["ip", "-br", "link"]).standardOutput.text.split(separator: "\n").count == 2)
        }
    }

    @Test("Two labs with the same names and addresses don't see each other")
    func twoLabs() async throws {
        async let first = Lab.up(LabPlan(hosts: 2))
        async let second = Lab.up(LabPlan(hosts: 2))
        let (one, other) = try await (first, second)
        let publishing = try await one[1].start(publish)
        let browsing = try await one[2].start(browse)
        _ = try await line(from: browsing.standardOutput) { $0.hasPrefix("=") }
        let elsewhere = try await other[2].run(["avahi-browse", "-pt", "_huddle._tcp"])
        #expect(elsewhere.standardOutput.text.isEmpty)
        await other.end()
        #expect(try await one[1].ping(one[2]).received == 20)
        await publishing.terminate()
        await browsing.terminate()
        await one.end()
    }

    @Test("A failed step names the host, the step and the last output")
    func failedStep() async throws {
        try await Lab.with(hosts: 1) { lab in
            let error = await #expect(throws: LabError.self) { try await lab[1].startAvahi() }
            let message = try #require(error?.message)
            #expect(message.contains("host1 could not start Avahi"))
            #expect(message.contains("avahi runs already"))
        }
    }
}
