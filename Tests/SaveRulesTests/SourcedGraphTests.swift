import SaveRules
import Synchronization
import Testing
import Vocabulary

/// A source of snapshots that counts how often a graph reads it.
private final class CountingSource: SnapshotSource {
    private let known = Mutex<[SnapshotID: Snapshot]>([:])
    private let reads = Mutex(0)

    func add(_ snapshot: Snapshot) { known.withLock { $0[snapshot.id] = snapshot } }

    func snapshot(_ id: SnapshotID, of set: SaveSetID) -> Snapshot? {
        reads.withLock { $0 += 1 }
        return known.withLock { $0[id] }
    }

    /// Expects at most so many reads during `body`.
    func reads(atMost limit: Int, _ body: () -> Void) {
        let before = reads.withLock { $0 }
        body()
        let count = reads.withLock { $0 } - before
        #expect(count <= limit)
    }
}

@Suite("A graph that is read from a disk", .timeLimit(.minutes(2)))
struct SourcedGraphTests {
    private let source = CountingSource()

    private var graph: SnapshotGraph { SnapshotGraph(Sample.celeste, from: source) }

    private func made(_ version: [UInt8: UInt64], by author: UInt8 = 1, after parents: [SnapshotID]) throws -> Snapshot
    {
        var draft = Sample.draft()
        draft.version = Sample.signed(version)
        (draft.parents, draft.manifest) = (parents.sorted(), [Sample.piece("")])
        let snapshot = try Snapshot(draft, sealedBy: Sample.seal(author))
        source.add(snapshot)
        return snapshot
    }

    /// A chain of versions, the oldest first.
    private func chain(_ count: UInt64) throws -> [SnapshotID] {
        var chain: [SnapshotID] = []
        for number in 1...count { chain.append(try made([1: number], after: chain.suffix(1)).id) }
        return chain
    }

    @Test("a question about new versions reads only those, however long the history is")
    func reads() throws {
        let (graph, chain) = (graph, try chain(5_000))
        let top = try made([1: 5_000, 2: 1], by: 2, after: [chain[4_999]]).id
        let beside = try made([1: 5_000, 3: 1], by: 3, after: [chain[4_999]]).id
        source.reads(atMost: 60) {
            #expect(graph.heads(among: [top, beside, chain[4_998]]) == [top, beside].sorted())
        }
        source.reads(atMost: 20) { #expect(graph.supersedes(top, chain[4_997])) }
        source.reads(atMost: 30) { #expect(graph.commonAncestors(of: top, beside) == [chain[4_999]]) }
        let request = HistoryRequest(wanted: [top], known: [chain[4_990]])
        source.reads(atMost: 90) { #expect(graph.answer(to: request).count == 10) }
        source.reads(atMost: 3 * 1_026) { #expect(graph.landmarks(of: [top]).count == 11) }
        source.reads(atMost: 60) { #expect(graph.superseded([chain[4_980], beside], by: [top]) == [chain[4_980]]) }
    }

    @Test("a start with the stored heads reads the version of the folder, and nothing else")
    func start() throws {
        let chain = try chain(1_000)
        source.reads(atMost: 1) {
            var heads = VersionState(
                own: Sample.peer(1),
                graph: graph,
                held: Set(chain),
                heads: [chain[999]],
                applied: chain[999],
                usedCounter: 1_000
            )
            #expect(heads.resume() == [.announce([chain[999]])] && heads.state == .level)
        }
    }

    @Test("a made-up history without end is believed its versions, once enough of it was read")
    func endless() throws {
        let graph = graph
        let (root, other) = (try made([1: 1], after: []), try made([1: 1], after: [Sample.id(0)]))
        var top = other
        for number in 2...20_000 as ClosedRange<UInt64> { top = try made([1: number], after: [top.id]) }
        source.reads(atMost: 16_400) { #expect(graph.supersedes(top.id, root.id)) }
        source.reads(atMost: 32_800) { #expect(graph.superseded([root.id, other.id], by: [top.id]).count == 2) }
        let beside = try made([1: 1, 2: 1], by: 2, after: [root.id])
        // Their common ancestor is too far away to be found. The answer must not be that they have none.
        #expect(graph.commonAncestors(of: top.id, beside.id) == [top.id, beside.id].sorted())
        source.reads(atMost: 60_000) { _ = graph.answer(to: HistoryRequest(wanted: [root.id], known: [top.id])) }
    }

    @Test("a snapshot that was added is in memory until it is stored")
    func kept() throws {
        var graph = graph
        let chain = try chain(3)
        let next = try made([1: 4], after: [chain[2]])
        let unknown = CountingSource()
        var alone = SnapshotGraph(Sample.celeste, from: unknown)
        try alone.insert(next)
        #expect(alone.isFresh(next.id) && alone.snapshots.count == 1)
        unknown.add(next)
        alone.noteKept()
        #expect(!alone.isFresh(next.id) && alone.snapshots.isEmpty && alone[next.id] == next)
        // An already stored snapshot is not kept as new again.
        try graph.insert(next)
        #expect(graph.snapshots.isEmpty)
    }
}
