import Digests
import Glibc
@testable import History
import LinuxPlatform
import SaveRules
import Synchronization
import Testing
import TestSupport
import Vocabulary

@Suite("Collecting garbage", .timeLimit(.minutes(10)))
struct GarbageTests {
    private let folder = TemporaryFolder()
    private var path: String { folder.path(of: "history") }

    private func files(_ seed: UInt64) -> [String: [UInt8]] {
        ["own": randomBytes(60_000, seed: seed), "shared": randomBytes(30_000, seed: 1_000)]
    }

    @Test("A collection removes unused pieces, keeps used ones, and frees the disk")
    func collects() throws {
        let history = try History.open(at: path, packLimit: 128 << 10)
        let ids = try (1...20).map { try history.capture(files($0), counter: $0).id }
        let before = try history.usage()
        #expect(before.onDisk.bytes > 1_200_000)
        let nothing = try history.collectGarbage()
        #expect(nothing.removedPieces == 0 && nothing.removedPacks == 0)
        try history.drop(ids.dropLast(2))
        let report = try history.collectGarbage()
        #expect(report.removedPieces >= 18 && report.freedBytes > 1_000_000)
        let after = try history.usage()
        #expect(after.onDisk.bytes < 300_000)
        for (id, seed) in zip(ids.suffix(2), [19, 20] as [UInt64]) {
            #expect(try history.contents(of: id) == files(seed))
        }
        #expect(try history.check().isSound)
        let gone = PieceID(of: try #require(files(1)["own"]), hashedBy: Digest.sha256)
        #expect(try !history.has(gone))
        let again = try history.capture(files(1), counter: 30)
        #expect(try history.contents(of: again.id) == files(1))
    }

    @Test("The report gives the bytes that the disk gains, and the unused bytes that stay")
    func reported() throws {
        let history = try History.open(at: path)
        let ids = try (1...5).map { try history.capture(["own": randomBytes(60_000, seed: $0)], counter: $0).id }
        try history.drop(ids.prefix(2))
        let less = try history.usage()
        #expect(less.garbage.bytes == 0 && less.remainingGarbage.bytes > 120_000)
        let nothing = try history.collectGarbage()
        #expect(nothing.freedBytes == 0 && nothing.remainingGarbage > 120_000)
        try history.drop([ids[2]])
        let before = try history.usage()
        #expect(before.garbage.bytes > 180_000 && before.remainingGarbage.bytes == 0)
        let report = try history.collectGarbage()
        let after = try history.usage()
        #expect(report.movedBytes > 120_000 && report.remainingGarbage == 0)
        // The index, and the head of the pack with the moved records, are small.
        let gained = Int(before.onDisk.bytes) - Int(after.onDisk.bytes)
        #expect(abs(gained - Int(report.freedBytes)) < 4_096 && abs(gained - Int(before.garbage.bytes)) < 4_096)
    }

    @Test("Pieces that a batch put or claimed stay as long as the batch lives")
    func batches() throws {
        let history = try History.open(at: path)
        let piece = randomBytes(10_000, seed: 1)
        let id = PieceID(of: piece, hashedBy: Digest.sha256)
        do {
            let batch = try history.beginBatch()
            try batch.put(piece, expecting: id)
            try history.collectGarbage()
            #expect(try history.read(id) == piece)
        }
        do {
            let batch = try history.beginBatch()
            #expect(try batch.claim(id))
            try history.collectGarbage()
            #expect(try history.read(id) == piece)
        }
        try history.collectGarbage()
        #expect(try !history.has(id))
    }

    @Test("A claim of many pieces protects those that are there and names the missing ones")
    func claimsMany() throws {
        let history = try History.open(at: path)
        let pieces = (0..<600).map { Array("piece \($0)".utf8) }
        let ids = pieces.map { PieceID(of: $0, hashedBy: Digest.sha256) }
        let claiming = try history.beginBatch()
        do {
            let batch = try history.beginBatch()
            for number in 0..<400 { try batch.put(pieces[number], expecting: ids[number]) }
            try batch.commit()
            // The pieces so far are in the index. The following pieces are not.
            _ = try history.usage()
            for number in 400..<500 { try batch.put(pieces[number], expecting: ids[number]) }
            try batch.commit()
            let asked = Array(ids[390...]) + [ids[395], ids[590]]
            #expect(try claiming.claim(all: asked) == Set(ids[500...]))
            #expect(try claiming.claim(all: [PieceID]()).isEmpty)
        }
        try history.collectGarbage()
        #expect(try history.missing(of: ids[390..<500]).isEmpty)
        #expect(try !history.has(ids[0]))
        withExtendedLifetime(claiming) {}
    }

    @Test("Threads capture, drop, read and list during collections, and nothing is lost")
    func concurrency() async throws {
        let path = path
        let history = try History.open(at: path, packLimit: 128 << 10)
        let stable = try history.capture(["stable": randomBytes(200_000, seed: 7)], set: otherSet)
        let isDone = Probe(false)
        let files = files
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await runBlocking("captures") {
                    var kept: [SnapshotID] = []
                    for round in 1...60 as ClosedRange<UInt64> {
                        // Every content returns after some rounds, so that collected pieces are put again.
                        let snapshot = try history.capture(files(round % 7), counter: round)
                        kept.append(snapshot.id)
                        if kept.count > 3 { try history.drop([kept.removeFirst()]) }
                        for id in kept { _ = try history.contents(of: id) }
                    }
                    isDone.open()
                }
            }
            group.addTask {
                try await runBlocking("collects") {
                    while !isDone.value { try history.collectGarbage() }
                }
            }
            group.addTask {
                try await runBlocking("reads") {
                    let reader = try History.open(at: path, for: .reading)
                    while !isDone.value {
                        #expect(try history.contents(of: stable.id)?["stable"] == randomBytes(200_000, seed: 7))
                        #expect(try reader.contents(of: stable.id)?["stable"] == randomBytes(200_000, seed: 7))
                    }
                }
            }
            try await group.waitForAll()
        }
        let last = try history.snapshots(of: testSet)
        #expect(last.count == 3)
        for (snapshot, round) in zip(last, [58, 59, 60] as [UInt64]) {
            #expect(try history.contents(of: snapshot.id) == files(round % 7))
        }
        #expect(try history.check().isSound)
    }

    @Test(
        "A failed write of another thread during a move loses no used piece",
        arguments: [ENOSPC, EIO]
    )
    func othersFail(error: CInt) async throws {
        let disk = UnluckyThread()
        let path = path
        let history = try History.open(at: path, by: disk.calls(refusing: error), packLimit: 128 << 10)
        let small = Dictionary(uniqueKeysWithValues: (1...2_000).map { ("\($0)", randomBytes(100, seed: $0)) })
        let kept = try history.capture(small)
        for round in 1...8 as ClosedRange<UInt64> {
            let dropped = try history.capture(["large": randomBytes(120_000, seed: 2_000 + round)], counter: round + 1)
            try history.capture(["little": randomBytes(9_000, seed: 3_000 + round)], counter: round + 20)
            try history.drop([dropped.id])
        }
        let snapshots = try history.snapshots(of: testSet).map(\.id)
        #expect(snapshots.count == 9 && snapshots.contains(kept.id))
        let (isDone, hasFailed) = (Probe(false), BlockingGate())
        async let other: Void = runBlocking("fails") {
            disk.turnAgainstThisThread()
            var (seed, failureCount) = (10_000 as UInt64, 0)
            while !isDone.value {
                seed += 1
                let batch = try history.beginBatch()
                let piece = randomBytes(100, seed: seed)
                do {
                    try batch.put(piece, expecting: PieceID(of: piece, hashedBy: Digest.sha256))
                    // The collector may have written the piece already.
                    try batch.commit()
                } catch is HistoryError {
                    failureCount += 1
                    if failureCount == 1 { hasFailed.open() }
                }
            }
        }
        try await runBlocking("collects") {
            hasFailed.pass()
            // The collector may report the failure, and continues another time.
            for _ in 1...3 { _ = try? history.collectGarbage() }
            isDone.open()
        }
        try await other
        for id in snapshots { #expect(try history.contents(of: id) != nil) }
        #expect(try history.contents(of: kept.id) == small)
        try history.collectGarbage()
        #expect(try history.check().isSound)
        #expect(try history.snapshots(of: testSet).map(\.id) == snapshots)
    }

    /// Claims a piece at the moment when an index without it is about to be used.
    private final class LateClaim: Sendable {
        let batch = Mutex<HistoryBatch?>(nil)
        let isThere = Mutex<Bool?>(nil)
        let wasIndexRemoved = Probe(false)

        func calls(claiming id: PieceID, atIndex wanted: Int) -> StoreCalls {
            let count = Probe(0)
            var calls = StoreCalls.kernel
            calls.rename = { [self] (folder, old, new) throws(SystemError) in
                batch.withLock { batch in
                    guard let batch else { return }
                    count.count()
                    if count.value == wanted { isThere.withLock { $0 = try? batch.claim(id) } }
                }
                try StoreCalls.kernel.rename(folder, old, new)
            }
            calls.remove = { [wasIndexRemoved] (folder, name) throws(SystemError) in
                if name.text == "index" { wasIndexRemoved.open() }
                try StoreCalls.kernel.remove(folder, name)
            }
            return calls
        }
    }

    @Test("A piece that is claimed while the collector forgets it is kept, or reported as missing")
    func claimedLate() throws {
        let (piece, claim) = (randomBytes(10_000, seed: 1), LateClaim())
        let id = PieceID(of: piece, hashedBy: Digest.sha256)
        // The first index has all pieces; the second one is without the claimed piece.
        let history = try History.open(at: path, by: claim.calls(claiming: id, atIndex: 2))
        try history.beginBatch().put(piece, expecting: id)
        try claim.batch.withLock { $0 = try history.beginBatch() }
        try history.collectGarbage()
        #expect(claim.isThere.withLock { $0 } == true)
        #expect(try history.read(id) == piece)
        // The index may hold facts that no pack holds.
        #expect(!claim.wasIndexRemoved.value)
        claim.batch.withLock { $0 = nil }
        try history.collectGarbage()
        #expect(try !history.has(id))
        #expect(try history.check().isSound)
    }

    @Test("Pieces of a version whose manifest arrives during the marking stay")
    func manifestMeanwhile() throws {
        let (elsewhere, history) = (try History.open(at: folder.path(of: "other")), try History.open(at: path))
        let snapshot = try elsewhere.capture(files(1))
        let needed = try elsewhere.manifest(of: snapshot).pieces.map(\.id)
        let batch = try history.beginBatch()
        try batch.expect(snapshot)
        for piece in needed { try batch.put(elsewhere.read(piece), expecting: piece) }
        try history.collectGarbage()
        var live = LiveMarks(try #require(history.store.shared.withLock { $0.base }))
        try live.mark(history)
        for piece in snapshot.manifest { try batch.put(elsewhere.read(piece.id), expecting: piece.id) }
        try batch.append(snapshot)
        try live.mark(history)
        for piece in needed { #expect(try live.base.find(piece).map { live.marks[$0.number] } == true) }
    }

    @Test("Pieces that are put during a check are no damage")
    func checkedMeanwhile() async throws {
        let path = path
        let history = try History.open(at: path, packLimit: 256 << 10)
        try history.capture(["large": randomBytes(2_000_000, seed: 5)], set: otherSet)
        let isDone = Probe(false)
        async let saves: Void = runBlocking("saves") {
            defer { isDone.open() }
            for round in 1...200 as ClosedRange<UInt64> {
                try history.capture(["slot": randomBytes(500, seed: round)], counter: round)
            }
        }
        try await runBlocking("checks") {
            while !isDone.value {
                let check = try history.check()
                #expect(check.isSound, "\(check.touched.count) touched, index \(check.isIndexSound)")
            }
        }
        try await saves
    }

    @Test("Two checks or collections can't run at once")
    func alone() async throws {
        let history = try History.open(at: path)
        try history.capture(["a": randomBytes(3_000_000, seed: 1)])
        // Each either does its work or is refused as busy; neither disturbs the other.
        let outcomes = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    try await runBlocking("care") {
                        do { return try history.check().isSound } catch let error as HistoryError {
                            #expect(error.code == "history.under-care")
                            return true
                        }
                    }
                }
            }
            return try await group.reduce(into: [Bool]()) { $0.append($1) }
        }
        #expect(outcomes == [true, true, true, true])
    }

    @Test(
        "A pack that could not be removed goes later, and its dropped snapshots stay dropped",
        arguments: [false, true]
    )
    func removedLater(repaired: Bool) throws {
        let (mayRemove, third) = (Probe(false), "\(path)/pack-0000000003")
        var calls = StoreCalls.kernel
        calls.remove = { (folder, name) throws(SystemError) in
            guard mayRemove.value || name.text != "pack-0000000003" else { throw SystemError("scripted", EIO) }
            try StoreCalls.kernel.remove(folder, name)
        }
        var made: [Snapshot] = []
        do {
            let history = try History.open(at: path, by: calls, packLimit: 64 << 10)
            made = try (1...3).map { try history.capture(files($0), counter: $0) }
            // The third pack has all of its pieces.
            try history.drop([made[1].id])
            #expect(refusal("history.disk") { try history.collectGarbage() })
            try history.capture(files(4), counter: 4)
            // The pack with the drop record.
            try history.drop([made[2].id])
            _ = try? history.collectGarbage()
            #expect(access(third, F_OK) == 0)
            mayRemove.open()
            if repaired {
                let file = try Folder(at: path).open(FileName("pack-0000000001"), for: .writing)
                try [0, 1, 2, 3].withUnsafeBytes { try file.write($0, at: 1_000) }
                #expect(try history.check(repairing: true).isRepaired)
                #expect(try history.snapshot(made[1].id) == nil)
            } else {
                try history.collectGarbage()
            }
            #expect(access(third, F_OK) != 0)
        }
        unlink("\(path)/index")
        #expect(try History.open(at: path).snapshot(made[1].id) == nil)
    }

    @Test("On a full disk a collection frees what it can without moving, and harms nothing")
    func fullDisk() throws {
        let disk = RecordedDisk()
        let history = try History.open(at: path, by: disk.calls, packLimit: 128 << 10)
        let ids = try (1...20).map { try history.capture(files($0), counter: $0).id }
        try history.drop(ids.dropLast())
        for attempt in 1...30 {
            disk.refuse(disk.attempts + attempt, with: ENOSPC)
            _ = try? history.collectGarbage()
            #expect(try history.contents(of: ids[19]) == files(20))
        }
        disk.refuse(0, with: ENOSPC)
        try history.collectGarbage()
        #expect(try history.usage().onDisk.bytes < 300_000)
        #expect(try history.check().isSound)
    }
}

/// Refuses every write of one thread from the moment that the thread asks for it.
private final class UnluckyThread: Sendable {
    private let thread = Mutex<pthread_t?>(nil)

    func turnAgainstThisThread() { thread.withLock { $0 = pthread_self() } }

    func calls(refusing error: CInt) -> StoreCalls {
        var calls = StoreCalls.kernel
        calls.write = { (file, bytes, offset) throws(SystemError) in
            guard self.thread.withLock({ $0 }) != pthread_self() else { throw SystemError("scripted", error) }
            try StoreCalls.kernel.write(file, bytes, offset)
        }
        return calls
    }
}
