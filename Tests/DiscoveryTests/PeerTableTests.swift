import LinuxPlatform
import Testing
import Vocabulary

@testable import Discovery

/// A table with short calls for its tests.
struct TableBench {
    var table: PeerTable
    var now = ContinuousClock.now
    let eth0 = Link(index: 2, name: "eth0")
    let wlan0 = Link(index: 3, name: "wlan0")

    init(ownRun: RunToken? = nil, ownID: PeerID? = nil, limit: Int = 1024) {
        table = PeerTable(ownRun: ownRun, ownID: ownID, limit: limit)
        table.avahiReturned(at: now)
    }

    /// Reports everything that makes a peer appear in the list.
    mutating func advertise(
        _ name: String,
        on link: Link? = nil,
        host: String? = nil,
        port: UInt16 = 4242,
        txt: TXTRecord = TXTRecord()
    ) throws {
        let host = host ?? "\(name.lowercased()).local."
        table.appeared(try InstanceName(name), on: link ?? eth0, at: now)
        table.resolved(try InstanceName(name), to: .init(host: host, port: port, txt: txt), at: now)
        table.appeared(Self.address(of: host), of: host, at: now)
    }

    mutating func pass(_ time: Duration) {
        now += time
        table.advance(to: now)
    }

    var names: [String] { table.listed.values.map(\.name).sorted() }

    func peer(_ name: String) throws -> FoundPeer? {
        table.listed[.advertised(try InstanceName(name))]
    }

    static func address(of host: String) -> IPAddress {
        .v4(10, 77, 0, host.utf8.reduce(0, &+))
    }
}

@Suite("Peer table")
struct PeerTableTests {
    @Test("A peer is listed once host, port and an address are known")
    func completeness() throws {
        var bench = TableBench()
        let deck = try InstanceName("Deck")
        bench.table.appeared(deck, on: bench.eth0, at: bench.now)
        #expect(bench.names.isEmpty)
        bench.table.resolved(deck, to: .init(host: "deck.local.", port: 4242, txt: TXTRecord()), at: bench.now)
        #expect(bench.names.isEmpty)
        bench.table.appeared(.v4(10, 0, 0, 1), of: "deck.local.", at: bench.now)
        let peer = try #require(try bench.peer("Deck"))
        #expect(peer.hostName == "deck.local")
        #expect(peer.addresses.map(\.description) == ["10.0.0.1:4242"])
        #expect(peer.state == .present)
        #expect(bench.table.takeChanges().count == 1)
    }

    @Test("A peer that loses one address family or one interface stays")
    func familiesAndInterfaces() throws {
        var bench = TableBench()
        let deck = try InstanceName("Deck")
        try bench.advertise("Deck")
        bench.table.appeared(deck, on: bench.eth0, at: bench.now)
        bench.table.appeared(deck, on: bench.wlan0, at: bench.now)
        _ = bench.table.takeChanges()
        bench.table.vanished(deck, from: bench.eth0, isLinkUp: true, at: bench.now)
        #expect(try bench.peer("Deck")?.interfaces == ["eth0", "wlan0"])
        bench.table.vanished(deck, from: bench.eth0, isLinkUp: true, at: bench.now)
        #expect(try bench.peer("Deck")?.interfaces == ["wlan0"])
        bench.table.vanished(deck, from: bench.wlan0, isLinkUp: true, at: bench.now)
        #expect(bench.names.isEmpty)
        #expect(bench.table.takeChanges().last?.reason == .goodbye)
    }

    @Test("Removing an unknown sighting changes nothing")
    func strayRemove() throws {
        var bench = TableBench()
        try bench.advertise("Deck")
        bench.table.vanished(try InstanceName("Deck"), from: bench.wlan0, isLinkUp: true, at: bench.now)
        bench.table.vanished(try InstanceName("Nobody"), from: bench.eth0, isLinkUp: true, at: bench.now)
        #expect(bench.names == ["Deck"])
    }

    @Test("When this machine's link goes down, the peer is unreachable, then lost, and returns with the link")
    func linkDown() throws {
        var bench = TableBench()
        try bench.advertise("Deck")
        bench.table.vanished(try InstanceName("Deck"), from: bench.eth0, isLinkUp: false, at: bench.now)
        #expect(try bench.peer("Deck")?.state == .unreachable(.linkDown))
        bench.pass(.seconds(119))
        #expect(try bench.peer("Deck")?.state == .unreachable(.linkDown))
        bench.table.appeared(try InstanceName("Deck"), on: bench.eth0, at: bench.now)
        #expect(try bench.peer("Deck")?.state == .present)
        bench.table.vanished(try InstanceName("Deck"), from: bench.eth0, isLinkUp: false, at: bench.now)
        bench.pass(.seconds(121))
        #expect(bench.names.isEmpty)
        #expect(bench.table.takeChanges().last?.reason == .unreachable)
        #expect(bench.table.records.isEmpty)
    }

    // Avahi still lists the services behind a link without a carrier.
    @Test("Peers behind a cut cable are unreachable at once; those seen over another link are not")
    func carrierLost() throws {
        var bench = TableBench()
        try bench.advertise("Deck")
        try bench.advertise("Desk")
        bench.table.appeared(try InstanceName("Desk"), on: bench.wlan0, at: bench.now)
        bench.table.linksAreDown([bench.eth0.index], at: bench.now)
        #expect(try bench.peer("Deck")?.state == .unreachable(.linkDown))
        #expect(try bench.peer("Deck")?.interfaces == ["eth0"])
        #expect(try bench.peer("Desk")?.state == .present)
        #expect(try bench.peer("Desk")?.interfaces == ["wlan0"])
        bench.pass(.seconds(60))
        bench.table.linksAreDown([], at: bench.now)
        #expect(try bench.peer("Deck")?.state == .unreachable(.notAnswering))
        bench.table.probed(try InstanceName("Deck"), .accepted, at: bench.now)
        #expect(try bench.peer("Deck")?.state == .present)
        bench.table.linksAreDown([bench.eth0.index], at: bench.now)
        bench.pass(.seconds(121))
        #expect(bench.names == ["Desk"])
        bench.table.linksAreDown([], at: bench.now)
        bench.table.probed(try InstanceName("Deck"), .accepted, at: bench.now)
        #expect(bench.names == ["Deck", "Desk"])
    }

    @Test(
        "A peer that stops answering is unreachable, then lost, and returns at any sign of life",
        arguments: [Silence.addressesRanOut, .notResolved, .probeFailed],
        [Life.address, .resolved, .probe, .sighted]
    )
    func silence(silence: Silence, life: Life) throws {
        for isLostMeanwhile in [false, true] {
            var bench = TableBench()
            try bench.advertise("Deck")
            try silence.happen(to: &bench)
            #expect(try bench.peer("Deck")?.state == .unreachable(.notAnswering))
            #expect(try bench.peer("Deck")?.addresses.isEmpty == false)
            bench.pass(.seconds(60))
            try silence.happen(to: &bench)
            bench.pass(.seconds(isLostMeanwhile ? 61 : 59))
            #expect(bench.names == (isLostMeanwhile ? [] : ["Deck"]))
            try life.happen(to: &bench)
            #expect(try bench.peer("Deck")?.state == .present)
            bench.pass(.seconds(1000))
            #expect(bench.names == ["Deck"])
        }
    }

    enum Silence: CaseIterable {
        case addressesRanOut, notResolved, probeFailed

        func happen(to bench: inout TableBench) throws {
            let deck = try InstanceName("Deck")
            switch self {
            case .addressesRanOut:
                bench.table.vanished(TableBench.address(of: "deck.local."), of: "deck.local.", at: bench.now)
            case .notResolved: bench.table.noteUnanswered(deck, on: bench.eth0, at: bench.now)
            case .probeFailed: bench.table.probed(deck, .silence, at: bench.now)
            }
        }
    }

    enum Life: CaseIterable {
        case address, resolved, probe, sighted

        func happen(to bench: inout TableBench) throws {
            let deck = try InstanceName("Deck")
            let endpoint = PeerRecord.Endpoint(host: "deck.local.", port: 4242, txt: TXTRecord())
            switch self {
            case .address: bench.table.appeared(.v4(10, 77, 0, 77), of: "deck.local.", at: bench.now)
            case .resolved: bench.table.resolved(deck, to: endpoint, at: bench.now)
            case .probe: bench.table.probed(deck, .refused, at: bench.now)
            case .sighted: bench.table.appeared(deck, on: bench.eth0, at: bench.now)
            }
        }
    }

    @Test("A service with the leaving mark is lost at once, and returns when the mark is gone")
    func leaving() throws {
        var bench = TableBench()
        let deck = try InstanceName("Deck")
        try bench.advertise("Deck")
        let before = TXTRecord().wireBytes
        bench.table.appeared(text: before, of: deck, on: bench.eth0.index, at: bench.now)
        let leaving = try #require(LeavingMark.added(to: TXTRecord())).wireBytes
        bench.table.appeared(text: leaving, of: deck, on: bench.eth0.index, at: bench.now)
        #expect(bench.names.isEmpty)
        #expect(bench.table.takeChanges().last?.reason == .goodbye)
        // Resolving still returns the old record for a second; then the old record vanishes.
        try bench.advertise("Deck")
        bench.table.vanished(text: before, of: deck, on: bench.eth0.index, at: bench.now)
        #expect(bench.names.isEmpty)
        bench.table.appeared(text: before, of: deck, on: bench.eth0.index, at: bench.now)
        bench.table.vanished(text: leaving, of: deck, on: bench.eth0.index, at: bench.now)
        #expect(bench.names == ["Deck"])
    }

    @Test("A flood of TXT records is cut off at the limit")
    func textFlood() throws {
        var bench = TableBench()
        try bench.advertise("Deck")
        for number in 0..<1000 {
            bench.table.appeared(
                text: [2, UInt8(number / 256), UInt8(number % 256)],
                of: try InstanceName("Deck"),
                on: bench.eth0.index,
                at: bench.now
            )
        }
        #expect(bench.table.records.values.first?.texts.count == 32)
    }

    @Test("A cached record that no host answers for never appears")
    func ghostFromTheCache() throws {
        var bench = TableBench()
        bench.table.appeared(try InstanceName("Ghost"), on: bench.eth0, at: bench.now)
        bench.table.noteUnanswered(try InstanceName("Ghost"), on: bench.eth0, at: bench.now)
        bench.pass(.seconds(1000))
        #expect(bench.table.takeChanges().isEmpty)
    }

    // Seen with Avahi 0.8: after a clash, the old name of the renamed service stays on its own machine's loopback. No
    // service answers for it there. The winner of the clash is seen on the real link.
    @Test("A name that remains on the loopback neither hides the peer that has it nor outlives it")
    func lingeringOnLoopback() throws {
        var bench = TableBench()
        let deck = try InstanceName("Deck")
        let lo = Link(index: 1, name: "lo")
        bench.table.appeared(deck, on: lo, at: bench.now)
        bench.table.noteUnanswered(deck, on: lo, at: bench.now)
        try bench.advertise("Deck")
        #expect(bench.names == ["Deck"])
        let asked = bench.table.wantedLookups.map(\.lookup)
        #expect(asked.contains(.service(deck, bench.eth0)) && !asked.contains(.service(deck, lo)))
        bench.table.vanished(deck, from: bench.eth0, isLinkUp: true, at: bench.now)
        #expect(bench.names.isEmpty)
        #expect(bench.table.takeChanges().last?.reason == .goodbye)
    }

    @Test("If no answer comes over one link, the next is queried, and only silence on all links counts")
    func nextLink() throws {
        var bench = TableBench()
        try bench.advertise("Deck")
        bench.table.appeared(try InstanceName("Deck"), on: bench.wlan0, at: bench.now)
        bench.table.noteUnanswered(try InstanceName("Deck"), on: bench.eth0, at: bench.now)
        #expect(try bench.peer("Deck")?.state == .present)
        #expect(bench.table.records.values.first?.preferredLink == bench.wlan0)
        bench.table.noteUnanswered(try InstanceName("Deck"), on: bench.wlan0, at: bench.now)
        #expect(try bench.peer("Deck")?.state == .unreachable(.notAnswering))
    }

    @Test("Changes of address, port and TXT record are reported")
    func updates() throws {
        var bench = TableBench()
        try bench.advertise("Deck")
        var txt = TXTRecord()
        try txt.set(TXTKey("v"), to: "2")
        bench.table.resolved(
            try InstanceName("Deck"),
            to: .init(host: "deck.local.", port: 5000, txt: txt),
            at: bench.now
        )
        let peer = try #require(try bench.peer("Deck"))
        #expect(peer.port == 5000)
        #expect(peer.addresses.allSatisfy { $0.port == 5000 })
        #expect(peer.txt == txt)
    }

    @Test("Names that differ only in case are one name")
    func caseOfNames() throws {
        var bench = TableBench()
        try bench.advertise("Deck")
        try bench.advertise("DECK", on: bench.wlan0)
        #expect(bench.table.listed.count == 1)
    }

    @Test("Beyond the limit the first half stays, and the newest replace the others")
    func limit() throws {
        var bench = TableBench(limit: 4)
        for number in 0..<7 { try bench.advertise("Peer \(number)") }
        #expect(bench.names == ["Peer 0", "Peer 1", "Peer 5", "Peer 6"])
        #expect(bench.table.hasOverflowed)
        #expect(bench.table.takeChanges().contains { $0.peer == nil && $0.reason == .crowdedOut })
        bench.table.vanished(try InstanceName("Peer 0"), from: bench.eth0, isLinkUp: true, at: bench.now)
        try bench.advertise("Peer 7")
        #expect(bench.names == ["Peer 1", "Peer 5", "Peer 6", "Peer 7"])
    }

    @Test("Beyond the limit an unanswered service is dropped first, and a paired machine never")
    func crowdedOut() throws {
        var bench = TableBench(limit: 4)
        bench.table.known = [try InstanceName("Friend"), try InstanceName("Late friend")]
        for name in ["Peer 0", "Peer 1", "Friend"] { try bench.advertise(name) }
        try bench.advertise("Peer 2")
        bench.table.appeared(try InstanceName("Fake"), on: bench.eth0, at: bench.now)
        #expect(bench.names == ["Friend", "Peer 0", "Peer 1"])
        try bench.advertise("Peer 3")
        #expect(bench.names == ["Friend", "Peer 0", "Peer 1", "Peer 3"])
        for number in 4..<40 { try bench.advertise("Peer \(number)") }
        #expect(bench.names == ["Friend", "Peer 0", "Peer 1", "Peer 39"])
        try bench.advertise("Late friend")
        #expect(bench.names == ["Friend", "Late friend", "Peer 0", "Peer 1"])
    }

    @Test("A service seen over two families is not displaced by services seen over one")
    func broader() throws {
        var bench = TableBench(limit: 4)
        for number in 0..<4 { bench.table.appeared(try InstanceName("Fake \(number)"), on: bench.eth0, at: bench.now) }
        for _ in 0..<2 { bench.table.appeared(try InstanceName("Deck"), on: bench.eth0, at: bench.now) }
        for number in 4..<400 {
            bench.table.appeared(try InstanceName("Fake \(number)"), on: bench.eth0, at: bench.now)
        }
        try bench.advertise("Deck")
        #expect(bench.names == ["Deck"])
        #expect(bench.table.records.count == 4)
    }

    @Test("This program's own advertisement is not listed, whatever its name")
    func own() throws {
        let run = RunToken.random()
        var bench = TableBench(ownRun: run)
        try bench.advertise("Deck", txt: run.mark(TXTRecord()))
        try bench.advertise("Deck #2", txt: run.mark(TXTRecord()))
        try bench.advertise("Other", txt: RunToken.random().mark(TXTRecord()))
        #expect(bench.names == ["Other"])
    }

    @Test("Another program's advertisement with this machine's key is not listed; other keys, and none, are")
    func ownID() throws {
        let own = try #require(PeerID(bytes: [UInt8](repeating: 1, count: 32)))
        let other = try #require(PeerID(bytes: [UInt8](repeating: 2, count: 32)))
        var bench = TableBench(ownID: own)
        for (name, id) in [("Deck", own), ("Other", other)] {
            var txt = TXTRecord()
            try txt.set(.peerID, to: id.description)
            try bench.advertise(name, txt: txt)
        }
        try bench.advertise("Old")
        #expect(bench.names == ["Old", "Other"])
    }

    @Test(
        "The old name of a renamed peer is dropped once no host answers for it; a copied token hides no peer"
    )
    func renamed() throws {
        var bench = TableBench()
        let txt = try RunToken.random().mark(TXTRecord())
        try bench.advertise("Deck", host: "deck.local.", txt: txt)
        try bench.advertise("Evil", host: "deck.local.", txt: txt)
        #expect(bench.names == ["Deck", "Evil"])
        bench.table.noteUnanswered(try InstanceName("Deck"), on: bench.eth0, at: bench.now)
        #expect(bench.names == ["Evil"])
        #expect(bench.table.takeChanges().contains { $0.peer == nil && $0.reason == .renamed })
        try bench.advertise("Deck", host: "deck.local.", txt: txt)
        #expect(bench.names == ["Deck", "Evil"])
    }

    @Test("After a flood has ended, browsing starts again once")
    func roomAgain() throws {
        var bench = TableBench(limit: 8)
        for number in 0..<20 { try bench.advertise("Peer \(number)") }
        #expect(bench.table.hasOverflowed)
        let isRoomDuringFlood = bench.table.hasRoomAgain()
        #expect(!isRoomDuringFlood)
        for number in 0..<3 {
            bench.table.vanished(try InstanceName("Peer \(number)"), from: bench.eth0, isLinkUp: true, at: bench.now)
        }
        let (first, second) = (bench.table.hasRoomAgain(), bench.table.hasRoomAgain())
        #expect(first)
        #expect(!second)
    }

    @Test("A thousand equal services of one hostile host are processed quickly", .timeLimit(.minutes(10)))
    func crowd() throws {
        let (few, many) = (try takingIn(128), try takingIn(1024))
        // One pass over all records for each new one is cheap up to the limit: sixty-four times as long for eight times
        // as many. Comparing every pair for each new one would take five hundred times as long.
        #expect(many < few * 200)
    }

    private func takingIn(_ count: Int) throws -> Duration {
        var bench = TableBench()
        let txt = try RunToken.random().mark(TXTRecord())
        let took = try ContinuousClock().measure {
            for number in 0..<count { try bench.advertise("Peer \(number)", host: "one.local.", txt: txt) }
            bench.table.advance(to: bench.now)
        }
        #expect(bench.table.listed.count == count)
        return took
    }

    @Test(
        "Only private addresses of advertised peers are probed, and loopback ones only for peers on the loopback alone"
    )
    func probeTargets() throws {
        var bench = TableBench()
        let deck = try InstanceName("Deck")
        try bench.advertise("Deck")
        let addresses: [IPAddress] = [
            .v4(127, 0, 0, 1), .v4(93, 184, 216, 34), .v6(high: 0x2606_2800 << 32, low: 1, interface: 0),
            .v6(high: 0xFD77 << 48, low: 2, interface: 0),
        ]
        for address in addresses { bench.table.appeared(address, of: "deck.local.", at: bench.now) }
        guard case .advertised(deck, let asked)? = bench.table.advertisedTargets.first else {
            Issue.record("no peer is probed")
            return
        }
        #expect(asked.map(\.address) == [TableBench.address(of: "deck.local."), addresses[3]])
    }
}

@Suite("Restarts of Avahi")
struct AvahiRestartTests {
    @Test("A peer that is seen again after a restart never leaves the list")
    func seenAgain() throws {
        var bench = TableBench()
        try bench.advertise("Deck")
        _ = bench.table.takeChanges()
        for _ in 0..<20 {
            bench.table.avahiLeft(at: bench.now)
            bench.pass(.seconds(2))
            bench.table.avahiReturned(at: bench.now)
            bench.pass(.seconds(1))
            try bench.advertise("Deck")
            bench.pass(.seconds(60))
        }
        #expect(bench.names == ["Deck"])
        #expect(bench.table.takeChanges().allSatisfy { $0.peer?.state == .present })
        #expect(try bench.peer("Deck")?.addresses.count == 1)
    }

    @Test("A peer that is not seen again is lost after the deadline, and not before")
    func notSeenAgain() throws {
        var bench = TableBench()
        try bench.advertise("Deck")
        try bench.advertise("Desk")
        bench.table.avahiLeft(at: bench.now)
        bench.table.avahiReturned(at: bench.now)
        try bench.advertise("Desk")
        bench.pass(.milliseconds(4900))
        #expect(bench.names == ["Deck", "Desk"])
        bench.pass(.milliseconds(200))
        #expect(bench.names == ["Desk"])
        #expect(bench.table.takeChanges().last?.reason == .notFoundAgain)
    }

    @Test("While Avahi is down for long, its peers become unreachable, then lost")
    func awayForLong() throws {
        var bench = TableBench()
        try bench.advertise("Deck")
        bench.table.avahiLeft(at: bench.now)
        bench.pass(.seconds(29))
        #expect(try bench.peer("Deck")?.state == .present)
        bench.pass(.seconds(2))
        #expect(try bench.peer("Deck")?.state == .unreachable(.avahiAway))
        bench.pass(.seconds(121))
        #expect(bench.names.isEmpty)
        bench.table.avahiReturned(at: bench.now)
        try bench.advertise("Deck")
        #expect(bench.names == ["Deck"])
    }

    @Test("The next deadline is always in the future, so the timer can't spin")
    func deadlines() throws {
        var bench = TableBench()
        try bench.advertise("Deck")
        #expect(bench.table.deadline(after: bench.now) == nil)
        bench.table.probed(try InstanceName("Deck"), .silence, at: bench.now)
        while let deadline = bench.table.deadline(after: bench.now) {
            #expect(deadline > bench.now)
            bench.now = deadline
            bench.table.advance(to: bench.now)
        }
        #expect(bench.names.isEmpty)
    }
}

@Suite("Typed addresses")
struct TypedPeerTests {
    private let typed: HostAndPort
    private let address = SocketAddress(.v4(10, 77, 0, 2), port: 4242)

    init() throws {
        typed = try HostAndPort("10.77.0.2:4242")
    }

    @Test("A typed peer is listed after its probe, whatever the result, and is never lost")
    func listing() {
        var bench = TableBench()
        bench.table.add(typed)
        #expect(bench.names.isEmpty)
        bench.table.probed(typed, at: [address], .silence, at: bench.now)
        #expect(bench.table.listed[.typed(typed)]?.state == .unreachable(.notAnswering))
        bench.table.probed(typed, at: [address], .refused, at: bench.now)
        #expect(bench.table.listed[.typed(typed)]?.state == .unreachable(.refused))
        bench.pass(.seconds(100_000))
        #expect(bench.names == ["10.77.0.2:4242"])
        bench.table.probed(typed, at: [address], .accepted, at: bench.now)
        #expect(bench.table.listed[.typed(typed)]?.state == .present)
        bench.table.avahiLeft(at: bench.now)
        bench.pass(.seconds(1000))
        #expect(bench.table.listed[.typed(typed)]?.state == .present)
        bench.table.remove(typed, at: bench.now)
        #expect(bench.names.isEmpty)
    }

    @Test("A name without an address is listed as unreachable")
    func unknownHost() {
        var bench = TableBench()
        bench.table.add(typed)
        bench.table.probed(typed, at: [], .silence, at: bench.now)
        #expect(bench.table.listed[.typed(typed)]?.state == .unreachable(.notAnswering))
    }

    @Test("A typed peer that is advertised, too, is listed once, and returns when the advertisement ends")
    func advertisedToo() throws {
        var bench = TableBench()
        bench.table.add(typed)
        bench.table.probed(typed, at: [address], .accepted, at: bench.now)
        let deck = try InstanceName("Deck")
        bench.table.appeared(deck, on: bench.eth0, at: bench.now)
        bench.table.resolved(deck, to: .init(host: "deck.local.", port: 4242, txt: TXTRecord()), at: bench.now)
        bench.table.appeared(address.address, of: "deck.local.", at: bench.now)
        #expect(bench.names == ["Deck"])
        bench.table.vanished(deck, from: bench.eth0, isLinkUp: true, at: bench.now)
        #expect(bench.names == ["10.77.0.2:4242"])
    }
}
