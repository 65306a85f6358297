import LinuxPlatform
import Testing
import Vocabulary

@testable import Discovery

/// A table with the few words that its tests need.
struct TableBench {
    var table: PeerTable
    var now = ContinuousClock.now
    let eth0 = Link(index: 2, name: "eth0")
    let wlan0 = Link(index: 3, name: "wlan0")

    init(ownRun: RunToken? = nil, ownID: PeerID? = nil, limit: Int = 1024) {
        table = PeerTable(ownRun: ownRun, ownID: ownID, limit: limit)
        table.avahiReturned(at: now)
    }

    /// Everything that makes a peer appear in the list.
    mutating func bring(
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

@Suite("Who is there")
struct PeerTableTests {
    @Test("a peer is in the list once host, port and an address are known, not before")
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

    @Test("a peer that loses one address family, or one interface, is still there")
    func familiesAndInterfaces() throws {
        var bench = TableBench()
        let deck = try InstanceName("Deck")
        try bench.bring("Deck")
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

    @Test("a remove that was never added changes nothing")
    func strayRemove() throws {
        var bench = TableBench()
        try bench.bring("Deck")
        bench.table.vanished(try InstanceName("Deck"), from: bench.wlan0, isLinkUp: true, at: bench.now)
        bench.table.vanished(try InstanceName("Nobody"), from: bench.eth0, isLinkUp: true, at: bench.now)
        #expect(bench.names == ["Deck"])
    }

    @Test("when this machine's link goes down the peer is unreachable, then lost, and back when the link is")
    func linkDown() throws {
        var bench = TableBench()
        try bench.bring("Deck")
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

    // Avahi goes on naming the services behind a link whose cable is out.
    @Test("peers behind a cut cable are unreachable at once, those seen over another link are not")
    func carrierLost() throws {
        var bench = TableBench()
        try bench.bring("Deck")
        try bench.bring("Desk")
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
        "a peer that falls silent is unreachable, then lost, and any sign of life brings it back",
        arguments: [Silence.addressesRanOut, .notResolved, .probeFailed],
        [Life.address, .resolved, .probe, .sighted]
    )
    func silence(silence: Silence, life: Life) throws {
        for isLostMeanwhile in [false, true] {
            var bench = TableBench()
            try bench.bring("Deck")
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
            case .notResolved: bench.table.wasNotAnswered(deck, on: bench.eth0, at: bench.now)
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

    @Test("a service that says in its TXT record that it leaves has left at once, and is back when it says so no more")
    func leaving() throws {
        var bench = TableBench()
        let deck = try InstanceName("Deck")
        try bench.bring("Deck")
        let before = TXTRecord().wireBytes
        bench.table.appeared(text: before, of: deck, on: bench.eth0.index, at: bench.now)
        let leaving = try #require(LeavingMark.added(to: TXTRecord())).wireBytes
        bench.table.appeared(text: leaving, of: deck, on: bench.eth0.index, at: bench.now)
        #expect(bench.names.isEmpty)
        #expect(bench.table.takeChanges().last?.reason == .goodbye)
        // Resolving tells of the old record for a second more, and the old record goes.
        try bench.bring("Deck")
        bench.table.vanished(text: before, of: deck, on: bench.eth0.index, at: bench.now)
        #expect(bench.names.isEmpty)
        bench.table.appeared(text: before, of: deck, on: bench.eth0.index, at: bench.now)
        bench.table.vanished(text: leaving, of: deck, on: bench.eth0.index, at: bench.now)
        #expect(bench.names == ["Deck"])
    }

    @Test("a flood of TXT records is cut short")
    func textFlood() throws {
        var bench = TableBench()
        try bench.bring("Deck")
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

    @Test("a record from the cache that nobody answers for never appears")
    func ghostFromTheCache() throws {
        var bench = TableBench()
        bench.table.appeared(try InstanceName("Ghost"), on: bench.eth0, at: bench.now)
        bench.table.wasNotAnswered(try InstanceName("Ghost"), on: bench.eth0, at: bench.now)
        bench.pass(.seconds(1000))
        #expect(bench.table.takeChanges().isEmpty)
    }

    // Seen with Avahi 0.8: after a clash the renamed service's old name stays behind on its own machine's loopback, where
    // nobody answers for it, while the winner of the clash is seen on the real link.
    @Test("a name that lingers on the loopback neither hides the peer that has it nor outlives it")
    func lingeringOnLoopback() throws {
        var bench = TableBench()
        let deck = try InstanceName("Deck")
        let lo = Link(index: 1, name: "lo")
        bench.table.appeared(deck, on: lo, at: bench.now)
        bench.table.wasNotAnswered(deck, on: lo, at: bench.now)
        try bench.bring("Deck")
        #expect(bench.names == ["Deck"])
        let asked = bench.table.wantedLookups.map(\.lookup)
        #expect(asked.contains(.service(deck, bench.eth0)) && !asked.contains(.service(deck, lo)))
        bench.table.vanished(deck, from: bench.eth0, isLinkUp: true, at: bench.now)
        #expect(bench.names.isEmpty)
        #expect(bench.table.takeChanges().last?.reason == .goodbye)
    }

    @Test("where nobody answers over one link, the next is asked, and only silence on all counts")
    func nextLink() throws {
        var bench = TableBench()
        try bench.bring("Deck")
        bench.table.appeared(try InstanceName("Deck"), on: bench.wlan0, at: bench.now)
        bench.table.wasNotAnswered(try InstanceName("Deck"), on: bench.eth0, at: bench.now)
        #expect(try bench.peer("Deck")?.state == .present)
        #expect(bench.table.records.values.first?.preferredLink == bench.wlan0)
        bench.table.wasNotAnswered(try InstanceName("Deck"), on: bench.wlan0, at: bench.now)
        #expect(try bench.peer("Deck")?.state == .unreachable(.notAnswering))
    }

    @Test("changes of address, port and TXT record are told")
    func updates() throws {
        var bench = TableBench()
        try bench.bring("Deck")
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

    @Test("two peers with one name in different case are one name to DNS")
    func caseOfNames() throws {
        var bench = TableBench()
        try bench.bring("Deck")
        try bench.bring("DECK", on: bench.wlan0)
        #expect(bench.table.listed.count == 1)
    }

    @Test("beyond the limit the first half stays, and the newest take the places of the others")
    func limit() throws {
        var bench = TableBench(limit: 4)
        for number in 0..<7 { try bench.bring("Peer \(number)") }
        #expect(bench.names == ["Peer 0", "Peer 1", "Peer 5", "Peer 6"])
        #expect(bench.table.hasOverflowed)
        #expect(bench.table.takeChanges().contains { $0.peer == nil && $0.reason == .crowdedOut })
        bench.table.vanished(try InstanceName("Peer 0"), from: bench.eth0, isLinkUp: true, at: bench.now)
        try bench.bring("Peer 7")
        #expect(bench.names == ["Peer 1", "Peer 5", "Peer 6", "Peer 7"])
    }

    @Test("beyond the limit a service without an answer goes before one with, and a paired machine never goes")
    func crowdedOut() throws {
        var bench = TableBench(limit: 4)
        bench.table.known = [try InstanceName("Friend"), try InstanceName("Late friend")]
        for name in ["Peer 0", "Peer 1", "Friend"] { try bench.bring(name) }
        try bench.bring("Peer 2")
        bench.table.appeared(try InstanceName("Fake"), on: bench.eth0, at: bench.now)
        #expect(bench.names == ["Friend", "Peer 0", "Peer 1"])
        try bench.bring("Peer 3")
        #expect(bench.names == ["Friend", "Peer 0", "Peer 1", "Peer 3"])
        for number in 4..<40 { try bench.bring("Peer \(number)") }
        #expect(bench.names == ["Friend", "Peer 0", "Peer 1", "Peer 39"])
        try bench.bring("Late friend")
        #expect(bench.names == ["Friend", "Late friend", "Peer 0", "Peer 1"])
    }

    @Test("a service that is seen over two families stays when any number come that are seen over one")
    func broader() throws {
        var bench = TableBench(limit: 4)
        for number in 0..<4 { bench.table.appeared(try InstanceName("Fake \(number)"), on: bench.eth0, at: bench.now) }
        for _ in 0..<2 { bench.table.appeared(try InstanceName("Deck"), on: bench.eth0, at: bench.now) }
        for number in 4..<400 {
            bench.table.appeared(try InstanceName("Fake \(number)"), on: bench.eth0, at: bench.now)
        }
        try bench.bring("Deck")
        #expect(bench.names == ["Deck"])
        #expect(bench.table.records.count == 4)
    }

    @Test("this program's own advertisement is left out, whatever its name")
    func own() throws {
        let run = RunToken.random()
        var bench = TableBench(ownRun: run)
        try bench.bring("Deck", txt: run.mark(TXTRecord()))
        try bench.bring("Deck #2", txt: run.mark(TXTRecord()))
        try bench.bring("Other", txt: RunToken.random().mark(TXTRecord()))
        #expect(bench.names == ["Other"])
    }

    @Test("what another program advertises by this machine's key is left out; other keys, and none, are not")
    func ownID() throws {
        let own = try #require(PeerID(bytes: [UInt8](repeating: 1, count: 32)))
        let other = try #require(PeerID(bytes: [UInt8](repeating: 2, count: 32)))
        var bench = TableBench(ownID: own)
        for (name, id) in [("Deck", own), ("Other", other)] {
            var txt = TXTRecord()
            try txt.set(.peerID, to: id.description)
            try bench.bring(name, txt: txt)
        }
        try bench.bring("Old")
        #expect(bench.names == ["Old", "Other"])
    }

    @Test(
        "the old name of a renamed peer is dropped once nobody answers for it; while somebody does, copying hides nobody"
    )
    func renamed() throws {
        var bench = TableBench()
        let txt = try RunToken.random().mark(TXTRecord())
        try bench.bring("Deck", host: "deck.local.", txt: txt)
        try bench.bring("Evil", host: "deck.local.", txt: txt)
        #expect(bench.names == ["Deck", "Evil"])
        bench.table.wasNotAnswered(try InstanceName("Deck"), on: bench.eth0, at: bench.now)
        #expect(bench.names == ["Evil"])
        #expect(bench.table.takeChanges().contains { $0.peer == nil && $0.reason == .renamed })
        try bench.bring("Deck", host: "deck.local.", txt: txt)
        #expect(bench.names == ["Deck", "Evil"])
    }

    @Test("after a flood has gone there is a time to ask anew, once")
    func roomAgain() throws {
        var bench = TableBench(limit: 8)
        for number in 0..<20 { try bench.bring("Peer \(number)") }
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

    @Test("a thousand services of one hostile host, all alike, are taken in at once", .timeLimit(.minutes(10)))
    func crowd() throws {
        let (few, many) = (try takingIn(128), try takingIn(1024))
        // Looking once through all for each that comes is cheap up to the limit: sixty-four times as long for eight times
        // as many. Comparing every pair for each that comes would take five hundred times as long.
        #expect(many < few * 200)
    }

    private func takingIn(_ count: Int) throws -> Duration {
        var bench = TableBench()
        let txt = try RunToken.random().mark(TXTRecord())
        let took = try ContinuousClock().measure {
            for number in 0..<count { try bench.bring("Peer \(number)", host: "one.local.", txt: txt) }
            bench.table.advance(to: bench.now)
        }
        #expect(bench.table.listed.count == count)
        return took
    }

    @Test("only private addresses of advertised peers are probed, this machine's own only for peers on it alone")
    func probeTargets() throws {
        var bench = TableBench()
        let deck = try InstanceName("Deck")
        try bench.bring("Deck")
        let addresses: [IPAddress] = [
            .v4(127, 0, 0, 1), .v4(93, 184, 216, 34), .v6(high: 0x2606_2800 << 32, low: 1, interface: 0),
            .v6(high: 0xFD77 << 48, low: 2, interface: 0),
        ]
        for address in addresses { bench.table.appeared(address, of: "deck.local.", at: bench.now) }
        guard case .advertised(deck, let asked)? = bench.table.advertisedTargets.first else {
            Issue.record("nobody is asked")
            return
        }
        #expect(asked.map(\.address) == [TableBench.address(of: "deck.local."), addresses[3]])
    }
}

@Suite("Avahi's coming and going")
struct AvahiRestartTests {
    @Test("a peer that is seen again after a restart never leaves the list")
    func seenAgain() throws {
        var bench = TableBench()
        try bench.bring("Deck")
        _ = bench.table.takeChanges()
        for _ in 0..<20 {
            bench.table.avahiLeft(at: bench.now)
            bench.pass(.seconds(2))
            bench.table.avahiReturned(at: bench.now)
            bench.pass(.seconds(1))
            try bench.bring("Deck")
            bench.pass(.seconds(60))
        }
        #expect(bench.names == ["Deck"])
        #expect(bench.table.takeChanges().allSatisfy { $0.peer?.state == .present })
        #expect(try bench.peer("Deck")?.addresses.count == 1)
    }

    @Test("one that is not seen again is lost after a while, and not before")
    func notSeenAgain() throws {
        var bench = TableBench()
        try bench.bring("Deck")
        try bench.bring("Desk")
        bench.table.avahiLeft(at: bench.now)
        bench.table.avahiReturned(at: bench.now)
        try bench.bring("Desk")
        bench.pass(.milliseconds(4900))
        #expect(bench.names == ["Deck", "Desk"])
        bench.pass(.milliseconds(200))
        #expect(bench.names == ["Desk"])
        #expect(bench.table.takeChanges().last?.reason == .notFoundAgain)
    }

    @Test("while Avahi is away for long its peers become unreachable, then lost")
    func awayForLong() throws {
        var bench = TableBench()
        try bench.bring("Deck")
        bench.table.avahiLeft(at: bench.now)
        bench.pass(.seconds(29))
        #expect(try bench.peer("Deck")?.state == .present)
        bench.pass(.seconds(2))
        #expect(try bench.peer("Deck")?.state == .unreachable(.avahiAway))
        bench.pass(.seconds(121))
        #expect(bench.names.isEmpty)
        bench.table.avahiReturned(at: bench.now)
        try bench.bring("Deck")
        #expect(bench.names == ["Deck"])
    }

    @Test("the next deadline is always ahead, so that the timer can't spin")
    func deadlines() throws {
        var bench = TableBench()
        try bench.bring("Deck")
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

    @Test("a typed peer is listed once it was asked, whatever came of it, and is never lost")
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

    @Test("a name that leads nowhere is listed as unreachable")
    func unknownHost() {
        var bench = TableBench()
        bench.table.add(typed)
        bench.table.probed(typed, at: [], .silence, at: bench.now)
        #expect(bench.table.listed[.typed(typed)]?.state == .unreachable(.notAnswering))
    }

    @Test("a typed peer that is advertised too is in the list once, and back when the advertisement goes")
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
