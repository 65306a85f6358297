import Digests
import Foundation
import History
import Ledger
import LinuxPlatform
import SaveRules
import Session
import Synchronization
import TestSupport
import Testing
import Vocabulary

@testable import SaveSync

@Suite("Care of games", .timeLimit(.minutes(5)))
struct CareTests {
    @Test("old versions are dropped on each machine by its own rule")
    @Engine
    func retention() async throws {
        let shared = try await SharedSet.open()
        try await shared.one.engine.settings.change(shared.set) { $0.retention = RetentionRule(count: 2, age: nil) }
        for chapter in 2...6 { try await shared.one.save("chapter \(chapter)", in: shared.set) }
        try await shared.one.engine.play(of: shared.set).untilQuiet()
        let versions = try await shared.one.engine.versions(of: shared.set).latest()
        #expect(versions.map(\.isWhole) == [false, false, false, false, true, true])
        #expect(try await shared.one.engine.upkeep.check().isSound)
        while shared.other.place().texts() != ["slot": "chapter 6"] {
            try await shared.other.untilApplied(in: shared.set)
        }
        let theirs = try await shared.other.engine.versions(of: shared.set).latest()
        #expect(theirs.count == 6 && theirs.first?.isWhole == true)
        await shared.stop()
    }

    @Test("a machine that was away until no machine kept its version gets the newest, and is asked if it saved")
    @Engine
    func awayForLong() async throws {
        let shared = try await SharedSet.open()
        let (one, other, set) = (shared.one, shared.other, shared.set)
        try await one.engine.settings.change(set) { $0.retention = RetentionRule(count: 2, age: nil) }
        for ownChange in [nil, "from far away"] {
            other.engine.connections.peers[one.id]?.hangUp()
            for machine in [one, other] {
                while try !machine.engine.report(of: set).present.isEmpty { try await othersTurn() }
            }
            for day in 1...30 { try await one.save("day \(day) \(ownChange ?? "")", in: set) }
            try await one.engine.play(of: set).untilQuiet()
            if let ownChange { try await other.save(ownChange, in: set) }
            other.engine.connections.sees(one.id)
            guard let ownChange else {
                while other.place().texts() != ["slot": "day 30 "] { try await other.untilApplied(in: set) }
                continue
            }
            for machine in [one, other] { try await machine.untilConflict(in: set) }
            #expect(other.place().texts() == ["slot": ownChange])
            #expect(one.place().texts() == ["slot": "day 30 \(ownChange)"])
        }
        #expect(try await one.engine.versions(of: set).latest().first?.isWhole == false)
        try await other.engine.editor(of: set).resolve(.theirs)
        while other.place().texts() != one.place().texts() { try await other.untilApplied(in: set) }
        await shared.stop()
    }

    @Test("a limit of space counts the size of versions on the disk, and works before there are many")
    @Engine
    func space() async throws {
        let one = try await SaveMachine.open("one")
        let set = try await one.add(["slot": String(repeating: "easily compressed ", count: 20_000)])
        try await one.engine.settings.change(set) { $0.retention = RetentionRule(count: 50, age: nil, space: 64 << 10) }
        for chapter in 2...4 {
            try await one.save(String(repeating: "chapter \(chapter) of it ", count: 20_000), in: set)
        }
        try await one.engine.play(of: set).untilQuiet()
        // Four versions of some 350 KiB each, which take hardly any space on the disk.
        #expect(try await one.engine.versions(of: set).latest().map(\.isWhole) == [true, true, true, true])
        var generator = SeededGenerator(seed: 5)
        for _ in 5...6 {
            let noise = String(
                (0..<60_000).map { _ in Character(Unicode.Scalar(UInt8.random(in: 33...126, using: &generator))) }
            )
            try await one.save(noise, in: set)
        }
        try await one.engine.play(of: set).untilQuiet()
        #expect(
            try await one.engine.versions(of: set).latest().map(\.isWhole) == [false, false, false, false, false, true]
        )
        await one.stop()
    }

    @Test("files of one machine stay there, and are not removed from the others")
    @Engine
    func local() async throws {
        let shared = try await SharedSet.open(["slot": "chapter 1", "screen": "4K"])
        try await shared.other.engine.settings.change(shared.set) { $0.scope.local = try PathPatterns(["/screen"]) }
        shared.other.place().put(Array("chapter 2".utf8), at: "slot")
        shared.other.places.settle(shared.set)
        try await shared.one.untilApplied(in: shared.set)
        #expect(shared.one.place().texts() == ["slot": "chapter 2", "screen": "4K"])
        await shared.stop()
    }

    @Test("a game can't be inside another one, two games can't have one name, and rules must be readable")
    @Engine
    func settings() async throws {
        let machine = try await SaveMachine.open("alone")
        let set = try await machine.add(["slot": "chapter 1"])
        let path = machine.place().path
        for wrong in [path, path + "/inner", machine.folder.path, "relative"] {
            await #expect(throws: SaveSyncError.self) {
                try await machine.engine.joining.add(SaveSetName("other"), at: wrong)
            }
        }
        await #expect(throws: LedgerError.self) {
            try await machine.engine.joining.add(SaveSetName("celeste"), at: machine.place("elsewhere").path)
        }
        await #expect(throws: SaveSyncError.self) { try await machine.add(["a": "b"], "ruled", rules: "merge what") }
        #expect(machine.engine.reports().map(\.entry.id) == [set])
        await machine.stop()
    }

    @Test("a game that was left stays in its folder, and can be shared again")
    @Engine
    func leaving() async throws {
        let shared = try await SharedSet.open()
        try await shared.other.engine.joining.leave(shared.set)
        #expect(shared.other.engine.reports().isEmpty)
        #expect(shared.other.place().texts() == ["slot": "chapter 1"])
        try await shared.one.save("chapter 2", in: shared.set)
        #expect(shared.other.place().texts() == ["slot": "chapter 1"])
        _ = try await shared.other.add([:])
        #expect(shared.other.engine.reports().map(\.versions.count) == [1])
        await shared.stop()
    }

    @Test(
        "a left game that no other machine has can be joined again with all stored versions, until they are deleted"
    )
    @Engine
    func leftAlone() async throws {
        let machine = try await SaveMachine.open("alone")
        let set = try await machine.add(["slot": "chapter 1"])
        let other = try await machine.add(["slot": "level 1"], "doom")
        try await machine.save("chapter 2", in: set)
        let versions = try await machine.engine.versions(of: set).latest().map(\.snapshot.id)
        try await machine.engine.joining.leave(set)
        _ = try await machine.engine.upkeep.cleanUp()
        #expect(try await machine.engine.joining.offers().map(\.offer.name) == [SaveSetName("celeste")])
        try await machine.join(set)
        #expect(try await machine.engine.joining.offers().isEmpty)
        #expect(try await machine.engine.versions(of: set).latest().map(\.snapshot.id) == versions)
        let report = try machine.engine.report(of: set)
        #expect(report.sharers.isEmpty && report.versions.shown?.id == versions.last && report.versions.state == .level)
        try await machine.engine.joining.leave(set)
        try await machine.engine.upkeep.cleanUp(alsoLeft: true)
        #expect(try await machine.engine.joining.offers().isEmpty)
        #expect(try await machine.engine.upkeep.usage().shares.map(\.set) == [other])
        await machine.stop()
    }

    @Test("two machines that were cut off and both recorded scores have all of them once they meet again")
    @Engine
    func partition() async throws {
        func scores(_ name: String) -> String { #"{"hiscores": [{"name": "\#(name)", "score": 7}]}"# }
        let shared = try await SharedSet.open(["slot": scores("Ann")])
        for (one, two) in [(shared.one, shared.other), (shared.other, shared.one)] {
            one.engine.connections.peers[two.id]?.hangUp()
        }
        try await shared.one.save(scores("Bob"), in: shared.set)
        try await shared.other.save(scores("Cem"), in: shared.set)
        #expect(try shared.one.heads(of: shared.set) != shared.other.heads(of: shared.set))
        shared.one.engine.connections.sees(shared.other.id)
        shared.other.engine.connections.sees(shared.one.id)
        try await shared.untilMerged()
        #expect(shared.one.place().texts() == shared.other.place().texts())
        #expect(try shared.one.heads(of: shared.set) == shared.other.heads(of: shared.set))
        let text = shared.one.place().texts()["slot"] ?? ""
        #expect(text.contains("Bob") && text.contains("Cem"))
        await shared.stop()
    }

    @Test("files that a program holds back are shown once it closes them, even without an event")
    @Engine
    func again() async throws {
        let shared = try await SharedSet.open()
        shared.other.place().user.withLock { $0 = "a game" }
        try await shared.one.save("chapter 2", in: shared.set)
        try await shared.other.next(in: shared.set) { if case .heldBack = $0 { true } else { nil } }
        shared.other.place().user.withLock { $0 = nil }
        try await shared.other.untilApplied(in: shared.set)
        #expect(shared.other.place().texts() == ["slot": "chapter 2"])
        await shared.stop()
    }

    @Test("an unreadable folder is read once that works, and not without a pause")
    @Engine
    func readAgain() async throws {
        let shared = try await SharedSet.open()
        shared.one.place().refusesReading.withLock { $0 = 2 }
        shared.one.place().put(Array("chapter 2".utf8), at: "slot")
        shared.one.places.settle(shared.set)
        try await shared.other.untilApplied(in: shared.set)
        #expect(shared.other.place().texts() == ["slot": "chapter 2"])
        #expect(shared.one.place().refusesReading.withLock { $0 } == 0)
        await shared.stop()
    }

    /// Shares a game of two versions between two machines, and ends both programs. On the first machine, version 1 is
    /// damaged and abandoned.
    @Engine
    private func endedDamaged(_ here: TemporaryFolder, _ there: TemporaryFolder) async throws -> SaveSetID {
        let one = try await SaveMachine.open("one", in: here)
        let other = try await SaveMachine.open("other", in: there)
        try await one.befriend(other)
        let set = try await one.add(["slot": "chapter 1"])
        try await one.share(set, with: other)
        try await one.save("chapter 2", in: set)
        while other.place().texts() != ["slot": "chapter 2"] { try await other.untilApplied(in: set) }
        await other.stop()
        try damage("chapter 1", in: here.path(of: "history"))
        #expect(try await !one.engine.upkeep.check(repairing: true).isSound)
        #expect(one.engine.upkeep.incompleteCount == 1)
        await one.stop()
        return set
    }

    /// The abandoned version arrives from the other machine.
    @Engine
    private func restored(_ set: SaveSetID, _ here: TemporaryFolder, _ there: TemporaryFolder) async throws {
        let one = try await SaveMachine.open("one", in: here)
        #expect(one.engine.upkeep.incompleteCount == 1)
        let other = try await SaveMachine.open("other", in: there)
        try await one.know(other)
        one.engine.connections.sees(other.id)
        while one.engine.upkeep.incompleteCount > 0 {
            try await one.next(in: set) { if case .arrived = $0 { true } else { nil } }
        }
        #expect(try await one.engine.upkeep.check().isSound)
        #expect(try await one.engine.versions(of: set).latest().map(\.isWhole) == [true, true])
        await one.stop()
        await other.stop()
    }

    @Test("versions that were abandoned as damaged come from others, even after a restart before they arrived")
    @Engine
    func givenUp() async throws {
        let (here, there) = (TemporaryFolder.inMemory(), TemporaryFolder.inMemory())
        let set = try await endedDamaged(here, there)
        try await restored(set, here, there)
        let last = try await SaveMachine.open("one", in: here)
        #expect(last.engine.upkeep.incompleteCount == 0)
        await last.stop()
    }

    /// Overwrites a text at every place in a history.
    private func damage(_ text: String, in history: String) throws {
        var count = 0
        for name in try FileManager.default.contentsOfDirectory(atPath: history) {
            let path = "\(history)/\(name)"
            var bytes = try Data(contentsOf: URL(filePath: path))
            while let range = bytes.range(of: Data(text.utf8)) {
                bytes.replaceSubrange(range, with: Data(repeating: 0x21, count: range.count))
                count += 1
            }
            let file = try FileHandle(forUpdating: URL(filePath: path))
            try file.write(contentsOf: bytes)
        }
        #expect(count > 0)
    }

    @Test(
        "a machine that is offered a game again learns the newest version again, since it takes that for a new connection"
    )
    @Engine
    func offeredAgain() async throws {
        let machine = try await SaveMachine.open("victim")
        let set = try await machine.add(["slot": "chapter 1"])
        let peer = try await HostilePeer.open(victim: machine, sharing: set)
        // The game is offered again, as if a third machine had joined it in the meantime.
        let other = try #require(machine.engine.connections.peers[peer.node.id])
        machine.engine.sessions.offer(try machine.engine.games.game(set).set, to: other)
        _ = try await peer.next { if case .offer = $0 { true } else { nil } }
        let heads = try await peer.next { if case .heads(_, let heads) = $0 { heads } else { nil } }
        #expect(heads.map(\.id) == [try machine.engine.report(of: set).versions.shown?.id])
        await peer.stop()
        await machine.stop()
    }

    @Test("an interrupted transfer requests only the rest")
    @Engine
    func interrupted() async throws {
        let machine = try await SaveMachine.open("victim")
        let set = try await machine.add(["slot": "chapter 1"])
        let peer = try await HostilePeer.open(victim: machine, sharing: set)
        let parts = [Array("one".utf8), Array("two".utf8)]
        let pieces = parts.map { PieceReference(PieceID(of: $0, hashedBy: Digest.sha256), length: $0.count) }
        let time = FileTime(seconds: 0, nanoseconds: 0)
        let file = SavedFile(mode: .readableFile, modified: time, pieces: pieces)
        let manifest = try Manifest([ManifestEntry(SavePath("world"), .file(file))]).encoded
        let snapshot = try peer.snapshot(of: manifest)
        try await peer.push(snapshot, manifest: manifest)
        var (epoch, wanted) = try await peer.nextWant()
        #expect(wanted == pieces)
        try await peer.deliver(.piece(set, epoch, pieces[0].id, parts[0]))
        let kept = try machine.engine.games.game(set)
        while kept.machine.downloads.running[snapshot.id]?.fetch.remainingCount != 1 { try await othersTurn() }
        // As after a cut: both machines say again what they have.
        try await peer.say(.offer(SaveOffer(set, named: SaveSetName("celeste"))))
        try await peer.say(.heads(set, [SnapshotHead(snapshot.id, snapshot.version)]))
        (epoch, wanted) = try await peer.nextWant()
        #expect(wanted == [pieces[1]])
        try await peer.deliver(.piece(set, epoch, pieces[1].id, parts[1]))
        try await machine.next(in: set) { if case .arrived(snapshot.id) = $0 { true } else { nil } }
        await peer.stop()
        await machine.stop()
    }
}

extension CareTests {
    @Test(
        "a save is kept even if the version before is damaged",
        arguments: [false, true]
    )
    @Engine
    func damagedManifest(repaired: Bool) async throws {
        let machine = try await SaveMachine.open("one")
        let set = try await machine.add(["slot": "chapter 1"])
        let first = try #require(try machine.engine.report(of: set).versions.shown)
        try machine.damageManifest(of: first)
        if repaired { #expect(try await !machine.engine.upkeep.check(repairing: true).isSound) }
        try await machine.save("chapter 2", in: set)
        let second = try #require(try machine.engine.report(of: set).versions.shown)
        #expect(second.parents == [first.id])
        try await machine.save("chapter 3", in: set)
        #expect(try await machine.engine.versions(of: set).latest().count == 3)
        await machine.stop()
    }

    @Test(
        "the newest version stays the newest if its own record is damaged, and is stored again at the next start",
        arguments: [false, true]
    )
    @Engine
    func damagedRecord(repaired: Bool) async throws {
        let folder = TemporaryFolder.inMemory()
        let (set, newest) = try await endedWithDamagedRecord(folder, repaired: repaired)
        let again = try await SaveMachine.open("one", in: folder)
        again.places.settle(set)
        try await again.engine.play(of: set).untilQuiet()
        #expect(try again.engine.report(of: set).versions.shown?.id == newest.id)
        #expect(again.place().texts() == ["slot": "chapter 2"])
        #expect(try await again.engine.versions(of: set).latest().map(\.isWhole) == [true, true])
        // The newly stored pieces stay, and the damaged ones are abandoned.
        _ = try await again.engine.upkeep.check(repairing: true)
        #expect(try await again.engine.upkeep.check().isSound)
        #expect(try await again.engine.versions(of: set).latest().map(\.isWhole) == [true, true])
        await again.stop()
    }

    @Engine
    private func endedWithDamagedRecord(
        _ folder: TemporaryFolder,
        repaired: Bool
    ) async throws -> (SaveSetID, Snapshot) {
        let machine = try await SaveMachine.open("one", in: folder)
        let set = try await machine.add(["slot": "chapter 1"])
        try await machine.save("chapter 2", in: set)
        let newest = try #require(try machine.engine.report(of: set).versions.shown)
        try await machine.engine.play(of: set).untilQuiet()
        try machine.damageRecord(of: newest)
        if repaired { #expect(try await !machine.engine.upkeep.check(repairing: true).isSound) }
        await machine.stop()
        return (set, newest)
    }

    @Test(
        "a machine that leaves files out makes no version after a damaged one, until that comes from others"
    )
    @Engine
    func damagedManifestOfMore() async throws {
        let shared = try await SharedSet.open(["slot": "chapter 1", "screen": "4K"])
        let (one, other, set) = (shared.one, shared.other, shared.set)
        try await other.engine.settings.change(set) { $0.scope.local = try PathPatterns(["/screen"]) }
        try await one.save("chapter 2", in: set)
        while other.place().texts()["slot"] != "chapter 2" { try await other.untilApplied(in: set) }
        for (here, there) in [(one, other), (other, one)] { here.engine.connections.peers[there.id]?.hangUp() }
        for machine in [one, other] {
            while try !machine.engine.report(of: set).present.isEmpty { try await othersTurn() }
        }
        let shown = try #require(try other.engine.report(of: set).versions.shown)
        try other.damageManifest(of: shown)
        other.place().put(Array("chapter 3".utf8), at: "slot")
        other.places.settle(set)
        try await other.next(in: set) { event in
            if case .trouble(let error) = event, error.code == SaveSyncError.lostCode { true } else { nil }
        }
        #expect(try other.engine.report(of: set).versions.shown?.id == shown.id)
        other.engine.connections.sees(one.id)
        while one.place().texts() != ["slot": "chapter 3", "screen": "4K"] { try await one.untilApplied(in: set) }
        await shared.stop()
    }

    @Test("an arriving version is shown even if the version before is damaged")
    @Engine
    func damagedManifestUnderArrival() async throws {
        let shared = try await SharedSet.open()
        let (one, other, set) = (shared.one, shared.other, shared.set)
        for (here, there) in [(one, other), (other, one)] { here.engine.connections.peers[there.id]?.hangUp() }
        for machine in [one, other] {
            while try !machine.engine.report(of: set).present.isEmpty { try await othersTurn() }
        }
        try await one.save("chapter 2", in: set)
        let shown = try #require(try other.engine.report(of: set).versions.shown)
        try other.damageManifest(of: shown)
        other.engine.connections.sees(one.id)
        while other.place().texts() != ["slot": "chapter 2"] { try await other.untilApplied(in: set) }
        await shared.stop()
    }

    @Test("a left game has no transfers, and nothing of them stays on the disk")
    @Engine
    func leftMeanwhile() async throws {
        let machine = try await SaveMachine.open("one")
        let set = try await machine.add(["slot": "chapter 1"])
        let peer = try await HostilePeer.open(victim: machine, sharing: set)
        let shown = try #require(try machine.engine.report(of: set).versions.shown)
        try await peer.announce(try peer.snapshot(of: Array("manifest".utf8), after: shown))
        _ = try await peer.nextWant()
        #expect(try await machine.engine.services.store.expected(of: set).count == 1)
        let engine = machine.engine
        let waiting = Task { @Engine in try await engine.play(of: set).newest(within: .seconds(240)) }
        // The task runs until it waits.
        for _ in 1...50 { await Task.yield() }
        try await machine.engine.joining.leave(set)
        await #expect(throws: SaveSyncError.self) { try await waiting.value }
        #expect(try await machine.engine.services.store.expected(of: set).isEmpty)
        await peer.stop()
        await machine.stop()
    }

    @Test("a piece that is missing in one version elsewhere comes for all once another version there has it")
    @Engine
    func missingOnOne() async throws {
        let machine = try await SaveMachine.open("one")
        let set = try await machine.add(["slot": "chapter 1"])
        let peer = try await HostilePeer.open(victim: machine, sharing: set)
        let bytes = Manifest.empty.encoded
        var known: [SnapshotID: Snapshot] = [:]
        // Two versions of the same content, of which only the peer has one.
        for counter: UInt64 in [1, 2] {
            let snapshot = try peer.snapshot(of: bytes, counter: counter)
            known[snapshot.id] = snapshot
        }
        try await peer.say(.heads(set, known.values.map { SnapshotHead($0.id, $0.version) }))
        let epoch = try await peer.next { if case .ask(_, let epoch, _) = $0 { epoch } else { nil } }
        try await peer.deliver(.history(set, epoch, known.values.map(\.encoded)))
        var asked: [SnapshotID] = []
        for _ in known {
            let snapshot = try await peer.next { if case .want(_, _, let id, _) = $0 { id } else { nil } }
            asked.append(snapshot)
        }
        let piece = try #require(known.values.first?.manifest.first?.id)
        try await peer.deliver(.missing(set, epoch, [piece]))
        try await peer.deliver(.piece(set, epoch, piece, bytes))
        var arrived: Set<SnapshotID> = []
        while arrived != Set(asked) {
            arrived.insert(
                try await machine.next(in: set) { if case .arrived(let id) = $0 { id } else { nil } }
            )
        }
        await peer.stop()
        await machine.stop()
    }
}

extension HostilePeer {
    func nextWant() async throws -> (ExchangeEpoch, [PieceReference]) {
        try await next { if case .want(_, let epoch, _, let pieces) = $0 { (epoch, pieces) } else { nil } }
    }
}

extension SaveMachine {
    /// Damages the piece that holds the manifest of a version.
    func damageManifest(of version: Snapshot) throws {
        try damageRecord(1, try #require(version.manifest.first).id.bytes)
        // A manifest that was used lately is in memory until the daemon has nothing to do.
        engine.services.store.history.rest()
    }

    /// Damages the record of a version itself.
    func damageRecord(of version: Snapshot) throws { try damageRecord(2, version.id.bytes) }

    private func damageRecord(_ kind: UInt8, _ wanted: [UInt8]) throws {
        let history = folder.path(of: "history")
        var count = 0
        for name in try FileManager.default.contentsOfDirectory(atPath: history) where name.hasPrefix("pack-") {
            let path = URL(filePath: "\(history)/\(name)")
            var bytes = try Data(contentsOf: path)
            var start = bytes.startIndex
            while let found = bytes.range(of: Data("HREC".utf8) + [kind], in: start..<bytes.endIndex) {
                start = found.upperBound
                guard bytes[(found.lowerBound + 16)...].starts(with: wanted) else { continue }
                bytes[found.lowerBound + 70] ^= 0xFF
                count += 1
            }
            let file = try FileHandle(forUpdating: path)
            try file.write(contentsOf: bytes)
        }
        #expect(count == 1)
    }
}
