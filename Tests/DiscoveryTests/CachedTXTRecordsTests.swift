import LinuxPlatform
import Testing
import Vocabulary

@testable import Discovery

/// The records of one service in Avahi's caches: the newest comes first to a new query, and last to one that was open
/// before.
@Suite("Current TXT record of a service")
struct CachedTXTRecordsTests {
    private let eth0 = Link(index: 2, name: "eth0")
    private let lo = Link(index: 1, name: "lo")
    private let before = RunToken.random()
    private let now = RunToken.random()

    private func plain(_ run: RunToken, _ word: String = "") throws -> TXTRecord {
        var txt = TXTRecord()
        try txt.set(TXTKey(known: "word"), to: word)
        return try run.mark(txt)
    }

    private func leaving(_ run: RunToken) throws -> TXTRecord { try #require(LeavingMark.added(to: plain(run))) }

    private func bench(sightedOn links: Link...) throws -> TableBench {
        var bench = TableBench()
        let deck = try InstanceName("Deck")
        for link in links { bench.table.appeared(deck, on: link, at: bench.now) }
        bench.table.following(.texts(deck))
        return bench
    }

    private func resolve(_ bench: inout TableBench, _ txt: TXTRecord) throws {
        bench.table.resolved(
            try InstanceName("Deck"),
            to: .init(host: "deck.local.", port: 4242, txt: txt),
            at: bench.now
        )
        bench.table.appeared(.v4(10, 77, 0, 1), of: "deck.local.", at: bench.now)
    }

    private func appear(_ bench: inout TableBench, _ txt: TXTRecord, on link: Link? = nil) throws {
        let link = link ?? eth0
        bench.table.appeared(text: txt.wireBytes, of: try InstanceName("Deck"), on: link.index, at: bench.now)
    }

    private func vanish(_ bench: inout TableBench, _ txt: TXTRecord) throws {
        bench.table.vanished(text: txt.wireBytes, of: try InstanceName("Deck"), on: eth0.index, at: bench.now)
    }

    /// The runs that were listed, in order.
    private func shown(_ bench: inout TableBench) -> [RunToken?] {
        bench.table.takeChanges().map { $0.peer.flatMap { RunToken(in: $0.txt) } }
    }

    @Test("A resolved TXT record is not shown before a query for the records is open")
    func awaited() throws {
        var bench = try bench(sightedOn: eth0)
        try resolve(&bench, plain(before))
        #expect(shown(&bench) == [])
        try appear(&bench, plain(now))
        #expect(shown(&bench) == [now])
    }

    @Test("If Avahi does not report the records, the resolved one counts")
    func notFollowed() throws {
        var bench = try bench(sightedOn: eth0)
        try resolve(&bench, plain(now))
        bench.table.stoppedFollowing(.texts(try InstanceName("Deck")))
        try resolve(&bench, plain(now))
        bench.table.probed(try InstanceName("Deck"), .accepted, at: bench.now)
        #expect(shown(&bench) == [now])
    }

    // The cache holds, newest first: the running service's record, the earlier run's record with the mark, and the one
    // before that.
    @Test("A run with the leaving mark has ended, whatever other records a cache still holds")
    func earlierLife() throws {
        for order in [[0, 1, 2], [1, 0, 2], [1, 2, 0]] {
            var bench = try bench(sightedOn: eth0)
            try resolve(&bench, plain(now))
            let records = [try plain(now), try leaving(before), try plain(before)]
            for place in order { try appear(&bench, records[place]) }
            #expect(shown(&bench) == [now])
            try vanish(&bench, leaving(before))
            #expect(shown(&bench) == [], "its previous record does not return")
        }
    }

    @Test("The first record of a new query counts, not the resolved one")
    func cached() throws {
        var bench = try bench(sightedOn: eth0)
        try appear(&bench, plain(now))
        try appear(&bench, plain(before))
        try resolve(&bench, plain(before))
        #expect(shown(&bench) == [now])
        try vanish(&bench, plain(before))
        #expect(shown(&bench) == [])
    }

    @Test("While records of two runs are present, nothing changes until the first of them goes")
    func restarted() throws {
        var bench = try bench(sightedOn: eth0)
        try resolve(&bench, plain(before))
        try appear(&bench, plain(before))
        try appear(&bench, plain(now))
        #expect(shown(&bench) == [before])
        try vanish(&bench, plain(before))
        #expect(shown(&bench) == [now])
    }

    @Test("A machine whose old record stays in caches is shown with its new one after three seconds")
    func disputedForLong() throws {
        var bench = try bench(sightedOn: eth0)
        try resolve(&bench, plain(before))
        try appear(&bench, plain(before))
        try appear(&bench, plain(now))
        #expect(bench.table.deadline(after: bench.now) == bench.now + CachedTXTRecords.patience)
        bench.pass(CachedTXTRecords.patience)
        #expect(shown(&bench) == [before, now])
        #expect(bench.table.deadline(after: bench.now) == nil)
    }

    // Two machines swap names: the one that had the name keeps its old record on its own loopback, where the other one
    // does not advertise.
    @Test("A record on a link without a sighting does not count")
    func otherLink() throws {
        var bench = try bench(sightedOn: eth0)
        try resolve(&bench, plain(before))
        try appear(&bench, plain(before), on: lo)
        #expect(shown(&bench) == [])
        try appear(&bench, plain(now))
        #expect(shown(&bench) == [now])
        bench.pass(.seconds(1000))
        #expect(shown(&bench) == [])
    }

    @Test("A record that changes while a service runs is shown at once")
    func changed() throws {
        var bench = try bench(sightedOn: eth0)
        try resolve(&bench, plain(now, "one"))
        try appear(&bench, plain(now, "one"))
        try appear(&bench, plain(now, "two"))
        #expect(try bench.peer("Deck")?.txt.text(TXTKey(known: "word")) == "two")
        try vanish(&bench, plain(now, "one"))
        #expect(try bench.peer("Deck")?.txt.text(TXTKey(known: "word")) == "two")
    }

    // Avahi keeps the SRV record of the earlier run for a second, and resolves to the one that arrives first over any
    // family.
    @Test("A service is found at the port of its own run, whatever its name resolves to")
    func ownPort() throws {
        var bench = try bench(sightedOn: eth0)
        try resolve(&bench, plain(before))
        try appear(&bench, now.mark(TXTRecord(), port: 4343))
        #expect(try bench.peer("Deck")?.addresses.map(\.port) == [4343])
        try resolve(&bench, plain(before))
        #expect(try bench.peer("Deck")?.port == 4343)
    }
}
