import Digests
import Glibc
import History
import LinuxPlatform
import SaveRules
import Testing
import TestSupport
import Vocabulary

@Suite("Lost packs", .timeLimit(.minutes(5)))
struct LostPackTests {
    private let folder = TemporaryFolder()
    private var path: String { folder.path(of: "history") }

    private func files(_ seed: UInt64) -> [String: [UInt8]] { ["a": randomBytes(40_000, seed: seed)] }

    private func open() throws -> History { try History.open(at: path, packLimit: 32 << 10) }

    private func pack(_ number: Int) -> String { "\(path)/pack-000000000\(number)" }

    private func isThere(_ number: Int) -> Bool { access(pack(number), F_OK) == 0 }

    /// Three snapshots. Packs 1, 3 and 5 each have the file of one, and packs 2, 4 and 6 its manifest and record.
    private func make() throws -> [Snapshot] {
        let history = try open()
        let made = try (1...3).map { try history.capture(files($0), counter: $0) }
        _ = try history.usage()
        for number in 1...6 { #expect(isThere(number)) }
        return made
    }

    @Test("A lost version is reported as damage, after restarts too, until a repair gives it up")
    func givenUp() throws {
        let made = try make()
        unlink(pack(2))
        for _ in 1...2 {
            let history = try open()
            #expect(history.lostSnapshots.map(\.snapshot) == [made[0].id])
            let check = try history.check()
            #expect(check.touched.map(\.snapshot) == [made[0].id] && check.touched.first?.set == testSet)
            #expect(!check.isSound && check.isIndexSound && check.damages.isEmpty)
            #expect(try history.contents(of: made[1].id) == files(2))
        }
        do {
            let history = try open()
            let check = try history.check(repairing: true)
            #expect(check.isRepaired && check.touched.map(\.snapshot) == [made[0].id])
            #expect(try history.check().isSound && history.lostSnapshots.isEmpty)
        }
        let history = try open()
        #expect(try history.check().isSound && history.lostSnapshots.isEmpty)
        #expect(try history.contents(of: made[2].id) == files(3))
    }

    @Test(
        "Without any pack all versions are lost, except those that are kept again or later"
    )
    func all() throws {
        let made = try make()
        for number in 1...6 { unlink(pack(number)) }
        let new = try open().capture(files(9), counter: 9)
        do {
            let history = try open()
            #expect(try history.contents(of: new.id) == files(9))
            #expect(history.lostSnapshots.map(\.snapshot) == made.map(\.id).sorted())
            try history.capture(files(1), counter: 1)
            #expect(history.lostSnapshots.count == 2)
            try history.drop([made[0].id])
            #expect(refusal("history.missing-packs") { try history.collectGarbage() })
            #expect(history.lostSnapshots.count == 2)
        }
        let history = try open()
        #expect(history.lostSnapshots.map(\.snapshot) == made.dropFirst().map(\.id).sorted())
        #expect(try history.contents(of: new.id) == files(9))
    }

    @Test("The check names the files that need a lost pack, and the version is whole once they are put again")
    func pieces() throws {
        let made = try make()
        unlink(pack(1))
        for _ in 1...2 {
            let history = try open()
            #expect(history.lostSnapshots.isEmpty)
            #expect(history.incompleteSnapshots.map(\.snapshot) == [made[0].id])
            let check = try history.check()
            #expect(check.touched.map(\.snapshot) == [made[0].id] && check.touched.first?.files.map(\.text) == ["a"])
        }
        do {
            let history = try open()
            try history.capture(files(1), counter: 1)
            #expect(try history.check().isSound && history.contents(of: made[0].id) == files(1))
        }
        for _ in 1...2 { #expect(try open().incompleteSnapshots.isEmpty) }
    }

    @Test("A repair gives up lost versions, and incomplete versions are still reported")
    func incompleteAfterRepair() throws {
        let made = try make()
        for number in [1, 4] { unlink(pack(number)) }
        do {
            let history = try open()
            #expect(history.lostSnapshots.map(\.snapshot) == [made[1].id])
            #expect(try history.check(repairing: true).isRepaired)
            #expect(history.lostSnapshots.isEmpty && history.incompleteSnapshots.map(\.snapshot) == [made[0].id])
        }
        let history = try open()
        #expect(history.lostSnapshots.isEmpty && history.incompleteSnapshots.map(\.snapshot) == [made[0].id])
    }

    @Test(
        "A pack that is put back restores its version, even after a new index or a repair",
        arguments: [false, true]
    )
    func comesBack(repaired: Bool) throws {
        let made = try make()
        rename(pack(2), folder.path(of: "found"))
        do {
            let history = try open()
            if repaired { #expect(try history.check(repairing: true).isRepaired) } else { _ = try history.usage() }
        }
        rename(folder.path(of: "found"), pack(2))
        let history = try open()
        #expect(try history.contents(of: made[0].id) == files(1))
        #expect(try history.check().isSound && history.lostSnapshots.isEmpty)
    }

    @Test(
        "A pack of pieces alone that is put back is loaded, even if no index listed it",
        arguments: [false, true]
    )
    func contentsRestored(withoutIndex: Bool) throws {
        let made = try make()
        rename(pack(1), folder.path(of: "found"))
        if withoutIndex { unlink("\(path)/index") }
        _ = try open().usage()
        rename(folder.path(of: "found"), pack(1))
        let history = try open()
        #expect(isThere(1))
        #expect(try history.check().isSound && history.incompleteSnapshots.isEmpty)
        #expect(try history.contents(of: made[0].id) == files(1))
    }

    @Test(
        "A missing pack's number is not used again, even after a repair, so that it can be put back"
    )
    func numbers() throws {
        let made = try make()
        rename(pack(6), folder.path(of: "found"))
        #expect(try open().check(repairing: true).isRepaired)
        let new = try open().capture(files(9), counter: 9)
        #expect(!isThere(6) && isThere(7))
        rename(folder.path(of: "found"), pack(6))
        let history = try open()
        #expect(try history.contents(of: made[2].id) == files(3) && history.contents(of: new.id) == files(9))
        #expect(try history.check().isSound)
    }

    @Test("A snapshot that was dropped and kept again is lost with its pack until it is kept once more")
    func keptAgain() throws {
        let (made, other): (Snapshot, Snapshot)
        do {
            let history = try open()
            made = try history.capture(files(1), counter: 1)
            try history.capture(files(2), counter: 2)
            try history.drop([made.id])
            other = try history.capture(files(3), counter: 3)
            try history.capture(files(1), counter: 1)
            _ = try history.usage()
        }
        var last = 1
        while isThere(last + 1) { last += 1 }
        unlink(pack(last))
        for _ in 1...2 {
            let history = try open()
            #expect(history.lostSnapshots.map(\.snapshot) == [made.id, other.id].sorted())
            // If an expected record is dropped again, the snapshot does not return, and the earlier drop is not moved
            // after the new one.
            try history.beginBatch().expect(made)
            try history.drop([made.id])
            #expect(refusal("history.missing-packs") { try history.collectGarbage() })
            #expect(history.lostSnapshots.map(\.snapshot) == [made.id, other.id].sorted())
        }
        do {
            let history = try open()
            try history.capture(files(1), counter: 1)
            #expect(history.lostSnapshots.map(\.snapshot) == [other.id])
            try history.drop([made.id])
            #expect(history.lostSnapshots.map(\.snapshot) == [other.id])
        }
        #expect(try open().lostSnapshots.map(\.snapshot) == [other.id])
    }

    @Test(
        "A version that was expected while its pack was missing is kept again once the pack is back",
        arguments: [false, true],
        [false, true]
    )
    func expectedMeanwhile(givenUp: Bool, noted: Bool) throws {
        let made = try make()
        rename(pack(2), folder.path(of: "found"))
        do {
            let history = try open()
            try history.beginBatch().expect(made[0])
            if givenUp { try history.drop([made[0].id]) }
            if noted { _ = try history.usage() }
        }
        rename(folder.path(of: "found"), pack(2))
        do {
            let history = try open()
            #expect(try history.contents(of: made[0].id) == files(1))
            #expect(try history.lostSnapshots.isEmpty && history.check().isSound)
            try history.collectGarbage()
            #expect(try history.contents(of: made[0].id) == files(1))
        }
        // The packs say so without the index, too.
        unlink("\(path)/index")
        do {
            let history = try open()
            #expect(try history.contents(of: made[0].id) == files(1))
            try history.drop([made[0].id])
        }
        #expect(try open().snapshot(made[0].id) == nil)
    }

    @Test(
        "Nothing is collected while a version is lost, so that its pieces are there if its pack is put back",
        arguments: [false, true]
    )
    func collectedMeanwhile(afterDrops: Bool) throws {
        let made = try make()
        rename(pack(2), folder.path(of: "found"))
        for round in 1...2 {
            let history = try open()
            if afterDrops { try history.drop([made[round].id]) }
            #expect(refusal("history.missing-packs") { try history.collectGarbage() })
        }
        rename(folder.path(of: "found"), pack(2))
        let history = try open()
        #expect(try history.contents(of: made[0].id) == files(1))
        #expect(try history.check().isSound)
        #expect(history.lostSnapshots.isEmpty && history.incompleteSnapshots.isEmpty)
        #expect(try history.collectGarbage().removedPacks == (afterDrops ? 2 : 0))
        #expect(try history.contents(of: made[0].id) == files(1))
    }

    @Test("Collections work again once the lost versions are forgotten")
    func forgotten() throws {
        let made = try make()
        unlink(pack(2))
        let history = try open()
        #expect(refusal("history.missing-packs") { try history.collectGarbage() })
        try history.forgetLost([made[0].id])
        #expect(try history.collectGarbage().removedPacks == 1 && !isThere(1))
        #expect(try history.check().isSound && history.contents(of: made[1].id) == files(2))
    }

    /// A snapshot with its file in pack 1, its manifest in pack 2 and its record in pack 4; pack 3 has something else.
    private func makeApart() throws -> Snapshot {
        let history = try open()
        let batch = try history.beginBatch()
        let snapshot = try SavedFolder(files(1)).put(in: batch, set: testSet)
        let other = randomBytes(40_000, seed: 99)
        try batch.put(other, expecting: PieceID(of: other, hashedBy: Digest.sha256))
        try batch.append(snapshot)
        _ = try history.usage()
        for number in 1...4 { #expect(isThere(number)) }
        return snapshot
    }

    enum End: CaseIterable, Sendable {
        case putBack, comesAgain, repaired, dropped
    }

    @Test(
        "Nothing is collected while a pack with a manifest is missing, until that is given up",
        arguments: End.allCases
    )
    func manifestGone(end: End) throws {
        let made = try makeApart()
        rename(pack(2), folder.path(of: "found"))
        for _ in 1...2 {
            let history = try open()
            #expect(history.lostSnapshots.isEmpty && history.incompleteSnapshots.map(\.snapshot) == [made.id])
            #expect(refusal("history.missing-packs") { try history.collectGarbage() })
        }
        switch end {
        case .putBack: rename(folder.path(of: "found"), pack(2))
        case .comesAgain: try open().capture(files(1))
        case .repaired:
            for isFirst in [true, false] { #expect(try open().check(repairing: true).isRepaired == isFirst) }
        case .dropped: try open().drop([made.id])
        }
        let isThereStill = [.putBack, .comesAgain].contains(end)
        do {
            let history = try open()
            try history.collectGarbage()
            #expect(isThere(1) == isThereStill && !isThere(3))
            if isThereStill { #expect(try history.check().isSound && history.contents(of: made.id) == files(1)) }
        }
        guard end == .repaired else { return }
        // The pack is back too late, and the history does not claim to be complete.
        rename(folder.path(of: "found"), pack(2))
        let history = try open()
        #expect(history.incompleteSnapshots.map(\.snapshot) == [made.id])
        #expect(try history.check().touched.map(\.snapshot) == [made.id])
    }

    @Test("An incomplete version is found even if no index listed the missing pack")
    func incompleteWithoutIndex() throws {
        let made = try makeApart()
        unlink(pack(2))
        unlink("\(path)/index")
        #expect(try open().incompleteSnapshots.map(\.snapshot) == [made.id])
    }

    @Test("An index of the first form shows lost versions, too")
    func firstForm() throws {
        let made = try make()
        unlink(pack(2))
        _ = try open().usage()
        var index = Array(try bytesOfFile("\(path)/index").dropLast(Digest.byteCount))
        #expect(index[7] == 2)
        index[7] = 1
        try overwrite("\(path)/index", index + Digest.sha256(index))
        #expect(try open().lostSnapshots.map(\.snapshot) == [made[0].id])
    }

    @Test(
        "The next opening removes a pack whose collection was interrupted, and its return does no harm"
    )
    func interrupted() throws {
        var calls = StoreCalls.kernel
        calls.remove = { (folder, name) throws(SystemError) in
            guard !name.text.hasPrefix("pack-") else { throw SystemError("scripted", EIO) }
            try StoreCalls.kernel.remove(folder, name)
        }
        var made: [Snapshot] = []
        do {
            let history = try History.open(at: path, by: calls, packLimit: 32 << 10)
            made = try (1...3).map { try history.capture(files($0), counter: $0) }
            try history.drop([made[0].id])
            #expect(throws: HistoryError.self) { try history.collectGarbage() }
        }
        let collected = try bytesOfFile(pack(1))
        for _ in 1...2 {
            let history = try open()
            #expect(!isThere(1))
            #expect(try history.check().isSound && history.contents(of: made[1].id) == files(2))
        }
        try overwrite(pack(1), collected)
        let history = try open()
        #expect(try history.snapshot(made[0].id) == nil && history.check().isSound)
        #expect(try history.collectGarbage().removedPacks > 0 && !isThere(1))
    }

    @Test("Collected packs are not lost, even if the index is an older one")
    func collected() throws {
        var kept: [Snapshot] = []
        do {
            let history = try History.open(at: path, packLimit: 128 << 10)
            let made = try (1...20).map { try history.capture(files($0), counter: $0) }
            _ = try history.usage()
            let before = try bytesOfFile("\(path)/index")
            kept = made.suffix(2)
            try history.drop(made.dropLast(2).map(\.id))
            #expect(try history.collectGarbage().removedPacks > 3)
            try overwrite("\(path)/index", before)
        }
        let history = try History.open(at: path)
        #expect(history.lostSnapshots.isEmpty && history.incompleteSnapshots.isEmpty)
        let check = try history.check()
        #expect(check.isSound, "\(check)")
        for snapshot in kept { #expect(try history.contents(of: snapshot.id) != nil) }
    }
}
