import SaveRules
import Testing

@Suite("The newest of several heads")
struct NewestTests {
    private static let minute: Int64 = 60_000

    /// Returns 1 or 2 for the newest of two divergent versions, or nil. Their parent is from minute 100. The times are
    /// those of their authors' clocks and of their arrival.
    private func newest(_ times: (Int64, Int64), came: (Int64, Int64) = (1_000, 1_000)) throws -> Int? {
        let first = try snapshot([1: 1], 100, after: [])
        let one = try snapshot([1: 2], times.0, after: [first.id])
        let other = try snapshot([1: 1, 2: 1], times.1, after: [first.id])
        var graph = SnapshotGraph(Sample.celeste)
        for snapshot in [first, one, other] { try graph.insert(snapshot) }
        let newest = graph.newest(of: [one.id, other.id].sorted()) { id in
            (id == one.id ? came.0 : came.1) * Self.minute
        }
        return newest.map { $0 == one.id ? 1 : 2 }
    }

    private func snapshot(_ version: [UInt8: UInt64], _ time: Int64, after parents: [SnapshotID]) throws -> Snapshot {
        var draft = Sample.draft(version: version)
        (draft.time, draft.parents) = (time.multipliedReportingOverflow(by: Self.minute).partialValue, parents)
        if time == .max { draft.time = .max }
        if time == .min { draft.time = .min }
        return try Snapshot(draft, sealedBy: Sample.seal(version.keys.max() ?? 1))
    }

    @Test("the newest head is the one that was saved last by clocks that agree with the known facts")
    func savedLast() throws {
        #expect(try newest((200, 210)) == 2)
        #expect(try newest((210, 200)) == 1)
        #expect(try newest((210, 99)) == 1)
    }

    @Test("two heads that were saved at about the same time have no newest")
    func sameTime() throws {
        #expect(try newest((200, 201)) == nil)
        #expect(try newest((200, 203)) == 2)
    }

    @Test("a head that was saved before its parent, or after its arrival, by wrong clocks, gives no newest")
    func wrongClocks() throws {
        #expect(try newest((200, 97)) == nil)
        #expect(try newest((200, .min)) == nil)
        #expect(try newest((200, 300), came: (1_000, 290)) == nil)
        #expect(try newest((200, .max)) == nil)
        #expect(try newest((.max, .max)) == nil)
    }

    @Test("a single head is the newest, whatever its clock said")
    func single() throws {
        let only = try snapshot([1: 1], .max, after: [])
        var graph = SnapshotGraph(Sample.celeste)
        try graph.insert(only)
        #expect(graph.newest(of: [only.id]) { _ in 0 } == only.id)
        #expect(graph.newest(of: []) { _ in 0 } == nil)
    }
}
