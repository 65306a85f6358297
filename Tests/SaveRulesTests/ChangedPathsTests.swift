import SaveRules
import Testing
import TestSupport
import Vocabulary

@Suite("Paths that may have changed", .timeLimit(.minutes(5)))
struct ChangedPathsTests {
    @Test("Paths add up, and anything covers them all")
    func unions() {
        var changes = ChangedPaths.nothing
        changes.insert(Sample.path("a"))
        changes.insert(Sample.path("b"))
        #expect(changes == .only([Sample.path("a"), Sample.path("b")]))
        #expect(changes.lies(within: [Sample.path("a"), Sample.path("b"), Sample.path("c")]))
        #expect(!changes.lies(within: [Sample.path("a")]))
        changes.formUnion(.anything)
        changes.insert(Sample.path("c"))
        #expect(changes == .anything && !changes.lies(within: [Sample.path("a")]))
    }

    @Test("Too many paths count as anything")
    func limit() {
        var changes = ChangedPaths.nothing
        for number in 0..<ChangedPaths.limit { changes.insert(Sample.path("\(number)")) }
        #expect(changes != .anything)
        changes.insert(Sample.path("one more"))
        #expect(changes == .anything)
    }

    @Test("A manifest that a change would make too long is none, so that a scan looks at everything")
    func longest() throws {
        func file(_ count: Int) -> ManifestEntry.Content {
            let piece = PieceReference(PieceID(words: (1, 2, 3, 4)), length: 1)
            let pieces = [PieceReference](repeating: piece, count: count)
            return .file(SavedFile(mode: .readableFile, modified: FileTime(seconds: 0, nanoseconds: 0), pieces: pieces))
        }
        let (first, second) = (Sample.path("a"), Sample.path("b"))
        let rest = try Manifest([ManifestEntry(first, file(0)), ManifestEntry(second, file(1))]).encoded.count
        let most = (Manifest.maximumByteCount - rest) / 36
        let before = try Manifest([ManifestEntry(first, file(most))])
        // A failure must not print two million pieces.
        let fits = before.changing([second: file(1)]) != nil
        let isTooMany = before.changing([second: file(2)]) == nil
        let isTooLong = before.changing([first: file(most + 3)]) == nil
        #expect(fits && isTooMany && isTooLong)
    }

    @Test("A manifest with other files at some paths is the one of those files", arguments: 0..<50)
    func changing(_ seed: UInt64) throws {
        var dice = SeededGenerator(seed: seed)
        let folders = ["a", "b"].map { Sample.folder($0) }
        let names = (0..<30).map { "\(["a/", "b/", ""].randomElement(using: &dice) ?? "")\($0)" }
        let before = try Manifest(sorting: folders + names.prefix(20).map { Sample.file($0, "old") })
        var changes: [SavePath: ManifestEntry.Content?] = [:]
        for name in names.shuffled(using: &dice).prefix(8) {
            let entry: ManifestEntry? = Bool.random(using: &dice) ? Sample.file(name, "new") : nil
            changes.updateValue(entry?.content, forKey: Sample.path(name))
        }
        let added = changes.compactMap { path, content in content.map { ManifestEntry(path, $0) } }
        let meant = try Manifest(sorting: before.entries.filter { changes[$0.path] == nil } + added)
        #expect(before.changing(changes) == meant)
        let pairs = Array(meant.differences(from: before))
        #expect(pairs.allSatisfy { changes.keys.contains(($0.new ?? $0.old)?.path ?? Sample.path("none")) })
        #expect(before.changing([Sample.path("c/1"): Sample.file("c/1", "x").content]) == nil)
        #expect(before.changing([Sample.path("a"): nil]) == nil)
    }
}
