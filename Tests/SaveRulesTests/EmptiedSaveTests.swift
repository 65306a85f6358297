import SaveRules
import Testing
import Vocabulary

/// The rule by which a change of a folder counts as emptying it.
struct EmptiedSaveTests {
    private static func manifest(_ files: [String: Int]) throws -> Manifest {
        try Manifest(
            sorting: files.map { name, size in
                let piece = PieceReference(Sample.piece("\(name) \(size)").id, length: size)
                let file = SavedFile(
                    mode: .readableFile,
                    modified: FileTime(seconds: 0, nanoseconds: 0),
                    pieces: size == 0 ? [] : [piece]
                )
                return ManifestEntry(Sample.path(name), .file(file))
            }
        )
    }

    private static func slots(_ numbers: Range<Int>, size: Int = 100) -> [String: Int] {
        Dictionary(uniqueKeysWithValues: numbers.map { ("slot\($0)", size) })
    }

    @Test("a folder without a file is emptied, and one that had none is not")
    func all() throws {
        let before = try Self.manifest(["a": 10, "b": 20])
        #expect(EmptiedSave(from: before, to: .empty) == EmptiedSave(removed: 2, added: 0))
        #expect(EmptiedSave(from: .empty, to: .empty) == nil)
        #expect(EmptiedSave(from: .empty, to: before) == nil)
    }

    @Test("less than a tenth of the files and of the bytes is emptied, and a tenth of either is not")
    func tenth() throws {
        let before = try Self.manifest(Self.slots(0..<20))
        #expect(
            EmptiedSave(from: before, to: try Self.manifest(Self.slots(0..<1))) == EmptiedSave(removed: 19, added: 0)
        )
        #expect(EmptiedSave(from: before, to: try Self.manifest(Self.slots(0..<2))) == nil)
        let large = try Self.manifest(Self.slots(0..<20).merging(["slot0": 1_000]) { $1 })
        #expect(EmptiedSave(from: large, to: try Self.manifest(["slot0": 1_000])) == nil)
    }

    @Test("games that rotate their saves, write new names or delete one slot are not held back")
    func usualGames() throws {
        var folder = Self.slots(0..<10)
        for turn in 0..<200 {
            let before = try Self.manifest(folder)
            switch turn % 4 {
            // A ring of numbered saves: the oldest is removed when the newest is added.
            case 0: folder = Self.slots(turn..<turn + 10)
            // One save under a new name each time; all others are removed.
            case 1: folder = ["autosave-\(turn)": 50]
            // Backups are restored.
            case 2: folder = Self.slots(0..<10).merging(["autosave-\(turn - 1)": 50]) { $1 }
            default: folder["slot\(turn % 9)"] = nil
            }
            #expect(EmptiedSave(from: before, to: try Self.manifest(folder)) == nil, "turn \(turn)")
        }
    }

    @Test("changes count new, changed and removed files, and no other mode or time")
    func changes() throws {
        let (before, after) = (
            try Self.manifest(["a": 1, "b": 2, "c": 3]), try Self.manifest(["b": 2, "c": 4, "d": 5])
        )
        let changes = ManifestChanges(from: before, to: after)
        #expect((changes.added, changes.changed, changes.removed) == (1, 1, 1))
    }
}
