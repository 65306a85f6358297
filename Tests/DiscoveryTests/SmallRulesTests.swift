import LinuxPlatform
import Testing
import Vocabulary

@testable import Discovery

@Suite("Choice of interfaces")
struct InterfaceChoiceTests {
    @Test(
        "Patterns select the wanted interfaces",
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

@Suite("Backoff")
struct BackoffTests {
    @Test("Waits double up to the longest, and start small again after a reset")
    func doubling() {
        var backoff = Backoff(first: .milliseconds(20), longest: .milliseconds(100))
        #expect((0..<5).map { _ in backoff.wait() } == [20, 40, 80, 100, 100].map { .milliseconds($0) })
        backoff.reset()
        #expect(backoff.wait() == .milliseconds(20))
    }
}

@Suite("Selection of open lookups")
struct LookupPlanTests {
    private func wanted(_ number: Int, _ need: Lookup.Need, isKnown: Bool = false) throws -> WantedLookup {
        let lookup = Lookup.service(try InstanceName("peer \(number)"), Link(index: 1, name: "eth0"))
        return WantedLookup(lookup: lookup, need: need, isKnown: isKnown, order: number)
    }

    private let start = ContinuousClock.now

    /// A plan with its wanted lookups, moved through virtual time.
    private struct Play {
        var plan = LookupPlan(capacity: 64)
        var open: Set<Lookup> = []
        var most = 0

        mutating func settle(_ wanted: [WantedLookup], at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
            let choice = plan.choose(from: wanted, isCrowd: true, at: now)
            let lookups = Set(choice.ordered)
            for closed in open.subtracting(lookups) { plan.closed(closed) }
            for opened in lookups.subtracting(open) { plan.opened(opened, at: now) }
            open = lookups
            most = max(most, open.count)
            return choice.review
        }
    }

    @Test("All lookups are open if there is room")
    func room() throws {
        let all = try (0..<4).map { try wanted($0, .answered) }
        var plan = LookupPlan(capacity: 4)
        #expect(plan.choose(from: all, isCrowd: false, at: start).ordered.count == 4)
    }

    @Test("Unanswered lookups come first, then open ones")
    func order() throws {
        let all = [
            try wanted(0, .answered), try wanted(1, .answered), try wanted(2, .unanswered), try wanted(3, .answered),
        ]
        var plan = LookupPlan(capacity: 2)
        plan.opened(all[3].lookup, at: start)
        #expect(plan.choose(from: all, isCrowd: false, at: start).ordered == [all[2].lookup, all[3].lookup])
    }

    @Test("Lookups without an answer give way to real peers")
    func hopeless() throws {
        let fakes = try (0..<200).map { try wanted($0, .hopeless) }
        let real = try wanted(999, .unanswered)
        var plan = LookupPlan(capacity: 16)
        for fake in fakes.prefix(16) { plan.opened(fake.lookup, at: start) }
        let chosen = plan.choose(from: fakes + [real], isCrowd: false, at: start).ordered
        #expect(chosen.contains(real.lookup))
        #expect(chosen.count == 16)
    }

    @Test("The selection is stable: with the selected lookups open, the same are selected")
    func stability() throws {
        let all = try (0..<100).map { try wanted($0, .answered) }
        var plan = LookupPlan(capacity: 10)
        let first = plan.choose(from: all, isCrowd: false, at: start).ordered
        for lookup in first { plan.opened(lookup, at: start) }
        #expect(plan.choose(from: all.reversed(), isCrowd: false, at: start).ordered.count == 10)
        #expect(Set(plan.choose(from: all.reversed(), isCrowd: false, at: start).ordered) == Set(first))
    }

    @Test("In a crowd few lookups about strangers are open, and the newest stranger is the next")
    func newcomer() throws {
        var fakes = try (0..<250).map { try wanted($0, .unanswered) }
        var play = Play()
        let review = play.settle(fakes, at: start)
        #expect(play.open.count == 16 && review == start + .milliseconds(250))
        fakes.append(try wanted(250, .unanswered))
        // Lookups that have just been opened keep their turn.
        #expect(play.settle(fakes, at: start + .milliseconds(10)) == start + .milliseconds(250))
        #expect(!play.open.contains(fakes[250].lookup))
        _ = play.settle(fakes, at: start + .milliseconds(250))
        #expect(play.open.contains(fakes[250].lookup) && play.open.count == 16)
    }

    @Test("In a crowd a service seen over two families is looked up before newer ones seen over one")
    func broader() throws {
        var real = try wanted(0, .unanswered)
        real.breadth = 2
        var play = Play()
        _ = play.settle(try (1..<250).map { try wanted($0, .unanswered) } + [real], at: start)
        #expect(play.open.contains(real.lookup))
    }

    @Test("Lookups of a crowd that never answers end within a minute, and those about paired machines stay")
    func givenUp() throws {
        let fakes = try (0..<256).map { try wanted($0, .unanswered) }
        let friends = try (1000..<1010).map { try wanted($0, .answered, isKnown: true) }
        var play = Play()
        var now = start
        while let review = play.settle(fakes + friends, at: now) {
            #expect(Set(friends.map(\.lookup)).isSubset(of: play.open))
            now = review
        }
        #expect(play.open == Set(friends.map(\.lookup)))
        #expect(play.most <= 16 + friends.count && now - start < .seconds(60))
    }

    @Test("A paired machine is looked up at once, whatever the crowd")
    func known() throws {
        let fakes = try (0..<256).map { try wanted($0, .unanswered) }
        var play = Play()
        _ = play.settle(fakes, at: start)
        let friend = try wanted(7000, .unanswered, isKnown: true)
        _ = play.settle(fakes + [friend], at: start + .milliseconds(1))
        #expect(play.open.contains(friend.lookup))
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

    @Test("The addresses of a host are limited")
    func manyAddresses() {
        var host = HostAddresses()
        for number in 0..<4000 { host.add(.v4(10, 0, UInt8(number / 256), UInt8(number % 256))) }
        #expect(host.inOrderOfPreference.count == 16)
    }

    @Test("A lost address family leaves the other")
    func families() {
        var host = HostAddresses()
        host.add(v4)
        host.add(scoped)
        host.remove(v4)
        #expect(host.inOrderOfPreference == [scoped])
    }

    @Test("Routable addresses come before link-local ones, and loopback addresses last")
    func order() {
        var host = HostAddresses()
        let loopback = IPAddress.v4(127, 0, 0, 1)
        for address in [loopback, scoped, global, v4] { host.add(address) }
        #expect(host.inOrderOfPreference == [v4, global, scoped, loopback])
    }

    @Test("Addresses of a closed query stay until the family is queried again")
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
