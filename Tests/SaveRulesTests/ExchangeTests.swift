import SaveRules
import Testing
import TestSupport
import Vocabulary

@Suite("An exchange", .timeLimit(.minutes(5)))
struct ExchangeTests {
    private func code(_ actions: [Exchange.Action]) -> String? {
        guard case .refuse(let refusal)? = actions.first, actions.count == 1 else { return nil }
        #expect(!refusal.message.isEmpty && !refusal.nextStep.isEmpty)
        return refusal.code.description
    }

    private func asking() -> ExchangeStory {
        ExchangeStory {
            _ = $0.met(true)
            _ = $0.heads($0.unknown)
        }
    }

    @Test("the asker asks for unknown snapshots and their ancestors, and learns ancestors first")
    func learns() throws {
        var story = ExchangeStory { _ = $0.met(true) }
        let wanted = story.unknown[0].id
        let known = story.here.heads.heads
        #expect(story.heads(story.unknown) == [.ask(HistoryRequest(wanted: [wanted], known: known))])
        // An answer with one snapshot at a time: the machine asks for the missing ones.
        let third = story.answer(1)
        let second = third[0].parents
        #expect(story.history(third) == [.ask(HistoryRequest(wanted: second, known: known))])
        let rest = story.there.heads.graph[second[0]].map { [$0] } ?? []
        #expect(story.history(rest) == [.learn(rest + third), .offers([wanted])])
        try story.here.heads.learn(rest + third)
        #expect(story.here.heads.missing(among: [wanted, second[0]]) == [wanted])
    }

    @Test("the exchange goes on after a cut with the snapshots that it had learned")
    func resumes() {
        var story = asking()
        let third = story.answer(1)
        _ = story.history(third)
        story.exchange.linkLost()
        _ = story.met(true)
        let asked = story.heads(story.unknown)
        #expect(asked == [.ask(HistoryRequest(wanted: third[0].parents, known: story.here.heads.heads))])
    }

    @Test("the asker assumes that a peer has forgotten the snapshots that it does not answer, and ends")
    func forgotten() {
        var story = asking()
        let third = story.answer(1)
        _ = story.history(third)
        #expect(story.history([]) == [.learn(third), .offers([third[0].id])] && story.exchange.state == .level)
    }

    @Test("an answer that goes farther back than requested is no fault, and its other snapshots are not kept")
    func tooFarBack() {
        var story = asking()
        let request = HistoryRequest(wanted: story.there.heads.heads, known: [])
        let all = story.there.heads.graph.answer(to: request)
        #expect(all.count == 3)
        #expect(story.history(all) == [.learn([all[1], all[0]]), .offers([all[0].id])])
    }

    @Test(
        "a peer that has no right, or sends unrequested, foreign or too many snapshots, is refused by the name of the rule"
    )
    func refuses() throws {
        var stranger = ExchangeStory { _ = $0.met(false) }
        #expect(code(stranger.heads(stranger.unknown)) == "exchange.not-permitted")
        var unasked = ExchangeStory { _ = $0.met(true) }
        #expect(code(unasked.history(unasked.answer())) == "exchange.unasked")
        var foreign = asking()
        #expect(code(foreign.history(foreign.foreign.map { [$0] } ?? [])) == "exchange.other-set")
        var known = asking()
        #expect(code(known.history(Array(known.here.heads.graph.snapshots))) == "exchange.other-snapshot")
        var much = asking()
        #expect(code(much.history(Array(repeating: much.answer()[0], count: 257))) == "exchange.too-much")
        var heads = asking()
        let many = (0..<65).map { SnapshotHead(Sample.id($0), Sample.version([1: 1])) }
        #expect(code(heads.heads(many)) == "exchange.too-many-heads")
        // After that, nothing else is read from the peer.
        #expect(heads.heads(heads.unknown) == [] && heads.history(heads.answer()) == [] && heads.exchange.theirs == [])
    }

    @Test("a head with another version than its snapshot's is refused, whichever comes first")
    func lyingHead() {
        var story = ExchangeStory { _ = $0.met(true) }
        let lie = [SnapshotHead(story.known[0].id, Sample.version([9: 9]))]
        #expect(code(story.heads(lie)) == "exchange.forged-version")
        var later = ExchangeStory { _ = $0.met(true) }
        _ = later.heads([SnapshotHead(later.unknown[0].id, Sample.version([9: 9]))])
        #expect(code(later.history(later.answer())) == "exchange.forged-version")
    }

    @Test("a snapshot whose version does not follow from its parents is not learned")
    func forgedVersions() throws {
        var play = HeadsPlay(1)
        let first = play.captures("first")
        func fault(_ change: (inout Snapshot.Draft) -> Void) throws -> SaveRefusal.Fault? {
            var draft = Sample.draft(version: [1: 1, 2: 1])
            draft.parents = [first.id]
            change(&draft)
            var heads = play.heads
            let snapshot = try Snapshot(draft, sealedBy: Sample.seal(2))
            do throws(SaveRefusal) {
                try heads.learn([snapshot])
                return nil
            } catch { return error.fault }
        }
        #expect(try fault { _ in } == nil)
        #expect(try fault { $0.version = Sample.signed([2: 1]) } == .forgedVersion)
        #expect(try fault { $0.version = Sample.signed([1: 2, 2: 1]) } == .forgedVersion)
        #expect(try fault { $0.version = Sample.signed([1: 1, 2: 1, 3: 1]) } == .forgedVersion)
        #expect(try fault { $0.parents = [] } == .forgedVersion)
        #expect(try fault { $0.set = SaveSetID(high: 0, low: 0) } == .otherSet)
        // A snapshot is accepted even if no machine knows its parent now.
        #expect(try fault { ($0.parents, $0.version) = ([Sample.id(5)], Sample.signed([1: 7, 2: 1])) } == nil)
    }

    @Test("An answer to another question is refused, alone and behind a right one")
    func junk() throws {
        var (story, behind) = (asking(), asking())
        let junk = try (0..<256 as Range<UInt64>).map { number in
            var draft = Sample.draft()
            (draft.time, draft.parents) = (Int64(number), [Sample.id(number)])
            return try Snapshot(draft, sealedBy: Sample.seal(1))
        }
        #expect(code(story.history(junk)) == "exchange.other-snapshot")
        #expect(code(behind.history(behind.answer() + junk.prefix(9))) == "exchange.other-snapshot")
    }

    @Test("a history without an end is learned as far as the limit, and memory is bounded with it")
    func endless() throws {
        var (play, exchange) = (HeadsPlay(1), Exchange(Sample.celeste, historyLimit: 500))
        let all = (0..<2_000).map { play.captures("\($0)") }
        _ = exchange.met(takesPart: true, heads: [])
        let (graph, head) = (SnapshotGraph(Sample.celeste), all[1_999])
        var actions = exchange.received([SnapshotHead(head.id, head.version)], graph, own: [])
        var rounds = 0
        while case .ask(let request)? = actions.first {
            actions = exchange.received(play.heads.graph.answer(to: request), graph, own: [])
            rounds += 1
        }
        #expect(rounds == 2 && actions == [.learn(Array(all.suffix(512))), .offers([head.id])])
        // The oldest of them has an unknown parent, and is accepted.
        var heads = VersionState(own: Sample.peer(2), graph: graph)
        try heads.learn(Array(all.suffix(512)))
        #expect(heads.hold(head.id) == [.announce([head.id]), .apply(head.id)])
    }

    @Test("a peer that names new heads without end takes no memory with them, whether it answers or not")
    func endlessHeads() {
        var (silent, empty) = (asking(), asking())
        var last: [SnapshotHead] = []
        for round in 0..<10_000 as Range<UInt64> {
            last = (0..<64).map { SnapshotHead(Sample.id(1_000 + round * 64 + $0), Sample.version([1: 1])) }
            #expect(silent.heads(last) == [])
            _ = empty.heads(last)
            let actions = empty.history([])
            guard case .ask(let request)? = actions.first else { continue }
            #expect(request.wanted == last.map(\.id))
        }
        #expect(silent.exchange.byteCount < 64 << 10 && empty.exchange.byteCount < 64 << 10)
        #expect(silent.history([]) == [.ask(HistoryRequest(wanted: last.map(\.id), known: silent.here.heads.heads))])
    }

    @Test("an answer that comes after the peer has named newer heads is not lost")
    func headsWhileAnswering() {
        var story = asking()
        let old = story.answer(1)
        let newer = SnapshotHead(Sample.id(9), Sample.version([2: 9]))
        #expect(story.heads([newer]) == [])
        let known = story.here.heads.heads
        #expect(story.history(old) == [.ask(HistoryRequest(wanted: [newer.id] + old[0].parents, known: known))])
    }

    @Test("an answer stops at its limit and at the snapshots that the asker has")
    func answers() throws {
        var play = HeadsPlay(1)
        let all = (0..<600).map { play.captures("\($0)") }
        let graph = play.heads.graph
        let whole = HistoryRequest(wanted: [all[599].id], known: [])
        #expect(graph.answer(to: whole).map(\.id) == all.suffix(256).reversed().map(\.id))
        let recent = HistoryRequest(wanted: [all[599].id, Sample.id(1)], known: [all[590].id])
        #expect(graph.answer(to: recent).count == 9)
        #expect(graph.answer(to: HistoryRequest(wanted: [Sample.id(1)], known: [])).isEmpty)
        let marks = graph.landmarks(of: [all[599].id])
        #expect(marks == [0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512].map { all[599 - $0].id })
    }
}

@Suite("A fetch", .timeLimit(.minutes(5)))
struct SnapshotFetchTests {
    private let deck = Sample.peer(1)
    private let desk = Sample.peer(2)

    private func pieces(_ count: Int, length: Int = 1_000) -> [PieceReference] {
        (0..<count).map { Sample.piece("\($0)", length: length) }
    }

    private func asked(_ actions: [SnapshotFetch.Action], of peer: PeerID) -> [PieceReference] {
        actions.flatMap { action -> [PieceReference] in
            guard case .ask(peer, let pieces) = action else { return [] }
            return pieces
        }
    }

    @Test("the fetch asks each source for a window, and never two sources for the same piece")
    func windows() {
        let all = pieces(400)
        var fetch = SnapshotFetch(Sample.id(1), missing: all + all)
        #expect(fetch.begin() == [.starved])
        let first = asked(fetch.found(deck), of: deck)
        let second = asked(fetch.found(desk), of: desk)
        #expect(first == Array(all[..<128]) && second == Array(all[128..<256]))
        #expect(fetch.received(first[0].id, from: deck).isEmpty)
        #expect(fetch.remainingCount == 399)
    }

    @Test("the fetch asks for more when half a window is there, so that a thousand small pieces take few messages")
    func halves() {
        let all = pieces(1_000)
        var fetch = SnapshotFetch(Sample.id(1), missing: all)
        var (rest, messages) = (asked(fetch.found(deck), of: deck)[...], 1)
        while let piece = rest.popFirst() {
            let actions = fetch.received(piece.id, from: deck)
            let more = asked(actions, of: deck)
            #expect(rest.count + more.count <= 128)
            if !more.isEmpty { messages += 1 }
            rest += more
            if fetch.remainingCount == 0 { #expect(actions == [.readManifest]) }
        }
        #expect(fetch.remainingCount == 0 && messages == 15)
    }

    @Test("the fetch asks at most for as many bytes at a time as the window holds, but always for one piece")
    func bytes() {
        var fetch = SnapshotFetch(Sample.id(1), missing: pieces(9, length: 3 << 20))
        #expect(asked(fetch.found(deck), of: deck).count == 2)
    }

    @Test("a piece that one source does not have, or takes with it when it goes, is asked of another")
    func elsewhere() {
        let all = pieces(3)
        var fetch = SnapshotFetch(Sample.id(1), missing: all)
        _ = fetch.found(deck)
        #expect(asked(fetch.found(desk), of: desk).isEmpty)
        #expect(asked(fetch.isWithout(all[1].id, deck), of: desk) == [all[1]])
        #expect(Set(asked(fetch.lost(deck), of: desk)) == [all[0], all[2]])
        #expect(fetch.lost(desk) == [.starved])
        #expect(Set(asked(fetch.found(deck), of: deck)) == Set(all))
    }

    @Test("a source that sends other content is refused, and the piece comes from another")
    func otherContents() {
        let all = pieces(1)
        var fetch = SnapshotFetch(Sample.id(1), missing: all)
        _ = fetch.found(deck)
        _ = fetch.found(desk)
        let refusal = SaveRefusal(.otherContents(all[0].id))
        #expect(fetch.receivedOther(than: all[0].id, from: deck) == [.refuse(deck, refusal), .ask(desk, all)])
        #expect(fetch.received(all[0].id, from: deck) == [.refuse(deck, SaveRefusal(.unasked))])
        #expect(fetch.received(all[0].id, from: desk) == [.readManifest])
        #expect(fetch.manifestRead(missing: []) == [.complete])
    }

    @Test("every source of an invalid manifest is refused")
    func unsound() throws {
        var fetch = SnapshotFetch(Sample.id(1), missing: pieces(1))
        _ = fetch.found(deck)
        _ = fetch.found(desk)
        _ = fetch.received(pieces(1)[0].id, from: deck)
        let error = try #require(throws: SaveFormatError.self) { try Manifest(decoding: [1]) }
        let refusal = SaveRefusal(.format(error))
        #expect(fetch.manifestRefused(error) == [.refuse(deck, refusal), .refuse(desk, refusal)])
    }

    @Test("a piece that came for another snapshot is asked of no source from then on, and may still come")
    func cameForAnother() {
        let all = pieces(3)
        var fetch = SnapshotFetch(Sample.id(1), missing: all)
        _ = fetch.found(deck)
        #expect(
            fetch.isMissing(all[0].id) && fetch.came(all[0].id, length: all[0].length).isEmpty
                && !fetch.isMissing(all[0].id)
        )
        #expect(asked(fetch.lost(deck), of: deck).isEmpty)
        #expect(Set(asked(fetch.found(desk), of: desk)) == [all[1], all[2]])
        #expect(fetch.came(all[1].id, length: all[1].length).isEmpty && !fetch.expects(all[1].id, from: desk))
        #expect(fetch.came(all[2].id, length: all[2].length) == [.readManifest])
        #expect(fetch.came(all[2].id, length: all[2].length).isEmpty)
    }

    @Test("a source whose piece came for another snapshot is asked for the next one")
    func windowAfterOthers() {
        let all = pieces(300)
        var fetch = SnapshotFetch(Sample.id(1), missing: all)
        var asked = asked(fetch.found(deck), of: deck)
        while let piece = asked.popLast() { asked += self.asked(fetch.came(piece.id, length: piece.length), of: deck) }
        #expect(fetch.remainingCount == 0 && fetch.state == .reading)
    }

    @Test(
        "two snapshots that share pieces are complete from two sources, in any order",
        arguments: 0..<100 as Range<UInt64>
    )
    func shared(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let all = pieces(900)
        var fetches = [Array(all[..<600]), Array(all[300...])].enumerated().map { number, pieces in
            SnapshotFetch(Sample.id(UInt64(number)), missing: pieces.shuffled(using: &generator))
        }
        // The requested pieces that each source has not sent yet, by fetch.
        var open: [PeerID: [(fetch: Int, piece: PieceReference)]] = [deck: [], desk: []]
        func take(_ actions: [SnapshotFetch.Action], _ number: Int) {
            for peer in [deck, desk] { open[peer]? += asked(actions, of: peer).map { (number, $0) } }
        }
        for number in fetches.indices {
            for peer in [deck, desk] { take(fetches[number].found(peer), number) }
        }
        while let peer = [deck, desk].filter({ open[$0]?.isEmpty == false }).randomElement(using: &generator),
            let piece = open[peer]?.removeFirst().piece
        {
            for number in fetches.indices where fetches[number].isMissing(piece.id) {
                let isAsked = fetches[number].expects(piece.id, from: peer)
                take(
                    isAsked
                        ? fetches[number].received(piece.id, from: peer)
                        : fetches[number].came(piece.id, length: piece.length),
                    number
                )
            }
        }
        #expect(fetches.allSatisfy { $0.remainingCount == 0 }, "seed \(seed)")
    }

    @Test("a slow source of an invalid manifest is refused, too")
    func unsoundAndSlow() throws {
        var fetch = SnapshotFetch(Sample.id(1), missing: pieces(1))
        _ = fetch.found(deck)
        #expect(
            fetch.stalled(deck) == [.starved]
                && fetch.came(pieces(1)[0].id, length: pieces(1)[0].length) == [.readManifest]
        )
        let error = try #require(throws: SaveFormatError.self) { try Manifest(decoding: [1]) }
        #expect(fetch.manifestRefused(error) == [.refuse(deck, SaveRefusal(.format(error)))])
    }

    @Test("a source without a thousand pieces is no source")
    func emptySource() {
        let all = pieces(2_000)
        var fetch = SnapshotFetch(Sample.id(1), missing: all)
        var asked = asked(fetch.found(deck), of: deck)
        var missing = 0
        while let piece = asked.popLast() {
            missing += 1
            asked += self.asked(fetch.isWithout(piece.id, deck), of: deck)
            if !fetch.expects(asked.last?.id ?? piece.id, from: deck) { break }
        }
        #expect(missing == 1_025)
    }
}
