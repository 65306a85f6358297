import LinuxPlatform
import Testing
import Vocabulary

@testable import Discovery

/// What Avahi has of one service in its caches: the newest record comes first to a new question, and last to one that was open before.
@Suite("Which TXT record is a service's own")
struct StandingTextsTests {
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

    /// The runs that were ever shown, in order.
    private func shown(_ bench: inout TableBench) -> [RunToken?] {
        bench.table.takeChanges().map { $0.peer.flatMap { RunToken(in: $0.txt) } }
    }

    @Test("what resolving says of a service is not shown before its records are asked for")
    func awaited() throws {
        var bench = try bench(sightedOn: eth0)
        try resolve(&bench, plain(before))
        #expect(shown(&bench) == [])
        try appear(&bench, plain(now))
        #expect(shown(&bench) == [now])
    }

    @Test("if Avahi does not tell of the records, what resolving says counts")
    func notFollowed() throws {
        var bench = try bench(sightedOn: eth0)
        try resolve(&bench, plain(now))
        bench.table.stoppedFollowing(.texts(try InstanceName("Deck")))
        try resolve(&bench, plain(now))
        bench.table.probed(try InstanceName("Deck"), .accepted, at: bench.now)
        #expect(shown(&bench) == [now])
    }

    // The cache holds, newest first: the running service's record, the earlier one's last word, and the record before that.
    @Test("a run that has said goodbye is over, whatever else of it a cache still holds, whichever comes first")
    func earlierLife() throws {
        for order in [[0, 1, 2], [1, 0, 2], [1, 2, 0]] {
            var bench = try bench(sightedOn: eth0)
            try resolve(&bench, plain(now))
            let records = [try plain(now), try leaving(before), try plain(before)]
            for place in order { try appear(&bench, records[place]) }
            #expect(shown(&bench) == [now])
            try vanish(&bench, leaving(before))
            #expect(shown(&bench) == [], "its record of before does not come back")
        }
    }

    @Test("the first of the records that a new question gets counts, and not that which resolving tells of")
    func cached() throws {
        var bench = try bench(sightedOn: eth0)
        try appear(&bench, plain(now))
        try appear(&bench, plain(before))
        try resolve(&bench, plain(before))
        #expect(shown(&bench) == [now])
        try vanish(&bench, plain(before))
        #expect(shown(&bench) == [])
    }

    @Test("while records of two lives stand side by side nothing changes, until the first of them goes")
    func restarted() throws {
        var bench = try bench(sightedOn: eth0)
        try resolve(&bench, plain(before))
        try appear(&bench, plain(before))
        try appear(&bench, plain(now))
        #expect(shown(&bench) == [before])
        try vanish(&bench, plain(before))
        #expect(shown(&bench) == [now])
    }

    @Test("a machine whose old record stays in caches is shown with its new one after a moment")
    func disputedForLong() throws {
        var bench = try bench(sightedOn: eth0)
        try resolve(&bench, plain(before))
        try appear(&bench, plain(before))
        try appear(&bench, plain(now))
        #expect(bench.table.deadline(after: bench.now) == bench.now + StandingTexts.patience)
        bench.pass(StandingTexts.patience)
        #expect(shown(&bench) == [before, now])
        #expect(bench.table.deadline(after: bench.now) == nil)
    }

    // Two machines change places: the one that had the name keeps its old record on its own loopback, where the other one says nothing.
    @Test("a record on a link on which the service is not seen is none of it")
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

    @Test("a record that changes while a service runs is shown at once")
    func changed() throws {
        var bench = try bench(sightedOn: eth0)
        try resolve(&bench, plain(now, "one"))
        try appear(&bench, plain(now, "one"))
        try appear(&bench, plain(now, "two"))
        #expect(try bench.peer("Deck")?.txt.text(TXTKey(known: "word")) == "two")
        try vanish(&bench, plain(now, "one"))
        #expect(try bench.peer("Deck")?.txt.text(TXTKey(known: "word")) == "two")
    }

    // Avahi keeps the SRV record of the earlier life for a second, and resolves to the one that comes first over any family.
    @Test("a service is found at the port of its own run, whatever its name resolves to")
    func ownPort() throws {
        var bench = try bench(sightedOn: eth0)
        try resolve(&bench, plain(before))
        try appear(&bench, now.mark(TXTRecord(), port: 4343))
        #expect(try bench.peer("Deck")?.addresses.map(\.port) == [4343])
        try resolve(&bench, plain(before))
        #expect(try bench.peer("Deck")?.port == 4343)
    }
}
