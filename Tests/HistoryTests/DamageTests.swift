import Digests
import Glibc
import History
import LinuxPlatform
import SaveRules
import Testing
import TestSupport
import Vocabulary

@Suite("Damage to a history", .timeLimit(.minutes(10)))
struct DamageTests {
    private let folder = TemporaryFolder()
    private var path: String { folder.path(of: "history") }
    private var pack: String { "\(path)/pack-0000000001" }

    private let small: [String: [UInt8]] = ["a": randomBytes(90, seed: 1), "b": textBytes(400, seed: 2)]
    private let other: [String: [UInt8]] = ["c": textBytes(200, seed: 3)]

    /// Two games with one snapshot each.
    private func make() throws -> (first: Snapshot, second: Snapshot) {
        let history = try History.open(at: path)
        let first = try history.capture(small)
        let second = try history.capture(other, set: otherSet)
        _ = try history.usage()
        return (first, second)
    }

    /// Checks that a read gives the bytes that were put, or throws an error of damage.
    private func isHonest(_ history: History, _ snapshot: Snapshot, _ files: [String: [UInt8]]) -> Bool {
        do {
            guard let found = try history.contents(of: snapshot.id) else { return false }
            return found == files
        } catch let error as HistoryError {
            return error.code.description.hasPrefix("history.")
        } catch {
            return false
        }
    }

    @Test(
        "The check finds each changed byte, no read returns it, and other content is unharmed",
        arguments: 0..<4,
        [false, true]
    )
    func everyByte(part: Int, withoutIndex: Bool) throws {
        let (first, second) = try make()
        let sound = try bytesOfFile(pack)
        let index = try bytesOfFile("\(path)/index")
        for place in stride(from: part, to: sound.count, by: 4) {
            var damaged = sound
            damaged[place] ^= UInt8(1 << (place % 8))
            try overwrite(pack, damaged)
            if withoutIndex { unlink("\(path)/index") } else { try overwrite("\(path)/index", index) }
            let history = try History.open(at: path)
            #expect(isHonest(history, first, small) || withoutIndex, "byte \(place)")
            #expect(isHonest(history, second, other) || withoutIndex, "byte \(place)")
            let check = try history.check()
            let isTailCut = try bytesOfFile(pack).count < sound.count
            #expect(!check.damages.isEmpty || isTailCut, "byte \(place)")
            // Damaged content is not collected before a check; all other content is whole.
            for damage in check.damages { #expect(damage.range.contains(UInt64(place)), "byte \(place)") }
            let touched = Set(check.touched.map(\.snapshot))
            for (snapshot, files) in [(first, small), (second, other)] where try history.keeps(snapshot.id) {
                if !touched.contains(snapshot.id) {
                    #expect(try history.contents(of: snapshot.id) == files, "byte \(place)")
                }
            }
        }
    }

    @Test(
        "A repair discards damaged pieces, names their files, and the files are whole once put again",
        arguments: [false, true]
    )
    func repair(withoutIndex: Bool) throws {
        let (first, second) = try make()
        var bytes = try bytesOfFile(pack)
        let contents = try #require(small["a"])
        let place = try #require(bytes.indices.first { bytes[$0...].starts(with: contents) })
        bytes[place + 10] ^= 4
        try overwrite(pack, bytes)
        if withoutIndex { unlink("\(path)/index") }
        let history = try History.open(at: path)
        let piece = PieceID(of: contents, hashedBy: Digest.sha256)
        #expect(refusal("history.damaged-piece") { try history.read(piece) })
        let found = try history.check(repairing: true)
        #expect(found.damages.map(\.lost) == [.piece(piece)])
        #expect(found.touched.map(\.snapshot) == [first.id])
        #expect(found.touched.first?.files.map(\.text) == ["a"])
        #expect(found.touched.first?.pieces == [piece])
        #expect(found.isRepaired)
        #expect(try !history.has(piece))
        let again = try history.check()
        #expect(again.damages.isEmpty && again.touched.map(\.snapshot) == [first.id])
        #expect(try history.contents(of: second.id) == other)
        try history.beginBatch().put(contents, expecting: piece)
        #expect(try history.check().isSound)
        #expect(try history.contents(of: first.id) == small)
        try history.collectGarbage()
        #expect(try history.contents(of: first.id) == small)
    }

    @Test(
        "A repair keeps the records behind a damaged one, even if no flush note follows"
    )
    func givenUpInTail() throws {
        let (first, second) = try make()
        // As if the disk had no space for the note.
        var bytes = try bytesOfFile(pack).dropLast(64)
        let contents = try #require(other["c"])
        let piece = PieceID(of: contents, hashedBy: Digest.sha256)
        let place = try #require(bytes.indices.first { bytes[$0...].starts(with: piece.bytes) })
        bytes[place + 50] ^= 4
        try overwrite(pack, Array(bytes))
        do {
            let history = try History.open(at: path)
            let found = try history.check(repairing: true)
            #expect(found.damages.map(\.lost) == [.piece(piece)])
            #expect(found.touched.map(\.snapshot) == [second.id])
            #expect(try history.keeps(second.id))
        }
        unlink("\(path)/index")
        let history = try History.open(at: path)
        #expect(try history.keeps(first.id) && history.keeps(second.id))
        try history.beginBatch().put(contents, expecting: piece)
        #expect(try history.contents(of: second.id) == other)
        #expect(try history.check().isSound)
    }

    @Test("A piece that a read finds damaged can be put again at once")
    func putAgain() throws {
        let (first, _) = try make()
        var bytes = try bytesOfFile(pack)
        let contents = try #require(small["a"])
        let place = try #require(bytes.indices.first { bytes[$0...].starts(with: contents) })
        bytes[place + 10] ^= 4
        try overwrite(pack, bytes)
        let history = try History.open(at: path)
        let piece = PieceID(of: contents, hashedBy: Digest.sha256)
        #expect(try history.has(piece))
        #expect(refusal("history.damaged-piece") { try history.contents(of: first.id) })
        #expect(try history.missing(of: [piece]) == [piece])
        let batch = try history.beginBatch()
        #expect(try batch.put(contents, expecting: piece))
        try batch.commit()
        #expect(try history.contents(of: first.id) == small)
        let check = try history.check()
        #expect(check.damages.map(\.lost) == [.piece(piece)] && check.touched.isEmpty)
    }

    @Test("While the contents of a damaged part are unknown, a repair must precede a collection")
    func unknownDamage() throws {
        let (first, second) = try make()
        var bytes = try bytesOfFile(pack)
        // The header of the first record is damaged and the index is removed: nothing else says what that record was.
        bytes[70] ^= 1
        try overwrite(pack, bytes)
        unlink("\(path)/index")
        let history = try History.open(at: path)
        #expect(refusal("history.damaged") { try history.collectGarbage() })
        let found = try history.check(repairing: true)
        #expect(found.damages.map(\.lost) == [nil])
        #expect(found.touched.map(\.snapshot) == [first.id])
        try history.drop([first.id])
        try history.collectGarbage()
        #expect(try history.check().isSound)
        #expect(try history.contents(of: second.id) == other)
    }

    /// Damages a snapshot in place, because the history has the pack open.
    private func damageFirstRecord() throws {
        var bytes = try bytesOfFile(pack)
        let mark = try #require(bytes.indices.first { bytes[$0...].starts(with: Array("HREC".utf8) + [2]) })
        bytes[mark + 80] ^= 1
        let file = try Folder(at: path).open(FileName("pack-0000000001"), for: .writing)
        try bytes.withUnsafeBytes { try file.write($0, at: 0) }
    }

    @Test("A snapshot that can't be read stops all collections, and the error names it")
    func damagedSnapshot() throws {
        let (first, second) = try make()
        let history = try History.open(at: path)
        try damageFirstRecord()
        #expect(refusal("history.damaged-snapshot") { try history.collectGarbage() })
        #expect(refusal("history.damaged-snapshot") { try history.snapshot(first.id) })
        let found = try history.check(repairing: true)
        #expect(found.damages.map(\.lost) == [.snapshot(first.id)])
        #expect(found.touched.map(\.snapshot) == [first.id])
        #expect(try history.snapshot(first.id) == nil)
        try history.collectGarbage()
        #expect(try history.contents(of: second.id) == other)
        #expect(try history.check().isSound)
    }

    @Test("A damaged snapshot that is appended again can be read again")
    func damagedSnapshotAgain() throws {
        let (first, _) = try make()
        let history = try History.open(at: path)
        try damageFirstRecord()
        #expect(refusal("history.damaged-snapshot") { try history.collectGarbage() })
        try history.beginBatch().append(first)
        try history.collectGarbage()
        #expect(try history.contents(of: first.id) == small)
    }

    @Test("The heads of packs and the seal are restored from each other")
    func heads() throws {
        let (first, _) = try make()
        var bytes = try bytesOfFile(pack)
        bytes[20] ^= 1
        try overwrite(pack, bytes)
        do {
            let history = try History.open(at: path)
            #expect(try history.contents(of: first.id) == small)
            #expect(try history.check(repairing: true).damages.map(\.lost) == [.head])
            #expect(try history.check().isSound)
        }
        try overwrite("\(path)/seal", [1, 2, 3])
        do {
            let history = try History.open(at: path)
            #expect(try history.contents(of: first.id) == small)
        }
        #expect(try bytesOfFile("\(path)/seal").count == 64)
        // The index has it, too.
        try damageHeads()
        let history = try History.open(at: path)
        #expect(try history.contents(of: first.id) == small)
        #expect(history.setAside == nil)
    }

    private func damageHeads() throws {
        try overwrite("\(path)/seal", [1, 2, 3])
        var bytes = try bytesOfFile(pack)
        bytes[20] ^= 1
        try overwrite(pack, bytes)
    }

    @Test(
        "An unreadable history is moved aside, each time into a new folder, and a new history begins"
    )
    func setAside() throws {
        for round in 1...2 {
            let (first, _) = try make()
            try damageHeads()
            let (packBytes, index) = (try bytesOfFile(pack), Array(try bytesOfFile("\(path)/index").dropLast()))
            try overwrite("\(path)/index", index)
            #expect(refusal("history.damaged") { try History.open(at: path, for: .reading) })
            #expect(try bytesOfFile(pack) == packBytes)
            do {
                let history = try History.open(at: path)
                let aside = "\(path)/damaged-\(round)"
                #expect(history.setAside == aside)
                #expect(try bytesOfFile("\(aside)/pack-0000000001") == packBytes)
                #expect(try bytesOfFile("\(aside)/index") == index && bytesOfFile("\(aside)/seal") == [1, 2, 3])
                #expect(try history.snapshot(first.id) == nil && history.check().isSound)
                let new = try history.capture(other)
                #expect(try history.contents(of: new.id) == other)
            }
            #expect(try History.open(at: path).setAside == nil)
        }
    }

    @Test("The check reports what a truncated pack lost, and the rest is whole")
    func cutShort() throws {
        let (first, second) = try make()
        let size = off_t(try FileFacts(at: pack).size)
        truncate(pack, size - 300)
        do {
            let history = try History.open(at: path)
            #expect(try history.contents(of: first.id) == small)
            #expect(refusal("history.damaged-snapshot") { try history.snapshot(second.id) })
            #expect(refusal("history.damaged-snapshot") { try history.collectGarbage() })
            let third = try history.capture(["e": [5]], counter: 9)
            let found = try history.check(repairing: true)
            #expect(found.touched.map(\.snapshot) == [second.id])
            #expect(try history.contents(of: third.id) == ["e": [5]])
        }
        let history = try History.open(at: path)
        #expect(try history.check().isSound)
        #expect(try history.contents(of: first.id) == small)
    }

    @Test("A history of a newer huddle stays unchanged")
    func newerForm() throws {
        _ = try make()
        var bytes = try bytesOfFile("\(path)/seal")
        bytes[7] = 2
        let check = Digest.sha256(Array(bytes[..<56])).prefix(8)
        bytes.replaceSubrange(56..., with: check)
        try overwrite("\(path)/seal", bytes)
        #expect(refusal("history.newer-form") { try History.open(at: path) })
    }

    @Test("A save that contains a whole pack is a piece like any other, even after damage before it")
    func packWithinPiece() throws {
        let source = try History.open(at: path)
        let forger = try source.capture(["a": randomBytes(3_000, seed: 4)])
        let forged = try bytesOfFile(pack)
        let history = try History.open(at: folder.path(of: "victim"))
        let filler = ["x": randomBytes(100, seed: 8)]
        let before = try history.capture(filler)
        let snapshot = try history.capture(["forged": forged], counter: 2)
        _ = try history.usage()
        let victim = folder.path(of: "victim/pack-0000000001")
        var bytes = try bytesOfFile(victim)
        let place = try #require(bytes.indices.first { bytes[$0...].starts(with: forged) })
        bytes[place - 40] ^= 1
        let file = try Folder(at: folder.path(of: "victim")).open(FileName("pack-0000000001"), for: .writing)
        try bytes.withUnsafeBytes { try file.write($0, at: 0) }
        let found = try history.check(repairing: true)
        #expect(found.touched.map(\.snapshot) == [snapshot.id])
        #expect(try history.snapshot(forger.id) == nil)
        #expect(try history.contents(of: before.id) == filler)
    }
}
