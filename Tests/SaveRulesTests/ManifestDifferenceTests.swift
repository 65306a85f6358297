import SaveRules
import Testing
import TestSupport
import Vocabulary

@Suite("A difference", .timeLimit(.minutes(5)))
struct ManifestDifferenceTests {
    @Test("two equal manifests have no difference")
    func nothing() {
        #expect(ManifestDifference(from: ManifestTests.rich, to: ManifestTests.rich).isEmpty)
    }

    @Test("the difference to an empty set is all, and that to all is nothing")
    func whole() throws {
        let difference = ManifestDifference(from: .empty, to: ManifestTests.rich)
        #expect(difference.byteCount == ByteCount(400) && difference.pieces.count == 4)
        var tree = ModelTree(.empty)
        try tree.apply(difference)
        #expect(tree == ModelTree(ManifestTests.rich))
        try tree.apply(ManifestDifference(from: ManifestTests.rich, to: .empty))
        #expect(tree == ModelTree(.empty))
    }

    @Test("a change of a mode or a time writes no content")
    func stamps() {
        let difference = ManifestDifference(
            from: Sample.manifest(Sample.folder("f"), Sample.file("f/a", "1")),
            to: Sample.manifest(Sample.folder("f", mode: 0o500), Sample.file("f/a", "1", at: 9))
        )
        let time = FileTime(seconds: 9, nanoseconds: 5)
        #expect(
            difference.steps == [
                .setFile(Sample.path("f/a"), FileMode(rawValue: 0o644), time),
                .setFolder(Sample.path("f"), FileMode(rawValue: 0o500)),
            ]
        )
    }

    @Test("a change of a few bytes in a large file writes the pieces with them")
    func patch() throws {
        let names = (0..<16_384).map(String.init)
        let old = names.map { Sample.piece($0, length: 65_536) }
        var new = old
        new[9_000] = Sample.piece("changed", length: 65_536)
        new[9_001] = Sample.piece("too", length: 65_536)
        let patch = FilePatch(from: old, to: new)
        #expect(patch.byteCount == 131_072 && patch.newSize == 1 << 30 && patch.keepsSomething)
        #expect(patch.writes.map(\.offset) == [9_000 << 16, 9_001 << 16])
        #expect(patch.overwritten == [9_000 << 16..<9_002 << 16])
    }

    @Test("a file that shrinks writes nothing of its rest, and one that grows nothing else")
    func resized() {
        let pieces = ["a", "b", "c"].map { Sample.piece($0) }
        let cut = FilePatch(from: pieces, to: [pieces[0]])
        #expect(cut.writes.isEmpty && cut.newSize == 100 && cut.overwritten == [100..<300])
        let grown = FilePatch(from: [pieces[0]], to: pieces)
        #expect(grown.writes.map(\.offset) == [100, 200] && grown.overwritten.isEmpty)
        let swapped = FilePatch(from: [pieces[0], pieces[1]], to: [pieces[0], pieces[2], pieces[1]])
        #expect(swapped.overwritten == [100..<200] && swapped.newSize == 300)
        #expect(!FilePatch(from: [pieces[0]], to: [pieces[1]]).keepsSomething)
    }

    @Test("a removed file and a new one with the same content are a move")
    func moves() {
        let difference = ManifestDifference(
            from: Sample.manifest(Sample.folder("old"), Sample.file("old/a", "1"), Sample.file("old/e")),
            to: Sample.manifest(Sample.folder("new"), Sample.file("new/b", "1"), Sample.file("new/e"))
        )
        #expect(difference.steps.contains(.move(Sample.path("old/a"), to: Sample.path("new/b"))))
        #expect(difference.byteCount == ByteCount(0))
    }

    @Test("an entry whose kind changes is removed first")
    func kinds() throws {
        let one = Sample.manifest(
            Sample.folder("a"),
            Sample.file("a/x", "1"),
            Sample.file("b", "2"),
            Sample.link("c", to: "b")
        )
        let other = Sample.manifest(
            Sample.file("a", "1"),
            Sample.folder("b"),
            Sample.file("b/x", "2"),
            Sample.folder("c"),
            Sample.link("c/b", to: "../a")
        )
        for (from, to) in [(one, other), (other, one)] {
            var tree = ModelTree(from)
            try tree.apply(ManifestDifference(from: from, to: to))
            #expect(tree == ModelTree(to))
        }
    }

    @Test(
        "a difference can be applied step by step, from anything to anything and back",
        arguments: 0..<400 as Range<UInt64>
    )
    func random(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let (old, new) = (Self.manifest(&generator), Self.manifest(&generator))
        var tree = ModelTree(old)
        try tree.apply(ManifestDifference(from: old, to: new))
        #expect(tree == ModelTree(new), "seed \(seed)")
        try tree.apply(ManifestDifference(from: new, to: old))
        #expect(tree == ModelTree(old), "seed \(seed)")
    }

    /// A manifest of few names and few contents, so that two of them have much in common.
    static func manifest(_ generator: inout SeededGenerator) -> Manifest {
        var entries: [String: ManifestEntry] = [:]
        for _ in 0..<Int.random(in: 0...12, using: &generator) {
            var path = ""
            for level in 0..<Int.random(in: 1...3, using: &generator) {
                if level > 0 {
                    if entries[path]?.isFolder != true { entries[path] = Sample.folder(path, mode: 0o755) }
                    path += "/"
                }
                path += ["a", "b", "c", "a-b"].randomElement(using: &generator) ?? "a"
            }
            for key in entries.keys where key.hasPrefix(path + "/") { entries[key] = nil }
            let contents = (0..<Int.random(in: 0...4, using: &generator)).map { _ in
                let length = Int.random(in: 1...3, using: &generator)
                return Sample.piece(String(length), length: length * 7)
            }
            switch Int.random(in: 0..<8, using: &generator) {
            case 0: entries[path] = Sample.link(path, to: ["x", "y"].randomElement(using: &generator) ?? "x")
            case 1: entries[path] = Sample.folder(path, mode: Bool.random(using: &generator) ? 0o755 : 0o500)
            case _:
                let file = SavedFile(
                    mode: FileMode(rawValue: Bool.random(using: &generator) ? 0o644 : 0o755),
                    modified: FileTime(seconds: Int64.random(in: 0...1, using: &generator), nanoseconds: 0),
                    pieces: contents
                )
                entries[path] = ManifestEntry(Sample.path(path), .file(file))
            }
        }
        guard let manifest = try? Manifest(sorting: entries.values) else { preconditionFailure("it is sound") }
        return manifest
    }
}

/// A simple model of a folder: a step that fails on a disk fails here as well.
struct ModelTree: Equatable {
    enum Node: Equatable {
        case folder(FileMode)
        case link(LinkTarget)
        case file(FileMode, FileTime, [UInt8])
    }

    struct Impossible: Error { let step: ManifestDifference.Step }

    private(set) var nodes: [SavePath: Node] = [:]

    init(_ manifest: Manifest) {
        for entry in manifest.entries { nodes[entry.path] = Self.node(entry.content) }
    }

    mutating func apply(_ difference: ManifestDifference) throws {
        for step in difference.steps {
            guard try perform(step) else { throw Impossible(step: step) }
        }
    }

    private mutating func perform(_ step: ManifestDifference.Step) throws -> Bool {
        switch step {
        case .remove(let path): return !isFolder(path) && nodes.removeValue(forKey: path) != nil
        case .makeFolder(let path): return put(.folder(FileMode(rawValue: 0o700)), at: path, over: false)
        case .move(let path, let other):
            guard !isFolder(path), let node = nodes.removeValue(forKey: path) else { return false }
            return put(node, at: other, over: false)
        case .removeFolder(let path):
            guard isFolder(path), !nodes.keys.contains(where: { $0.lies(in: path) }) else { return false }
            return nodes.removeValue(forKey: path) != nil
        case .put(let path, let file): return put(Self.node(.file(file)), at: path, over: true)
        case .link(let path, let target): return put(.link(target), at: path, over: true)
        case .patch(let path, let patch): return self.patch(path, patch)
        case .setFile(let path, let mode, let time):
            guard case .file(_, _, let bytes) = nodes[path] else { return false }
            nodes[path] = .file(mode, time, bytes)
            return true
        case .setFolder(let path, let mode):
            guard isFolder(path) else { return false }
            nodes[path] = .folder(mode)
            return true
        }
    }

    private mutating func patch(_ path: SavePath, _ patch: FilePatch) -> Bool {
        guard case .file(let mode, let time, var bytes) = nodes[path], bytes.count == Int(patch.oldSize) else {
            return false
        }
        let before = bytes
        for write in patch.writes {
            let end = Int(write.range.upperBound)
            if bytes.count < end { bytes += [UInt8](repeating: 0, count: end - bytes.count) }
            bytes.replaceSubrange(Int(write.offset)..<end, with: Self.bytes(of: write.piece))
        }
        bytes = Array(bytes.prefix(Int(patch.newSize)))
        nodes[path] = .file(mode, time, bytes)
        return bytes.count == Int(patch.newSize) && Self.undone(bytes, patch, keeping: before) == before
    }

    /// Restores the overwritten parts, which is all that an undo may use.
    private static func undone(_ bytes: [UInt8], _ patch: FilePatch, keeping before: [UInt8]) -> [UInt8] {
        let size = Int(patch.oldSize)
        var bytes = bytes.prefix(size) + [UInt8](repeating: 0, count: max(0, size - bytes.count))
        for range in patch.overwritten {
            let range = Int(range.lowerBound)..<Int(range.upperBound)
            bytes.replaceSubrange(range, with: before[range])
        }
        return Array(bytes)
    }

    /// Adds a node. Only a file may replace a file, and only a link a link.
    private mutating func put(_ node: Node, at path: SavePath, over: Bool) -> Bool {
        if let parent = path.parent, !isFolder(parent) { return false }
        switch (nodes[path], node) {
        case (nil, _): break
        case (.file, .file) where over: break
        case (.link, .link) where over: break
        case (.some, _): return false
        }
        nodes[path] = node
        return true
    }

    private func isFolder(_ path: SavePath) -> Bool {
        if case .folder = nodes[path] { true } else { false }
    }

    private static func node(_ content: ManifestEntry.Content) -> Node {
        switch content {
        case .folder(let mode): return .folder(mode)
        case .link(let target): return .link(target)
        case .file(let file): return .file(file.mode, file.modified, file.pieces.flatMap(bytes))
        }
    }

    private static func bytes(of piece: PieceReference) -> [UInt8] {
        let id = piece.id.bytes
        return (0..<piece.length).map { id[$0 % id.count] &+ UInt8(truncatingIfNeeded: $0) }
    }
}
