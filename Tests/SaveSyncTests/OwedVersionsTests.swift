import History
import Ledger
import LinuxPlatform
import SaveRules
import Session
import TestSupport
import Testing
import Vocabulary

@testable import SaveSync

@Suite("Old versions that will be fetched again", .timeLimit(.minutes(3)))
struct OwedVersionsTests {
    /// A machine that knows of versions before its newest one, but does not have them. Its peer is online, and has
    /// named the newest version.
    @Engine
    private struct Behind {
        let machine: SaveMachine
        let peer: HostilePeer
        let kept: SaveSetRunner
        let older: [Snapshot]

        static func make(
            _ count: Int,
            _ change: (inout SaveConfiguration) -> Void = { _ in }
        ) async throws -> Behind {
            let machine = try await SaveMachine.open("one", change)
            let set = try await machine.add(["slot": "chapter 1"])
            let peer = try await HostilePeer.open(victim: machine, sharing: set)
            let first = try #require(try machine.engine.report(of: set).versions.shown)
            let manifest = try machine.engine.services.store.history.manifest(of: first).encoded
            var all = [first]
            for number in 1...count {
                let counter = UInt64(number)
                all.append(try peer.snapshot(of: Array("manifest \(number)".utf8), counter: counter, after: all.last))
            }
            let kept = try machine.engine.games.game(set)
            try await kept.versions.learn(Array(all.dropFirst()), from: peer.node.id)
            let newest = try peer.snapshot(of: manifest, counter: UInt64(count + 1), after: all.last)
            try await peer.say(.heads(set, [SnapshotHead(newest.id, newest.version)]))
            let epoch = try await peer.next { if case .ask(_, let epoch, _) = $0 { epoch } else { nil } }
            try await peer.deliver(.history(set, epoch, [newest.encoded]))
            // The folder has that content already, so no event reports the version.
            while try machine.engine.report(of: set).versions.shown?.id != newest.id { try await othersTurn() }
            while kept.machine.downloads.isSearching { try await othersTurn() }
            return Behind(machine: machine, peer: peer, kept: kept, older: Array(all.dropFirst()))
        }

        /// The older versions were here once, and are lost.
        func lose() async {
            await kept.versions.setIncomplete(Set(older.map(\.id)))
            kept.fetcher.lookForMore()
        }

        func next() async throws -> (epoch: ExchangeEpoch, snapshot: SnapshotID, pieces: [PieceReference]) {
            try await peer.next { message in
                if case .want(_, let epoch, let snapshot, let pieces) = message {
                    (epoch, snapshot, pieces)
                } else {
                    nil
                }
            }
        }

        /// The peer does not have the next requested version. Returns that version's id.
        @discardableResult
        func refuseNext() async throws -> SnapshotID {
            let (epoch, snapshot, pieces) = try await next()
            try await peer.deliver(.missing(kept.id, epoch, pieces.map(\.id)))
            return snapshot
        }

        func end() async {
            await peer.stop()
            await machine.stop()
        }
    }

    @Test(
        "owed versions are each requested once in a connection to a machine without them, the latest first, in any number"
    )
    @Engine
    func many() async throws {
        let behind = try await Behind.make(600)
        await behind.lose()
        var asked: [SnapshotID] = []
        for _ in behind.older { asked.append(try await behind.refuseNext()) }
        #expect(Set(asked) == Set(behind.older.map(\.id)))
        let latest = Set(behind.older.suffix(256).map(\.id))
        #expect(Set(asked.prefix(256)) == latest)
        while behind.kept.machine.downloads.isSearching { try await othersTurn() }
        try await behind.peer.say(.heads(behind.kept.id, behind.kept.machine.heads.announcement))
        await behind.end()
    }

    @Test(
        "owed versions are requested again and again, and not at once, of a machine that claims one and has not all of it"
    )
    @Engine
    func offeredInVain() async throws {
        let behind = try await Behind.make(1)
        let old = try #require(behind.older.first)
        try await behind.peer.say(.heads(behind.kept.id, [SnapshotHead(old.id, old.version)]))
        while !behind.kept.machine.peers.isOffered(old.id) { try await othersTurn() }
        await behind.lose()
        try await behind.refuseNext()
        let began = ContinuousClock.now
        try await behind.refuseNext()
        #expect(ContinuousClock.now - began > .milliseconds(250))
        await behind.end()
    }

    @Test("owed versions are not requested of a silent machine, before it has answered")
    @Engine
    func silent() async throws {
        let behind = try await Behind.make(1) { $0.bounds.patience.answer = .milliseconds(50) }
        let (kept, old) = (behind.kept, try #require(behind.older.first))
        await behind.lose()
        _ = try await behind.next()
        while !kept.machine.peers.silent.contains(behind.peer.node.id) { try await othersTurn() }
        while kept.machine.downloads.isSearching { try await othersTurn() }
        #expect(kept.machine.downloads.running[old.id]?.isStarved == true)
        await behind.end()
    }

    @Test("owed versions are no longer requested, and do not return, once newer ones have taken their places")
    @Engine
    func outgrown() async throws {
        let behind = try await Behind.make(2)
        let (machine, kept) = (behind.machine, behind.kept)
        await behind.lose()
        for _ in behind.older { _ = try await behind.next() }
        #expect(kept.machine.downloads.running.count == 2)
        try await machine.engine.settings.change(kept.id) { $0.retention = RetentionRule(count: 2, age: nil) }
        try await machine.save("chapter 2", in: kept.id)
        while !kept.machine.downloads.incomplete.isEmpty { try await othersTurn() }
        while kept.machine.downloads.isSearching { try await othersTurn() }
        #expect(kept.machine.downloads.running.isEmpty)
        while try await !machine.engine.services.store.expected(of: kept.id).isEmpty { try await othersTurn() }
        let held = try await machine.engine.services.store.kept(of: kept.id)
        #expect(held == kept.machine.heads.held)
        await behind.end()
    }

    @Test("an owed version that is complete too late stays until the next time, and is not held without being kept")
    @Engine
    func cameJustNow() async throws {
        let machine = try await SaveMachine.open("one")
        let set = try await machine.add(["slot": "chapter 1"])
        let first = try #require(try machine.heads(of: set).first)
        let kept = try machine.engine.games.game(set)
        for chapter in 2...3 { try await machine.save("chapter \(chapter)", in: set) }
        try await machine.engine.settings.change(set) { $0.retention = RetentionRule(count: 2, age: nil) }
        // The moment between the arrival of its last damaged piece and its being complete again.
        kept.handle(.versions(.incomplete([first])))
        let begun = kept.set.update { $0.handle(.download(first, .begins(missing: [])), at: .current) }
        guard case .download(.readManifest(_, let number))? = begun.first else { return #expect(Bool(false)) }
        let read = kept.set.update { $0.handle(.download(first, .manifestRead(missing: [])), at: .current) }
        guard case .download(.complete(first, number))? = read.first else { return #expect(Bool(false)) }
        kept.handle(.versions(.incomplete([])))
        #expect(await !kept.pruner.dropOld())
        #expect(kept.machine.heads.held.contains(first))
        kept.handle(.download(first, .finished(number)))
        #expect(await kept.pruner.dropOld())
        #expect(!kept.machine.heads.held.contains(first))
        #expect(try await machine.engine.services.store.kept(of: set).count == kept.machine.heads.held.count)
        await machine.stop()
    }
}
