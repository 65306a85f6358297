import Glibc
import LabKit
import LinuxPlatform
import Testing

extension LabSuites {
    @Suite("Discovery through faults", .needsLab, .timeLimit(.minutes(10)))
    struct SteadinessTests {
        private static let rounds = LabSuites.rounds(20)

        // With MALLOC_PERTURB_ fresh memory has garbage. Without the cleared memory that Huddle gives to Avahi's
        // library, the library jumps into that garbage at the first restart.
        @Test("The list is right after each of 20 restarts of avahi-daemon")
        func avahiRestarts() async throws {
            try await Lab.with(hosts: 3) { lab in
                let trio = try await Trio(lab, environment: ["MALLOC_PERTURB_": "165"])
                try await trio.areComplete()
                for round in 0..<Self.rounds {
                    try await lab.hosts[round % 3].restartAvahi()
                }
                try await trio.areComplete()
                for member in trio.members {
                    #expect(member.now.notices.contains("waiting-for-avahi"))
                    #expect(member.now.notices.contains("avahi-is-there"))
                }
                await trio.end()
            }
        }

        @Test("The list is right after 20 cable cuts")
        func cableCuts() async throws {
            try await Lab.with(hosts: 3) { lab in
                let trio = try await Trio(lab, ["--probe", "1s"])
                try await trio.areComplete()
                for round in 0..<Self.rounds {
                    let host = lab.hosts[round % 3]
                    let member = trio.members[round % 3]
                    try await host.cutCable()
                    try await member.waits { $0.present.isEmpty }
                    try await host.plugCable()
                    try await member.waits { !$0.present.isEmpty }
                }
                try await trio.areComplete(within: .seconds(40))
                await trio.end()
            }
        }

        @Test("Behind a cut cable peers are unreachable, then lost, and found again after the repair")
        func cableCut() async throws {
            try await Lab.with(hosts: 3) { lab in
                let trio = try await Trio(lab, ["--probe", "1s", "--lost-after", "4s"])
                try await trio.areComplete()
                let (near, far) = (trio.members[2], trio.members[0])
                try await lab[3].cutCable()
                try await near.waits { state in
                    state.peers.count == 2 && state.peers.values.allSatisfy { $0.reason == "link-down" }
                }
                try await far.waits { $0.peers["advertised host3"]?.reason == "not-answering" }
                #expect(far.now.present == ["host2"])
                try await near.waits { $0.peers.isEmpty }
                try await far.waits { $0.peers["advertised host3"] == nil }
                #expect(near.now.lostReasons == ["unreachable", "unreachable"])
                #expect(far.now.lostReasons == ["unreachable"])
                #expect(near.now.notices.contains("interface-vanished"))
                try await lab[3].plugCable()
                try await trio.areComplete()
                await trio.end()
            }
        }

        @Test("A host without traffic but with a carrier is unreachable until it answers again")
        func silentCut() async throws {
            try await Lab.with(hosts: 3) { lab in
                let trio = try await Trio(lab, ["--probe", "1s"])
                try await trio.areComplete()
                try await lab[2].isolate()
                try await trio.members[0].waits { $0.peers["advertised host2"]?.reason == "not-answering" }
                try await trio.members[1].waits { $0.present.isEmpty && $0.peers.count == 2 }
                try await lab[2].rejoin()
                try await trio.areComplete()
                #expect(trio.members[0].now.lostReasons.isEmpty)
                await trio.end()
            }
        }

        @Test("A killed avahi-daemon and a restarted bus are reported, and discovery recovers")
        func killedAvahiAndBus() async throws {
            try await Lab.with(hosts: 3) { lab in
                let trio = try await Trio(lab, environment: ["MALLOC_PERTURB_": "165"])
                try await trio.areComplete()
                try await lab[1].killAvahi()
                try await trio.members[0].waits { $0.notices.contains("waiting-for-avahi") }
                #expect(trio.members[0].now.present == ["host2", "host3"])
                try await lab[1].startAvahi()
                try await trio.areComplete()
                try await lab[2].restartBus()
                try await trio.areComplete()
                #expect(trio.members[1].now.notices.contains("waiting-for-avahi"))
                await trio.end()
            }
        }

        @Test("Without Avahi each command starts, names the next step, and works once Avahi starts")
        func withoutAvahi() async throws {
            try await Lab.with(hosts: 2) { lab in
                try await lab[1].stopAvahi()
                let late = try await BrowsingHost(lab[1], advertising: "host1")
                let other = try await BrowsingHost(lab[2], advertising: "host2")
                try await late.waits { $0.notices.contains("waiting-for-avahi") }
                try await lab[1].startAvahi()
                try await late.waits { $0.present == ["host2"] }
                try await other.waits { $0.present == ["host1"] }
                await late.end()
                await other.end()
            }
        }

        // Avahi's own tool shows that the removal for one family has arrived.
        @Test("A peer that loses one address family stays in the list")
        func familyLost() async throws {
            try await Lab.with(hosts: 3) { lab in
                let browsing = try await BrowsingHost(lab[1])
                let other = try await BrowsingHost(lab[2], advertising: "host2")
                try await browsing.waits { $0.peers["advertised host2"]?.addresses.count == 2 }
                let raw = try await lab[1].start(["avahi-browse", "-p", "_huddle._tcp"])
                _ = try await line(from: raw.standardOutput) { $0.hasPrefix("+;eth0;IPv6;host2") }
                try #require(try await lab[1].run(["ip", "-6", "address", "flush", "dev", "eth0"]).status.isSuccess)
                _ = try await line(from: raw.standardOutput) { $0.hasPrefix("-;eth0;IPv6;host2") }
                let late = try await BrowsingHost(lab[3], advertising: "host3")
                try await browsing.waits { $0.present == ["host2", "host3"] }
                #expect(browsing.now.lostReasons.isEmpty)
                #expect(!browsing.now.events.contains { $0.event == "unreachable" })
                await raw.terminate()
                for member in [browsing, other, late] { await member.end() }
            }
        }
    }
}
