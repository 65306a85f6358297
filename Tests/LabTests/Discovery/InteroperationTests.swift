import LabKit
import LinuxPlatform
import Testing

extension LabSuites {
    @Suite("Discovery together with Avahi's tools", .needsLab, .timeLimit(.minutes(10)))
    struct InteroperationTests {
        @Test("huddle browse shows everything that avahi-publish advertises")
        func fromAvahi() async throws {
            try await Lab.with(hosts: 2) { lab in
                let browsing = try await BrowsingHost(lab[1])
                let name = "Wohnzimmer 🛋 " + String(repeating: "é", count: 22) + "xyz"
                #expect(name.utf8.count == 63)
                let key = String(repeating: "k", count: 200)
                let words = [
                    "v=1", "=nokey", "alone", "empty=", "bin=\u{1B}[31m\u{7}", "a=b=c", "\(key)=long", "V=again",
                ]
                let publishing = try await lab[2].start(["avahi-publish", "-s", name, "_huddle._tcp", "4242"] + words)
                try await browsing.waits { $0.peers["advertised \(name)"]?.addresses.count == 2 }
                let peer = try #require(browsing.now.peers["advertised \(name)"])
                #expect(peer.port == 4242)
                #expect(peer.host == "host2.local")
                #expect(peer.text("alone") == nil)
                #expect(peer.txt.contains { $0.key == "alone" })
                #expect(peer.text("empty") == "")
                #expect(peer.text("bin") == "\u{1B}[31m\u{7}")
                #expect(peer.text("a") == "b=c")
                #expect(peer.text(key) == "long")
                #expect(!peer.txt.contains { $0.key.isEmpty })
                #expect(peer.txt.filter { $0.key.lowercased() == "v" }.count == 1)
                #expect(peer.addresses.sorted() == ["10.77.0.2", "fd77::2"])
                await publishing.terminate()
                try await browsing.waits { $0.peers.isEmpty }
                await browsing.end()
            }
        }

        @Test("A name or TXT record never reaches a terminal unescaped")
        func printing() async throws {
            try await Lab.with(hosts: 2) { lab in
                let bad = try await lab[2].start(["avahi-publish", "-s", "bad\u{1B}]0;x\u{7}", "_huddle._tcp", "4242"])
                let good = try await lab[2].start(
                    ["avahi-publish", "-s", "good\u{202E}\\", "_huddle._tcp", "4243", "t=\u{1B}[2J\u{9B}1m", "e="]
                )
                let seen = try await lab[1].run([HuddleProgram.path, "browse", "--for", "3s"])
                let json = try await lab[1].run([HuddleProgram.path, "browse", "--for", "1s", "--json"])
                await bad.terminate()
                await good.terminate()
                #expect(seen.standardOutput.text.contains("good\\u{202e}\\\\"))
                #expect(seen.standardOutput.text.contains("t=\\u{1b}[2J\\u{9b}1m"))
                #expect(seen.standardError.text.contains("left out “bad\\u{1b}]0;x\\u{7}”: it has a control character"))
                for text in [seen.standardOutput.text, seen.standardError.text, json.standardOutput.text] {
                    let raw = text.unicodeScalars.filter { scalar in
                        (scalar.value < 0x20 && scalar != "\n") || (0x7F...0x9F).contains(scalar.value)
                            || scalar == "\u{202E}"
                    }
                    #expect(raw.isEmpty)
                }
            }
        }

        @Test("avahi-browse shows everything that huddle advertise advertises, also after a change")
        func toAvahi() async throws {
            try await Lab.with(hosts: 2) { lab in
                let path = HuddleProgram.path
                var launch = lab[1].launch([path, "advertise", "Deck", "--port", "4242", "--txt", "v=1", "--edit"])
                launch.standardInput = .pipe
                let advertising = try await lab[1].start(launch)
                let browsing = try await lab[2].start(["avahi-browse", "-rp", "_huddle._tcp"])
                let first = try await line(from: browsing.standardOutput) { $0.hasPrefix("=;eth0;IPv4;Deck") }
                #expect(first.contains("host1.local;10.77.0.1;4242;"))
                #expect(first.contains("\"v=1\""))
                await browsing.terminate()
                let watching = try await BrowsingHost(lab[2])
                try await watching.waits { $0.peers["advertised Deck"]?.text("v") == "1" }
                try await advertising.standardInput?.write(Array("v=2\nmode\n-nothing\n".utf8))
                try await watching.waits { state in
                    let peer = state.peers["advertised Deck"]
                    return peer?.text("v") == "2" && peer?.txt.contains { $0.key == "mode" } == true
                }
                await watching.end()
                #expect(await advertising.terminate() == .exited(0))
            }
        }

        // libavahi-client prints a warning for each signal of the bus that it does not know.
        @Test("A bus that reloads its settings causes no output")
        func reloadedBus() async throws {
            try await Lab.with(hosts: 1) { lab in
                let browsing = try await lab[1].start([HuddleProgram.path, "browse", "--json"])
                var lines = try #require(browsing.standardOutput).lines().makeAsyncIterator()
                while let line = try await lines.next(), !line.contains("avahi-is-there") {}
                let reload = ["/", "org.freedesktop.DBus.ReloadConfig"]
                let bus = ["dbus-send", "--system", "--print-reply", "--dest=org.freedesktop.DBus"]
                #expect(try await lab[1].run(bus + reload).status.isSuccess)
                // The service comes after the signal, on the same connection.
                let publishing = try await lab[1].start(["avahi-publish", "-s", "Deck", "_huddle._tcp", "4242"])
                while let line = try await lines.next(), !line.contains("Deck") {}
                #expect(await browsing.terminate() == .exited(0))
                var printed: [String] = []
                for try await line in try #require(browsing.standardError).lines() { printed.append(line) }
                #expect(printed == [])
                _ = await publishing.terminate()
            }
        }

        @Test("A renamed service gets its name when the other one leaves, and is always visible")
        func nameComesBack() async throws {
            try await Lab.with(hosts: 3) { lab in
                let other = try await lab[2].start(["avahi-publish", "-s", "Deck", "_huddle._tcp", "4242"])
                let third = try await BrowsingHost(lab[3])
                try await third.waits { $0.present == ["Deck"] }
                let second = try await BrowsingHost(lab[1], advertising: "Deck")
                try await third.waits { $0.present == ["Deck", "Deck #2"] }
                _ = await other.terminate()
                try await second.waits { $0.ownName == "Deck" }
                try await third.waits { $0.present == ["Deck"] && $0.peers["advertised Deck"]?.host == "host1.local" }
                await second.end()
                await third.end()
            }
        }

        // Either peer may keep the name. The test expects two names, and a report of the renamed peer. The second peer
        // starts when the first has its name: if both ask at the same moment, Avahi can rename both again and again for
        // many seconds (docs/internals/decisions/002).
        @Test("Two peers with one name get two, and the renamed one reports it")
        func oneName() async throws {
            try await Lab.with(hosts: 3) { lab in
                let third = try await BrowsingHost(lab[3])
                let first = try await BrowsingHost(lab[1], advertising: "Deck")
                try await third.waits { $0.present == ["Deck"] }
                let pair = [first, try await BrowsingHost(lab[2], advertising: "Deck")]
                try await third.waits { state in
                    state.present.count == 2 && state.peers.count == 2
                        && state.present.allSatisfy { $0.hasPrefix("Deck") }
                }
                for member in pair {
                    try await member.waits { state in
                        guard let own = state.ownName else { return false }
                        return third.now.present.subtracting([own]) == state.present && state.peers.count == 1
                    }
                    let own = member.now.ownName
                    #expect(own == "Deck" || member.now.events.contains { $0.name == own && $0.wanted == "Deck" })
                }
                #expect(pair.contains { $0.now.ownName != "Deck" })
                for member in pair + [third] { await member.end() }
            }
        }

        @Test("Two services that ask for one name at the same moment both soon get a name")
        func oneNameAtOnce() async throws {
            try await Lab.with(hosts: 3) { lab in
                let third = try await BrowsingHost(lab[3])
                for round in 1...5 {
                    async let one = BrowsingHost(lab[1], advertising: "Twin \(round)")
                    async let other = BrowsingHost(lab[2], advertising: "Twin \(round)")
                    let pair = try await [one, other]
                    try await third.waits(atMost: .seconds(30)) { state in
                        state.present.count { $0.hasPrefix("Twin \(round)") } == 2
                    }
                    for member in pair { await member.end() }
                }
                await third.end()
            }
        }

        @Test("A peer is found once by its typed address and once by its .local name")
        func typed() async throws {
            try await Lab.with(hosts: 2) { lab in
                let silent = try await lab[2].start(
                    [HuddleProgram.path, "advertise", "Hidden", "--type", "other", "--json"]
                )
                let aside = try await BrowsingHost(lab[1], ["--type", "other"])
                try await aside.waits { $0.present == ["Hidden"] }
                let port = try #require(aside.now.peers["advertised Hidden"]?.port)
                await aside.end()
                let typed = ["10.77.0.2:\(port)", "host2.local:\(port)", "10.77.0.2:1"]
                let browsing = try await BrowsingHost(lab[1], typed.flatMap { ["--peer", $0] })
                try await browsing.waits { $0.peers.count == 3 && $0.present == Set(typed.prefix(2)) }
                #expect(browsing.now.peers["typed 10.77.0.2:1"]?.reason == "refused")
                await browsing.end()
                let both = try await BrowsingHost(lab[1], ["--type", "other", "--peer", typed[0]])
                try await both.waits { $0.present == ["Hidden"] && $0.peers.count == 1 }
                await both.end()
                await silent.terminate()
            }
        }

        @Test("A container bridge is left out on both sides, and a new interface is used")
        func interfaces() async throws {
            try await Lab.with(hosts: 2) { lab in
                try await lab[1].addInterface("docker0", addresses: ["172.17.0.1/16"])
                let first = try await BrowsingHost(lab[1], advertising: "host1")
                let second = try await BrowsingHost(lab[2], advertising: "host2")
                try await first.waits { $0.present == ["host2"] }
                try await second.waits { $0.present == ["host1"] }
                #expect(second.now.peers["advertised host1"]?.addresses.contains("172.17.0.1") == false)
                let onDocker = try await lab[1].run(["avahi-browse", "-rpt", "_huddle._tcp"])
                #expect(!onDocker.standardOutput.text.contains(";docker0;"))
                #expect(onDocker.standardOutput.text.contains(";eth0;"))
                for host in lab.hosts {
                    try await host.addInterface("eth1", toNetwork: "second", addresses: ["10.78.0.\(host.number)/24"])
                }
                try await first.waits { $0.peers["advertised host2"]?.interfaces == ["eth0", "eth1"] }
                try await second.waits { $0.peers["advertised host1"]?.interfaces == ["eth0", "eth1"] }
                #expect(first.now.notices.contains("interface-appeared"))
                try await lab[1].cutCable()
                try await first.waits { $0.peers["advertised host2"]?.interfaces == ["eth1"] }
                #expect(first.now.present == ["host2"])
                #expect(first.now.lostReasons.isEmpty)
                await first.end()
                await second.end()
            }
        }
    }
}
