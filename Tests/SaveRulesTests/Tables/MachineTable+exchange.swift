import SaveRules
import Vocabulary
import Workbench

/// An exchange between this machine and a peer that knows two snapshots more.
struct ExchangeStory {
    var exchange = Exchange(Sample.celeste)
    var here = HeadsPlay(1)
    private(set) var there = HeadsPlay(2)

    init(_ events: (inout ExchangeStory) -> Void = { _ in }) {
        here.captures("first")
        if let first = here.heads.graph[here.heads.heads[0]] {
            try? there.receives(first, from: here)
            there.applies(first)
        }
        there.captures("second")
        there.captures("third")
        events(&self)
    }

    var known: [SnapshotHead] { here.heads.announcement }
    var unknown: [SnapshotHead] { there.heads.announcement }

    mutating func met(_ takesPart: Bool) -> [Exchange.Action] { exchange.met(takesPart: takesPart, heads: known) }

    mutating func heads(_ heads: [SnapshotHead]) -> [Exchange.Action] {
        exchange.received(heads, here.heads.graph, own: here.heads.heads)
    }

    mutating func history(_ snapshots: [Snapshot]) -> [Exchange.Action] {
        exchange.received(snapshots, here.heads.graph, own: here.heads.heads)
    }

    /// The answer of the peer, with at most so many snapshots.
    func answer(_ limit: Int = 256) -> [Snapshot] {
        there.heads.graph.answer(to: HistoryRequest(wanted: there.heads.heads, known: here.heads.heads), limit: limit)
    }

    var foreign: Snapshot? {
        var draft = Sample.draft()
        draft.set = SaveSetID(high: 9, low: 9)
        return try? Snapshot(draft, sealedBy: Sample.seal(1))
    }
}

extension MachineTable where Machine == ExchangeStory {
    static func exchange() -> Self {
        var table = Self("exchange") { $0.exchange.state.rawValue }
        table.row("apart") { ExchangeStory() }
        table.row("stranger") { ExchangeStory { _ = $0.met(false) } }
        table.row("greeted") { ExchangeStory { _ = $0.met(true) } }
        table.row("asking") {
            ExchangeStory {
                _ = $0.met(true)
                _ = $0.heads($0.unknown)
            }
        }
        table.row("level") {
            ExchangeStory {
                _ = $0.met(true)
                _ = $0.heads($0.known)
            }
        }
        table.row("refused") {
            ExchangeStory {
                _ = $0.met(true)
                _ = $0.exchange.refuse(SaveRefusal(.tooMuch))
            }
        }
        table.column("connected") { $0.met(true) }
        table.column("connected, not permitted") { $0.met(false) }
        table.column("link lost") {
            $0.exchange.linkLost()
            return []
        }
        table.column("own heads changed") { $0.exchange.changed($0.known) }
        table.column("heads, all known") { $0.heads($0.known) }
        table.column("heads, one unknown") { $0.heads($0.unknown) }
        table.column("65 heads") { $0.heads((0..<65).map { SnapshotHead(Sample.id($0), Sample.version([1: 1])) }) }
        table.column("history asked for") { $0.exchange.received(HistoryRequest(wanted: [], known: [])) }
        table.column("part of the answer") { $0.history($0.answer(1)) }
        table.column("the whole answer") { $0.history($0.answer()) }
        table.column("an empty answer") { $0.history([]) }
        table.column("a snapshot of another set") { $0.history($0.foreign.map { [$0] } ?? []) }
        table.column("another snapshot") { $0.history(Array($0.here.heads.graph.snapshots)) }
        table.column("caught elsewhere") { $0.exchange.refuse(SaveRefusal(.otherContents(Sample.piece("x").id))) }
        return table
    }
}

extension MachineTable where Machine == SnapshotFetch {
    static func snapshotFetch() -> Self {
        let pieces = [Sample.piece("1"), Sample.piece("2")]
        let (deck, desk) = (Sample.peer(1), Sample.peer(2))
        func fetching() -> SnapshotFetch {
            var fetch = SnapshotFetch(Sample.id(1), missing: pieces)
            _ = fetch.found(deck)
            return fetch
        }
        func read(_ next: (inout SnapshotFetch) -> Void = { _ in }) -> SnapshotFetch {
            var fetch = fetching()
            for piece in pieces { _ = fetch.received(piece.id, from: deck) }
            next(&fetch)
            return fetch
        }
        var table = Self("snapshot-fetch") { $0.state.rawValue }
        table.row("manifest", fetching)
        table.row("reading") { read() }
        table.row("contents") { read { _ = $0.manifestRead(missing: pieces) } }
        table.row("complete") { read { _ = $0.manifestRead(missing: []) } }
        table.row("refused") { read { _ = $0.manifestRefused(Self.malformed) } }
        table.row("cancelled") { read { $0.cancel() } }
        table.column("another source") { $0.found(desk) }
        table.column("the only source is gone") { $0.lost(deck) }
        table.column("a piece") { $0.received(pieces[0].id, from: deck) }
        table.column("all pieces") { fetch in
            var actions: [SnapshotFetch.Action] = []
            for piece in pieces { actions += fetch.received(piece.id, from: deck) }
            return actions
        }
        table.column("a piece not asked for") { $0.received(Sample.piece("x").id, from: deck) }
        table.column("one that came for another snapshot") { $0.came(pieces[0].id, length: pieces[0].length) }
        table.column("wrong contents") { $0.receivedOther(than: pieces[0].id, from: deck) }
        table.column("it no longer has it") { $0.isWithout(pieces[0].id, deck) }
        let early: Set = ["manifest", "contents", "complete", "refused"]
        table.column("manifest read, all here", traps: early) { $0.manifestRead(missing: []) }
        table.column("manifest read, pieces missing", traps: early) { $0.manifestRead(missing: pieces) }
        table.column("manifest unsound", traps: early) { $0.manifestRefused(Self.malformed) }
        table.column("cancel") {
            $0.cancel()
            return []
        }
        return table
    }

    private static var malformed: SaveFormatError {
        do throws(SaveFormatError) {
            _ = try Manifest(decoding: [])
            preconditionFailure("nothing is no manifest")
        } catch { return error }
    }
}
