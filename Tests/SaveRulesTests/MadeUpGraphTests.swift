import SaveRules
import Testing
import Vocabulary

@Suite("A graph that a peer has made up", .timeLimit(.minutes(2)))
struct MadeUpGraphTests {
    @Test("long chains of merges with the same content are distinguished in a moment")
    func chains() throws {
        var graph = SnapshotGraph(Sample.celeste)
        let sides = try [1, 2].map { try snapshot(version: [$0: 1], manifest: "side \($0)") }
        for side in sides { try graph.insert(side) }
        var tops: [SnapshotID] = []
        for chain in 0..<2 {
            var top = try merged(sides.map(\.id), "\(chain), 0")
            try graph.insert(top)
            for number in 1..<4_000 {
                top = try merged([top.id, sides[0].id], "\(chain), \(number)")
                try graph.insert(top)
            }
            tops.append(top.id)
        }
        let begun = ContinuousClock.now
        // Each of the two includes the whole history of the other, so the smaller id stays, whichever is asked.
        #expect(graph.heads(among: tops) == [try #require(tops.min())])
        #expect(.now - begun < .seconds(20))
    }

    @Test("a version that follows a forgotten one includes the counters of its version vector, also for a merge")
    func forgotten() throws {
        var graph = SnapshotGraph(Sample.celeste)
        let one = try snapshot(version: [1: 1], manifest: "one")
        let two = try snapshot(version: [2: 1], manifest: "two")
        let unknown = Sample.id(7)
        let later = try snapshot(author: 1, version: [1: 2, 2: 1], manifest: "later", parents: [unknown])
        let both = try merged([one.id, two.id], "both")
        for snapshot in [one, two, both, later] { try graph.insert(snapshot) }
        #expect(graph.holds(later.id, both.id))
        let aside = try snapshot(author: 3, version: [2: 1, 3: 1], manifest: "aside", parents: [two.id])
        try graph.insert(aside)
        #expect(!graph.holds(aside.id, both.id))
    }

    @Test("a long history is walked once for an answer, whatever the asker has of it, and not to its end for landmarks")
    func manyTips() throws {
        var (graph, parents) = (SnapshotGraph(Sample.celeste), [SnapshotID]())
        func add(_ version: [UInt8: UInt64], by author: UInt8 = 1) throws -> SnapshotID {
            let next = try snapshot(author: author, version: version, manifest: "", parents: parents)
            try graph.insert(next)
            return next.id
        }
        let length: UInt64 = 10_000
        for number in 1...length { parents = [try add([1: number])] }
        let tips = try (2..<66).map { try add([1: length, $0: 1], by: $0) }
        let wanted = [try add([1: length + 1])]
        func time(knowing known: [SnapshotID]) -> Duration {
            ContinuousClock().measure {
                #expect(graph.answer(to: HistoryRequest(wanted: wanted, known: known)).map(\.id) == wanted)
            }
        }
        #expect(time(knowing: Array(tips.prefix(1))) * 16 > time(knowing: tips))
        #expect(graph.landmarks(of: wanted).count == 11)
        #expect(graph.landmarks(of: wanted, limit: 1_000).count == 11)
    }

    private func snapshot(
        author: UInt8? = nil,
        version: [UInt8: UInt64],
        manifest: String,
        parents: [SnapshotID] = []
    ) throws -> Snapshot {
        var draft = Snapshot.Draft(
            set: Sample.celeste,
            .captured,
            version: Sample.signed(version),
            manifest: [Sample.piece(manifest)]
        )
        draft.parents = parents
        return try Snapshot(draft, sealedBy: Sample.seal(author ?? version.keys.min() ?? 1))
    }

    private func merged(_ parents: [SnapshotID], _ manifest: String) throws -> Snapshot {
        var draft = Snapshot.Draft(
            set: Sample.celeste,
            .merged,
            version: Sample.signed([1: 1, 2: 1]),
            manifest: [Sample.piece(manifest)]
        )
        draft.parents = parents.sorted()
        return try Snapshot(draft, sealedBy: Sample.seal(1))
    }
}
