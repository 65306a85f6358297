import Digests
import Glibc
import History
import LinuxPlatform
import SaveRules
import Testing
import TestSupport
import Vocabulary

/// The promises of a history at a moment: the kept snapshots with their contents, and the dropped snapshots.
private struct Promise {
    var kept: [SnapshotID: [String: [UInt8]]] = [:]
    var dropped: Set<SnapshotID> = []
}

/// A short life of a history: captures that share many pieces, drops, collections, openings. Packs of 64 KiB make it
/// use many packs.
private struct Life {
    static let packLimit: UInt64 = 64 << 10

    let disk = RecordedDisk()
    var promises: [Promise] = []
    private let folder = TemporaryFolder()
    private var promise = Promise()

    private var path: String { folder.path(of: "history") }

    private mutating func note() {
        promises.append(promise)
        disk.promise(promises.count - 1)
    }

    /// Continues after a refused call, without that call's change.
    mutating func live(rounds: Int, seed: UInt64) throws {
        var dice = SeededGenerator(seed: seed)
        for round in 0..<rounds {
            guard let history = try attempt({ try History.open(at: path, by: disk.calls, packLimit: Self.packLimit) })
            else {
                continue
            }
            for step in 0..<4 {
                try liveOn(history, seed: UInt64(round * 10 + step), &dice)
            }
        }
    }

    private mutating func liveOn(_ history: History, seed: UInt64, _ dice: inout SeededGenerator) throws {
        let files = [
            "a": randomBytes(20_000, seed: seed), "b": textBytes(5_000, seed: seed / 3),
            "c": randomBytes(9_000, seed: seed / 2),
        ]
        if let snapshot = try attempt({ try history.capture(files, counter: seed + 1) }) {
            promise.kept[snapshot.id] = files
            promise.dropped.remove(snapshot.id)
            note()
        }
        if promise.kept.count > 3, let victim = promise.kept.keys.sorted().randomElement(using: &dice) {
            // From the attempt on it may be gone; once the call has returned it must be gone.
            promise.kept[victim] = nil
            note()
            if try attempt({ try history.drop([victim]) }) != nil {
                promise.dropped.insert(victim)
                note()
            }
        }
        if seed % 3 == 2 {
            _ = try attempt { try history.collectGarbage() }
            note()
        }
    }

    private func attempt<Value>(_ body: () throws -> Value) throws -> Value? {
        do { return try body() } catch is HistoryError { return nil }
    }

    /// Checks that the history keeps its promises now.
    func verify() throws {
        try check(promise, try History.open(at: path, packLimit: Self.packLimit))
    }

    private func check(_ promise: Promise, _ history: History) throws {
        for (id, files) in promise.kept { #expect(try history.contents(of: id) == files) }
        for id in promise.dropped { #expect(try history.snapshot(id) == nil) }
        let check = try history.check()
        #expect(check.isSound && history.incompleteSnapshots.isEmpty, "\(check)")
    }

    /// Checks a copy of the folder as a crash after so many changes would leave it: the history keeps its promises of
    /// that moment, and can be written to.
    func verify(after count: Int, _ crash: RecordedDisk.Crash) throws {
        let changes = disk.changes.prefix(count)
        let image = TemporaryFolder()
        for (name, bytes) in RecordedDisk.image(of: changes, crash) { try overwrite(image.path(of: name), bytes) }
        let last = changes.compactMap { change -> Int? in
            if case .promise(let number) = change { number } else { nil }
        }.last
        do {
            let history = try History.open(at: image.path, packLimit: Self.packLimit)
            try check(last.map { promises[$0] } ?? Promise(), history)
            _ = try history.capture(["after": [1, 2, 3]], counter: 1_000)
            try history.collectGarbage()
        }
        let history = try History.open(at: image.path, packLimit: Self.packLimit)
        try check(last.map { promises[$0] } ?? Promise(), history)
    }
}

@Suite("Crashes of a history", .timeLimit(.minutes(10)))
struct CrashTests {
    @Test("The history keeps every promise after a crash at any moment", arguments: 0..<4)
    func crashes(part: Int) throws {
        var life = Life()
        try life.live(rounds: 3, seed: 1)
        try life.verify()
        let count = life.disk.changes.count
        #expect(count > 100)
        for moment in stride(from: part, through: count, by: 4) {
            try life.verify(after: moment, .killed)
            try life.verify(after: moment, .powerCut)
            try life.verify(after: moment, .partly(UInt64(moment)))
        }
    }

    @Test(
        "An index that survives a power cut names only records that do, even if an opening wrote it"
    )
    func indexOfTail() throws {
        let (disk, folder) = (RecordedDisk(), TemporaryFolder())
        let path = folder.path(of: "history")
        var pieces: [(id: PieceID, bytes: [UInt8])] = []
        do {
            let history = try History.open(at: path, by: disk.calls)
            try history.capture(["a": [1, 2, 3]])
            let batch = try history.beginBatch()
            for number in 0..<20_000 as Range<UInt64> {
                let bytes = randomBytes(100, seed: number)
                pieces.append((PieceID(of: bytes, hashedBy: Digest.sha256), bytes))
                try batch.put(bytes, expecting: pieces[Int(number)].id)
            }
            // The program is killed here: most of that was written, and none of it flushed.
        }
        let before = disk.changes.count
        _ = try History.open(at: path, by: disk.calls)
        let written = try #require(
            disk.changes.indices.dropFirst(before).first { disk.changes[$0] == .rename("index.new", "index") }
        )
        let changes = disk.changes.prefix(written + 1)
        var left = RecordedDisk.image(of: changes, .powerCut)
        left["index"] = RecordedDisk.image(of: changes, .killed)["index"]
        let image = TemporaryFolder()
        for (name, bytes) in left { try overwrite(image.path(of: name), bytes) }
        let history = try History.open(at: image.path)
        for piece in pieces where try history.has(piece.id) { #expect(try history.read(piece.id) == piece.bytes) }
        #expect(try history.check().isSound)
    }

    @Test("The index's facts about missing packs survive a power cut", arguments: [2, 6])
    func lost(number: Int) throws {
        let (disk, folder, image) = (RecordedDisk(), TemporaryFolder(), TemporaryFolder())
        let (path, lost) = (folder.path(of: "history"), "pack-000000000\(number)")
        var made: [Snapshot] = []
        do {
            let history = try History.open(at: path, by: disk.calls, packLimit: 32 << 10)
            made = try (1...3).map { try history.capture(["a": randomBytes(40_000, seed: $0)], counter: $0) }
            _ = try history.usage()
            #expect(!disk.changes.contains(.sync("index.new")))
        }
        try disk.calls.remove(Folder(at: path), FileName(lost))
        try disk.calls.syncFolder(Folder(at: path))
        _ = try History.open(at: path, by: disk.calls, packLimit: 32 << 10)
        for (name, bytes) in RecordedDisk.image(of: disk.changes[...], .powerCut) {
            try overwrite(image.path(of: name), bytes)
        }
        let history = try History.open(at: image.path, packLimit: 32 << 10)
        #expect(history.lostSnapshots.map(\.snapshot) == [made[number / 2 - 1].id])
        try history.capture(["a": randomBytes(40_000, seed: 9)], counter: 9)
        #expect(access(image.path(of: lost), F_OK) != 0)
    }

    @Test("A refused call loses only its own change, and the next attempt works", arguments: [ENOSPC, EIO])
    func refusals(error: CInt) throws {
        var whole = Life()
        try whole.live(rounds: 2, seed: 2)
        for attempt in 1...whole.disk.attempts {
            var life = Life()
            life.disk.refuse(attempt, with: error)
            try life.live(rounds: 2, seed: 2)
            try life.verify()
        }
    }
}
