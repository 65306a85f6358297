import SaveProperties
import SaveRules
import Testing
import TestSupport
import Vocabulary

@Suite("A snapshot", .timeLimit(.minutes(5)))
struct SnapshotTests {
    static func rich() throws -> Snapshot {
        var draft = Sample.draft(.resolved, version: [1: 7, 2: 1, 9: 1 << 62])
        draft.parents = [Sample.id(3), Sample.id(4)]
        draft.time = -1
        draft.note = try Label("kept Zoë's")
        draft.manifest.append(Sample.piece("more", length: 4 << 20))
        return try Snapshot(draft, sealedBy: Sample.seal(1))
    }

    @Test("a snapshot is read from its encoding under the same name")
    func roundTrip() throws {
        var merged = Sample.draft(.merged, version: [1: 1, 2: 1])
        merged.parents = [Sample.id(1), Sample.id(2)]
        for snapshot in [
            try Self.rich(), try Snapshot(Sample.draft(), sealedBy: Sample.seal(1)),
            try Snapshot(merged, sealedBy: Sample.seal(1)),
        ] {
            let again = try Snapshot(kept: snapshot.encoded, expecting: snapshot.id, hashedBy: Sample.hash)
            #expect(again == snapshot && again.encoded == snapshot.encoded)
            #expect(again.note == snapshot.note && again.time == snapshot.time && again.version == snapshot.version)
            #expect(again.parents == snapshot.parents && again.manifest == snapshot.manifest)
            #expect(again.origin == snapshot.origin && again.author == snapshot.author && again.set == snapshot.set)
        }
    }

    @Test("the name of a snapshot changes with every part of it")
    func name() throws {
        var drafts = [Sample.draft()]
        for change in [
            { $0.set = SaveSetID(high: 1, low: 3) }, { $0.origin = .restored }, { $0.version = Sample.signed([1: 2]) },
            { $0.parents = [Sample.id(1)] }, { $0.time = 1 }, { $0.note = try? Label("x") },
            { $0.manifest = [Sample.piece("manifest", length: 101)] },
        ] as [(inout Snapshot.Draft) -> Void] {
            var draft = Sample.draft()
            change(&draft)
            drafts.append(draft)
        }
        #expect(Set(try drafts.map { try Snapshot($0, sealedBy: Sample.seal(1)).id }).count == drafts.count)
    }

    @Test("a snapshot that breaks a rule can't be made")
    func rules() throws {
        try expect(.badVersion) { $0.version = SignedVersion() }
        try expect(.authorWithoutPart) { $0.version = Sample.signed([2: 1]) }
        try expect(.badParents) { $0.origin = .merged }
        try expect(.badParents) { $0.parents = [Sample.id(2), Sample.id(1)] }
        try expect(.badParents) { $0.parents = [Sample.id(1), Sample.id(1)] }
        try expect(.badParents) { $0.parents = [Sample.id(1), Sample.id(2), Sample.id(3)] }
        try expect(.tooManyPieces) { $0.manifest = [] }
        try expect(.tooManyPieces) { $0.manifest = Array(repeating: Sample.piece("x"), count: 12_290) }
        try expect(.tooManyBytes) { $0.manifest = Array(repeating: Sample.piece("x", length: 4 << 20), count: 13) }
    }

    private func expect(_ fault: SaveFormatError.Fault, after change: (inout Snapshot.Draft) -> Void) throws {
        var draft = Sample.draft()
        change(&draft)
        let error = try #require(throws: SaveFormatError.self) { try Snapshot(draft, sealedBy: Sample.seal(1)) }
        #expect(error.fault == fault && error.offset == nil)
    }

    @Test("a snapshot that names itself as its parent is refused, even with a hash that makes that possible")
    func ownParent() throws {
        let broken: ContentHash = { bytes in bytes.count > 44 ? Sample.id(1).bytes : Sample.hash(bytes) }
        let seal = VersionSeal(of: Sample.seal(1).key, hashedBy: broken) { _ in Sample.signature }
        var draft = Sample.draft()
        draft.parents = [Sample.id(1)]
        let error = try #require(throws: SaveFormatError.self) { try Snapshot(draft, sealedBy: seal) }
        #expect(error.fault == .ownParent)
        let honest = try Snapshot(draft, sealedBy: Sample.seal(1))
        #expect(throws: SaveFormatError.self) { try Snapshot(kept: honest.encoded, hashedBy: broken) }
    }

    @Test("a snapshot with another content than requested is refused")
    func otherContents() throws {
        let snapshot = try Self.rich()
        let error = try #require(throws: SaveFormatError.self) {
            try Snapshot(kept: snapshot.encoded, expecting: Sample.id(1), hashedBy: Sample.hash)
        }
        #expect(error.fault == .otherContents)
    }

    @Test("every beginning of a snapshot is refused, and every change is refused or read as it says")
    func mutations() throws {
        let bytes = try Self.rich().encoded
        for count in 0..<bytes.count {
            #expect(throws: SaveFormatError.self) {
                try Snapshot(kept: Array(bytes.prefix(count)), hashedBy: Sample.hash)
            }
        }
        var generator = SeededGenerator(seed: 6)
        for _ in 0..<3_000 {
            var mutated = [1] + bytes
            let place = Int.random(in: 1..<mutated.count, using: &generator)
            mutated[place] = UInt8.random(in: 0...255, using: &generator)
            if Bool.random(using: &generator) {
                mutated.remove(at: Int.random(in: 1..<mutated.count, using: &generator))
            }
            #expect(SaveProperties.violation(for: mutated) == nil)
        }
    }
}
