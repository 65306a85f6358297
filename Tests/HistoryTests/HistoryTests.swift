import Digests
import Glibc
import History
import LinuxPlatform
import SaveRules
import Testing
import TestSupport
import Vocabulary

@Suite("History", .timeLimit(.minutes(10)))
struct HistoryTests {
    private let folder = TemporaryFolder()
    private var path: String { folder.path(of: "history") }

    private let files: [String: [UInt8]] = [
        "slot1.sav": randomBytes(5_000, seed: 1), "slot2.sav": textBytes(9_000, seed: 2), "empty": [],
        "world.dat": randomBytes(700_000, seed: 3),
    ]

    @Test("A capture is read back from the same history and from one opened later")
    func roundTrip() throws {
        var id: SnapshotID?
        do {
            let history = try History.open(at: path)
            let snapshot = try history.capture(files)
            id = snapshot.id
            #expect(try history.contents(of: snapshot.id) == files)
        }
        let again = try History.open(at: path)
        let known = try #require(id)
        #expect(try again.contents(of: known) == files)
        #expect(try again.snapshots(of: testSet).map(\.id) == [known])
        #expect(try again.snapshots(of: otherSet).isEmpty)
        #expect(try again.sets() == [testSet])
        #expect(try again.check().isSound)
    }

    @Test("A piece is stored once, and a small change costs little")
    func deduplication() throws {
        let history = try History.open(at: path)
        let first = try history.capture(files)
        let before = try history.usage().onDisk.bytes
        var changed = files
        changed["world.dat"]?[350_000] ^= 1
        let second = try history.capture(changed, counter: 2, parents: [first.id])
        let cost = try history.usage().onDisk.bytes - before
        #expect(cost < 300_000)
        #expect(try history.contents(of: first.id) == files)
        #expect(try history.contents(of: second.id) == changed)
        let usage = try history.usage()
        #expect(usage.shares.count == 1)
        #expect(usage.shares.first?.snapshots == 2)
        #expect(usage.shares.first?.plain == ByteCount(2 * UInt64(files.values.reduce(0) { $0 + $1.count })))
        #expect(usage.shares.first?.own == usage.shares.first?.stored)
    }

    @Test("A piece that two sets share belongs to neither alone")
    func sharing() throws {
        let history = try History.open(at: path)
        let shared = randomBytes(100_000, seed: 5)
        try history.capture(["a": shared, "own": randomBytes(10_000, seed: 6)])
        try history.capture(["b": shared], set: otherSet)
        let shares = try history.usage().shares
        #expect(shares.count == 2)
        for share in shares { #expect(share.stored.bytes >= share.own.bytes + 100_000) }
    }

    @Test("Content is compressed only if that saves space")
    func compression() throws {
        let history = try History.open(at: path)
        try history.capture(["text": textBytes(200_000, seed: 1)])
        let text = try history.usage().onDisk.bytes
        try history.capture(["noise": randomBytes(200_000, seed: 1)], counter: 2)
        let both = try history.usage().onDisk.bytes
        #expect(text < 100_000)
        #expect((200_000..<203_000).contains(both - text))
    }

    @Test("A snapshot is not kept unless all its pieces are there")
    func incomplete() throws {
        let history = try History.open(at: path)
        let other = try History.open(at: folder.path(of: "other"))
        let snapshot = try SavedFolder(files).put(in: other.beginBatch(), set: testSet)
        let batch = try history.beginBatch()
        #expect(refusal("history.missing-pieces") { try batch.append(snapshot) })
        for piece in snapshot.manifest { try batch.put(other.read(piece.id), expecting: piece.id) }
        #expect(refusal("history.missing-pieces") { try batch.append(snapshot) })
        let needed = try other.manifest(of: snapshot).pieces.map(\.id)
        #expect(try history.missing(of: needed + needed) == needed)
        for piece in needed { try batch.put(other.read(piece), expecting: piece) }
        #expect(try history.missing(of: needed).isEmpty)
        #expect(try !history.keeps(snapshot.id))
        try batch.append(snapshot)
        try batch.append(snapshot)
        #expect(try history.keeps(snapshot.id))
        #expect(try history.contents(of: snapshot.id) == files)
    }

    @Test("Bytes that do not match their id are refused, and so is a piece of a wrong length")
    func strangers() throws {
        let history = try History.open(at: path)
        let batch = try history.beginBatch()
        let id = PieceID(of: [1], hashedBy: Digest.sha256)
        #expect(refusal("history.other-contents") { try batch.put([2], expecting: id) })
        #expect(try !history.has(id))
        let nothing = PieceID(of: [], hashedBy: Digest.sha256)
        #expect(refusal("history.bad-length") { try batch.put([], expecting: nothing) })
        let much = [UInt8](repeating: 0, count: 4 << 20 + 1)
        #expect(
            refusal("history.bad-length") { try batch.put(much, expecting: PieceID(of: much, hashedBy: Digest.sha256)) }
        )
        #expect(refusal("history.unknown-piece") { try history.read(id) })
        #expect(try batch.put([1], expecting: id))
        #expect(try !batch.put([1], expecting: id))
        #expect(try history.read(id) == [1])
    }

    @Test("A dropped snapshot stays dropped after the history is opened without its index", arguments: [false, true])
    func dropping(withoutIndex: Bool) throws {
        var ids: [SnapshotID] = []
        do {
            let history = try History.open(at: path)
            ids.append(try history.capture(files).id)
            ids.append(try history.capture(["a": [1, 2, 3]], counter: 2).id)
            ids.append(try history.capture(["a": [1, 2, 4]], counter: 3).id)
            #expect(
                refusal("history.unknown-snapshot") {
                    try history.drop([ids[0], SnapshotID(of: [], hashedBy: Digest.sha256)])
                }
            )
            #expect(try history.snapshots(of: testSet).count == 3)
            try history.drop([ids[0], ids[2]])
            #expect(refusal("history.unknown-snapshot") { try history.drop([ids[0]]) })
            try history.capture(["a": [1, 2, 4]], counter: 3)
            _ = try history.usage()
        }
        if withoutIndex { unlink("\(path)/index") }
        let again = try History.open(at: path)
        #expect(try again.snapshots(of: testSet).map(\.id) == [ids[1], ids[2]])
        #expect(try again.snapshot(ids[0]) == nil)
        #expect(try again.contents(of: ids[2]) == ["a": [1, 2, 4]])
    }

    @Test("An expected snapshot protects its pieces that have arrived, and is not listed as kept")
    func expected() throws {
        let other = try History.open(at: folder.path(of: "other"))
        let snapshot = try other.capture(files)
        let first = try #require(other.manifest(of: snapshot).pieces.map { $0 }.first)
        do {
            let history = try History.open(at: path)
            let batch = try history.beginBatch()
            try batch.expect(snapshot)
            for piece in snapshot.manifest { try batch.put(other.read(piece.id), expecting: piece.id) }
            try batch.put(other.read(first.id), expecting: first.id)
            try batch.commit()
        }
        let history = try History.open(at: path)
        try history.collectGarbage()
        #expect(try history.has(first.id))
        #expect(try history.snapshots(of: testSet).isEmpty)
        #expect(try history.expectedSnapshots(of: testSet) == [snapshot])
        try history.drop([snapshot.id])
        try history.collectGarbage()
        #expect(try !history.has(first.id))
        #expect(try history.expectedSnapshots(of: testSet).isEmpty)
    }

    @Test("One program writes, and readers see what it writes, moves and removes")
    func readers() throws {
        let history = try History.open(at: path, for: .writing)
        let first = try history.capture(files)
        #expect(refusal("history.busy") { try History.open(at: path) })
        let reader = try History.open(at: path, for: .reading)
        #expect(try reader.contents(of: first.id) == files)
        #expect(refusal("history.only-reading") { try reader.beginBatch() })
        #expect(refusal("history.only-reading") { try reader.drop([first.id]) })
        #expect(refusal("history.only-reading") { try reader.collectGarbage() })
        let second = try history.capture(["b": randomBytes(300_000, seed: 9)], counter: 2)
        #expect(try reader.contents(of: second.id)?.keys.sorted() == ["b"])
        try history.drop([first.id])
        try history.collectGarbage()
        #expect(try reader.contents(of: second.id)?["b"] == randomBytes(300_000, seed: 9))
        #expect(try reader.snapshot(first.id) == nil)
    }

    @Test("Only the owner has access to the folder")
    func modes() throws {
        let before = umask(0)
        defer { umask(before) }
        let history = try History.open(at: path)
        try history.capture(files)
        _ = try history.usage()
        #expect(try FileFacts(at: path).mode == .privateFolder)
        for name in ["seal", "lock", "index", "pack-0000000001"] {
            #expect(try FileFacts(at: "\(path)/\(name)").mode == .privateFile, "\(name)")
        }
    }

    @Test("Ten thousand small pieces take one file")
    func smallPieces() throws {
        let history = try History.open(at: path)
        let batch = try history.beginBatch()
        for number in 0..<10_000 {
            try batch.put(bytes(number), expecting: PieceID(of: bytes(number), hashedBy: Digest.sha256))
        }
        try batch.commit()
        #expect(try Folder(at: path).entries(limit: 10).count <= 4)
        for number in stride(from: 0, to: 10_000, by: 97) {
            #expect(try history.read(PieceID(of: bytes(number), hashedBy: Digest.sha256)) == bytes(number))
        }
    }

    private func bytes(_ number: Int) -> [UInt8] { Array("piece \(number)".utf8) }

    @Test("An index that is missing, damaged, foreign or outdated is rebuilt", arguments: 0..<4)
    func badIndex(kind: Int) throws {
        var ids: [SnapshotID] = []
        let index = "\(path)/index"
        do {
            let history = try History.open(at: path)
            ids.append(try history.capture(files).id)
            _ = try history.usage()
            let older = try bytesOfFile(index)
            ids.append(try history.capture(["a": [1]], counter: 2).id)
            if kind == 3 { try overwrite(index, older) }
        }
        switch kind {
        case 0: unlink(index)
        case 1:
            var damaged = try bytesOfFile(index)
            damaged[damaged.count / 2] ^= 1
            try overwrite(index, damaged)
        case 2:
            let other = try History.open(at: folder.path(of: "other"))
            try other.capture(["z": [9]])
            _ = try other.usage()
            try overwrite(index, bytesOfFile("\(folder.path(of: "other"))/index"))
        default: break
        }
        let history = try History.open(at: path)
        #expect(try history.contents(of: ids[0]) == files)
        #expect(try history.contents(of: ids[1]) == ["a": [1]])
        #expect(try history.check().isSound)
    }
}

func bytesOfFile(_ path: String) throws -> [UInt8] {
    let file = try OwnedDescriptor.openFile(at: path)
    var bytes = [UInt8](repeating: 0, count: try file.facts().size)
    let count = try bytes.withUnsafeMutableBytes { try file.read(into: $0, at: 0) }
    return Array(bytes.prefix(count))
}

func overwrite(_ path: String, _ bytes: [UInt8]) throws {
    unlink(path)
    let number = try retrying("open") { open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600) }
    let file = OwnedDescriptor(takingOwnershipOf: number)
    try bytes.withUnsafeBytes { try file.write($0, at: 0) }
}
