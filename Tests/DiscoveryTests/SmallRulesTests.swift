import LinuxPlatform
import Testing
import Vocabulary

@testable import Discovery

@Suite("Choosing interfaces")
struct InterfaceChoiceTests {
    @Test(
        "patterns decide which interfaces are wanted",
        arguments: [
            ("eth0", InterfaceChoice.standard, true),
            ("wlp3s0", .standard, true),
            ("br0", .standard, true),
            ("lo", .standard, true),
            ("docker0", .standard, false),
            ("br-1a2b3c", .standard, false),
            ("veth12ab", .standard, false),
            ("virbr0", .standard, false),
            ("docker0", .all, true),
            ("docker0", InterfaceChoice(only: ["docker0"], except: InterfaceChoice.containerBridges), true),
            ("eth0", InterfaceChoice(only: ["wl*"], except: []), false),
            ("wlan0", InterfaceChoice(only: ["wl*"], except: []), true),
            ("tun0", InterfaceChoice(except: ["tun*", "wg*"]), false),
            ("tap-a-b", InterfaceChoice(except: ["t*-*-b"]), false),
            ("tap-a-c", InterfaceChoice(except: ["t*-*-b"]), true),
            ("ab", InterfaceChoice(except: ["ab*ab"]), true),
            ("aba", InterfaceChoice(except: ["ab*ba"]), true),
            ("x", InterfaceChoice(except: ["*"]), false),
        ]
    )
    func patterns(name: String, choice: InterfaceChoice, isAllowed: Bool) {
        #expect(choice.allows(name) == isAllowed)
    }
}

@Suite("Backing off")
struct BackoffTests {
    @Test("waits double up to the longest, and begin anew after a reset")
    func doubling() {
        var backoff = Backoff(first: .milliseconds(20), longest: .milliseconds(100))
        #expect((0..<5).map { _ in backoff.wait() } == [20, 40, 80, 100, 100].map { .milliseconds($0) })
        backoff.reset()
        #expect(backoff.wait() == .milliseconds(20))
    }
}

@Suite("Which questions stay open")
struct LookupPlanTests {
    private func service(_ number: Int) throws -> Lookup {
        .service(try InstanceName("peer \(number)"), Link(index: 1, name: "eth0"))
    }

    @Test("all of them, where there is room")
    func room() throws {
        let wanted = try (0..<4).map { (lookup: try service($0), need: Lookup.Need.answered) }
        #expect(LookupPlan(capacity: 4).choose(from: wanted, open: []).count == 4)
    }

    @Test("what has no answer yet comes first, then what is open already")
    func order() throws {
        let wanted: [(lookup: Lookup, need: Lookup.Need)] = [
            (try service(0), .answered), (try service(1), .answered), (try service(2), .unanswered),
            (try service(3), .answered),
        ]
        let chosen = LookupPlan(capacity: 2).choose(from: wanted, open: [try service(3)])
        #expect(chosen == [try service(2), try service(3)])
    }

    @Test("names that nobody answers for give way to real peers")
    func hopeless() throws {
        let fakes = try (0..<200).map { (lookup: try service($0), need: Lookup.Need.hopeless) }
        let real = (lookup: try service(999), need: Lookup.Need.unanswered)
        let chosen = LookupPlan(capacity: 16).choose(from: fakes + [real], open: Set(fakes.prefix(16).map(\.lookup)))
        #expect(chosen.contains(real.lookup))
        #expect(chosen.count == 16)
    }

    @Test("the choice is stable: with the chosen ones open, the same are chosen")
    func stability() throws {
        let wanted = try (0..<100).map { (lookup: try service($0), need: Lookup.Need.answered) }
        let plan = LookupPlan(capacity: 10)
        let first = plan.choose(from: wanted, open: [])
        #expect(plan.choose(from: wanted.reversed(), open: first) == first)
    }
}

@Suite("Addresses of a host")
struct HostAddressesTests {
    private let v4 = IPAddress.v4(10, 77, 0, 2)
    private let scoped = IPAddress.v6(high: 0xFE80 << 48, low: 2, interface: 3)
    private let global = IPAddress.v6(high: 0xFD77 << 48, low: 2, interface: 0)

    @Test("an address reported twice stays after one remove")
    func counting() {
        var host = HostAddresses()
        host.add(v4)
        host.add(v4)
        host.remove(v4)
        #expect(host.inOrderOfPreference == [v4])
        host.remove(v4)
        #expect(host.isEmpty)
        host.remove(v4)
        #expect(host.isEmpty)
    }

    @Test("a host with thousands of addresses is cut short")
    func manyAddresses() {
        var host = HostAddresses()
        for number in 0..<4000 { host.add(.v4(10, 0, UInt8(number / 256), UInt8(number % 256))) }
        #expect(host.inOrderOfPreference.count == 16)
    }

    @Test("losing one family leaves the other")
    func families() {
        var host = HostAddresses()
        host.add(v4)
        host.add(scoped)
        host.remove(v4)
        #expect(host.inOrderOfPreference == [scoped])
    }

    @Test("routable addresses come before link-local ones, this machine's own last")
    func order() {
        var host = HostAddresses()
        let loopback = IPAddress.v4(127, 0, 0, 1)
        for address in [loopback, scoped, global, v4] { host.add(address) }
        #expect(host.inOrderOfPreference == [v4, global, scoped, loopback])
    }

    @Test("an answer that is followed no more stands until the family is asked again")
    func staleness() {
        var host = HostAddresses()
        host.add(v4)
        host.stopFollowing(.v4)
        host.remove(v4)
        #expect(host.inOrderOfPreference == [v4])
        let new = IPAddress.v4(10, 77, 0, 9)
        host.add(new)
        #expect(host.inOrderOfPreference == [new])
    }
}
