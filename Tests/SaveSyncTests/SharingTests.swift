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

@Suite("A game on two machines", .timeLimit(.minutes(5)))
struct SharingTests {
    @Test("two machines share a hundred games, and exchange them again when they reconnect")
    @Engine
    func hundred() async throws {
        let (one, other) = (try await SaveMachine.open("one"), try await SaveMachine.open("other"))
        try await one.befriend(other)
        var sets: [SaveSetID] = []
        for number in 1...100 {
            let set = try await one.add(["slot": "\(number)"], "game-\(number)")
            try await one.offer(set, to: other)
            try await other.join(set, "game-\(number)")
            try await other.untilApplied(in: set)
            sets.append(set)
        }
        other.engine.connections.peers[one.id]?.hangUp()
        for set in sets { while try !one.engine.report(of: set).present.isEmpty { try await othersTurn() } }
        other.engine.connections.sees(one.id)
        for set in sets { while try other.engine.report(of: set).present.isEmpty { try await othersTurn() } }
        try await one.save("saved", at: "slot", "game-100", in: sets[99])
        while other.place("game-100").texts() != ["slot": "saved"] { try await other.untilApplied(in: sets[99]) }
        await one.stop()
        await other.stop()
    }

    @Test("a version is not refused while there is no memory for it, and arrives once there is")
    @Engine
    func noRoom() async throws {
        let shared = try await SharedSet.open()
        let peer = try #require(shared.other.engine.connections.peers[shared.one.id])
        let account = peer.session.allowance
        var taken = 0
        while account.take(64 << 10) { taken += 64 << 10 }
        try await shared.one.save("chapter 2", in: shared.set)
        // A fixed wait, because nothing happens while there is no room.
        try await Engine.loop.sleep(for: .milliseconds(500))
        #expect(!peer.presence.isEnding)
        #expect(shared.other.place().texts() == ["slot": "chapter 1"])
        account.release(taken)
        while shared.other.place().texts() != ["slot": "chapter 2"] {
            try await shared.other.untilApplied(in: shared.set)
        }
        await shared.stop()
    }

    @Test("a game comes to a third machine that joins it while others learn of that", .timeLimit(.minutes(1)))
    @Engine
    func joinedByThird() async throws {
        let (one, other) = (try await SaveMachine.open("one"), try await SaveMachine.open("other"))
        let third = try await SaveMachine.open("third")
        for machine in [other, third] { try await one.befriend(machine) }
        for number in 1...15 {
            let name = "game-\(number)"
            let set = try await one.add(["slot": "\(number)"], name)
            for machine in [other, third] {
                try await one.share(set, with: machine, name)
            }
            try await third.save("\(number) goes on", name, in: set)
            while other.place(name).texts() != ["slot": "\(number) goes on"] { try await othersTurn() }
        }
        for machine in [one, other, third] { await machine.stop() }
    }

    @Test("two machines that join at the same moment learn of each other", .timeLimit(.minutes(1)))
    @Engine
    func joinedTogether() async throws {
        let one = try await SaveMachine.open("one")
        let (other, third) = (try await SaveMachine.open("other"), try await SaveMachine.open("third"))
        for (machine, friend) in [(one, other), (one, third), (other, third)] { try await machine.befriend(friend) }
        @Engine
        func joins(_ machine: SaveMachine, _ set: SaveSetID, _ name: String) async throws {
            try await machine.next(in: set) { if case .offered = $0 { true } else { nil } }
            try await machine.join(set, name)
        }
        for number in 1...20 {
            let name = "game-\(number)"
            let set = try await one.add(["slot": "\(number)"], name)
            async let here: Void = joins(other, set, name)
            async let there: Void = joins(third, set, name)
            for machine in [other, third] { try await one.engine.sharing.offer(set, to: machine.id) }
            _ = try await (here, there)
            for machine in [one, other, third] {
                while try machine.engine.report(of: set).present.count < 2 { try await othersTurn() }
            }
        }
        for machine in [one, other, third] { await machine.stop() }
    }

    @Test(
        "a version on its way to a machine with nothing yet is being received, and unavailable once no machine has it"
    )
    @Engine
    func firstFetch() async throws {
        let machine = try await SaveMachine.open("one")
        let set = try await machine.add([:])
        #expect(try machine.state(of: set) == .empty)
        let peer = try await HostilePeer.open(victim: machine, sharing: set)
        try await peer.announce(peer.snapshot(of: Array("manifest".utf8)))
        _ = try await peer.nextWant()
        let report = try machine.engine.report(of: set)
        #expect(report.versions.count == 0 && report.versions.state == .behind && !report.versions.isNewerAway)
        await peer.stop()
        while try !machine.engine.report(of: set).present.isEmpty { try await othersTurn() }
        #expect(try machine.engine.report(of: set).versions.isNewerAway)
        await machine.stop()
    }

    @Test("a machine that joins gets the existing save, and every change after that, either way")
    @Engine
    func stepByStep() async throws {
        let shared = try await SharedSet.open(["slot": "chapter 1", "keys": "abc"])
        #expect(shared.other.place().texts() == ["slot": "chapter 1", "keys": "abc"])
        try await shared.one.save("chapter 2", in: shared.set)
        try await shared.other.untilApplied(in: shared.set)
        #expect(shared.other.place().texts()["slot"] == "chapter 2")
        try await shared.other.save("chapter 3", in: shared.set)
        try await shared.one.untilApplied(in: shared.set)
        #expect(shared.one.place().texts() == ["slot": "chapter 3", "keys": "abc"])
        #expect(try shared.one.heads(of: shared.set) == shared.other.heads(of: shared.set))
        await shared.stop()
    }

    @Test("a large file arrives whole, and of a change only the changed pieces")
    @Engine
    func large() async throws {
        var dice = SeededGenerator(seed: 1)
        var bytes = dice.bytes(3_000_000)
        let shared = try await SharedSet.open()
        shared.one.place().put(bytes, at: "world")
        shared.one.places.settle(shared.set)
        try await shared.other.untilApplied(in: shared.set)
        #expect(shared.other.place().files()["world"] == bytes)
        let before = try await shared.other.engine.upkeep.usage().onDisk.bytes
        bytes[1_500_000] ^= 1
        shared.one.place().put(bytes, at: "world")
        shared.one.places.settle(shared.set)
        try await shared.other.untilApplied(in: shared.set)
        #expect(shared.other.place().files()["world"] == bytes)
        #expect(try await shared.other.engine.upkeep.usage().onDisk.bytes - before < 300_000)
        await shared.stop()
    }

    @Test("hundreds of small files arrive whole, more than are requested at a time")
    @Engine
    func many() async throws {
        let files = Dictionary(uniqueKeysWithValues: (0..<700).map { ("slot\($0)", "chapter \($0)") })
        let shared = try await SharedSet.open(files)
        #expect(shared.other.place().texts() == files)
        await shared.stop()
    }

    @Test("a deleted file is deleted there, and can be restored")
    @Engine
    func deletion() async throws {
        let shared = try await SharedSet.open(["slot": "chapter 1", "old": "chapter 0"])
        let first = try #require(try shared.one.heads(of: shared.set).first)
        shared.one.place().remove("old")
        shared.one.places.settle(shared.set)
        try await shared.other.untilApplied(in: shared.set)
        #expect(shared.other.place().texts() == ["slot": "chapter 1"])
        try await shared.other.engine.editor(of: shared.set).restore(first)
        try await shared.one.untilApplied(in: shared.set)
        #expect(shared.one.place().texts() == ["slot": "chapter 1", "old": "chapter 0"])
        #expect(try await shared.one.engine.versions(of: shared.set).latest().count == 3)
        await shared.stop()
    }

    @Test("a save that a peer pushes becomes a version, which reaches both folders and is not made again for its time")
    @Engine
    func delivered() async throws {
        let shared = try await SharedSet.open(["slot": "chapter 1", "keys": "abc"])
        let (engine, set) = (shared.other.engine, shared.set)
        let name = try SaveSetName("celeste")
        #expect(try engine.sharing.game(named: name, sharedWith: shared.one.id) == set)
        #expect(throws: SaveSyncError.self) { try engine.sharing.game(named: name, sharedWith: shared.other.id) }
        let archive = Array("{\"chapter\": 7}".utf8)
        let made = try await engine.editor(of: set).deliver(archive, at: SavePath("slot"), note: try Label("from one"))
        try await shared.other.untilApplied(made, in: set)
        try await shared.one.untilApplied(made, in: set)
        for machine in [shared.one, shared.other] {
            #expect(machine.place().texts() == ["slot": "{\"chapter\": 7}", "keys": "abc"])
        }
        #expect(try engine.report(of: set).versions.shown?.origin == .delivered)
        // The folder of a test keeps no times, as on some disks.
        try await engine.editor(of: set).scan()
        #expect(try shared.other.heads(of: set) == [made])
        #expect(try await engine.editor(of: set).deliver(archive, at: SavePath("slot"), note: nil) == made)
        await #expect(throws: SaveSyncError.self) {
            try await engine.editor(of: set).deliver(archive, at: SavePath("nowhere/slot"), note: nil)
        }
        await shared.stop()
    }

    @Test("a restore keeps the last save of the game from the moment before")
    @Engine
    func restoreAfterUnreadChange() async throws {
        let machine = try await SaveMachine.open("alone")
        let set = try await machine.add(["slot": "chapter 1"])
        let first = try #require(try machine.heads(of: set).first)
        machine.place().put(Array("chapter 2".utf8), at: "slot")
        try await machine.engine.editor(of: set).restore(first)
        try await machine.engine.play(of: set).untilQuiet()
        #expect(machine.place().texts() == ["slot": "chapter 1"])
        let versions = try await machine.engine.versions(of: set).latest()
        #expect(versions.map(\.snapshot.origin) == [.captured, .captured, .restored])
        try await machine.engine.editor(of: set).restore(versions[1].snapshot.id)
        try await machine.engine.play(of: set).untilQuiet()
        #expect(machine.place().texts() == ["slot": "chapter 2"])
        await machine.stop()
    }

    @Test(
        "the oldest kept version can be restored, even if the last save of the game takes its place"
    )
    @Engine
    func restoreOldest() async throws {
        let machine = try await SaveMachine.open("alone")
        let set = try await machine.add(["slot": "chapter 1"])
        let first = try #require(try machine.heads(of: set).first)
        try await machine.engine.settings.change(set) { $0.retention = RetentionRule(count: 2, age: nil) }
        try await machine.save("chapter 2", in: set)
        // No scan is pending that would find the next save by itself.
        try await machine.engine.play(of: set).untilQuiet()
        machine.place().put(Array("chapter 3".utf8), at: "slot")
        try await machine.engine.editor(of: set).restore(first)
        try await machine.engine.play(of: set).untilQuiet()
        #expect(machine.place().texts() == ["slot": "chapter 1"])
        // The first version may be dropped after the next save.
        try await machine.save("chapter 4", in: set)
        try await machine.engine.play(of: set).untilQuiet()
        #expect(
            try await machine.engine.versions(of: set).latest().map(\.isWhole) == [false, false, false, true, true]
        )
        await machine.stop()
    }

    @Test("a peer without shared games hears nothing, and neither does one without the right to saves")
    @Engine
    func strangers() async throws {
        let shared = try await SharedSet.open()
        let third = try await SaveMachine.open("third")
        try await third.befriend(shared.one)
        let other = try await third.add(["a": "b"], "other")
        try await third.offer(other, to: shared.one)
        #expect(try await third.engine.joining.offers().isEmpty)
        try await shared.one.node.setPermissions([.messages, .streams, .resources], for: third.id)
        #expect(try shared.one.engine.report(of: shared.set).present == [shared.other.id])
        await shared.stop()
        await third.stop()
    }

    @Test("a machine that joins through one learns of the other members, and a save of one reaches all")
    @Engine
    func three() async throws {
        let shared = try await SharedSet.open()
        let third = try await SaveMachine.open("third")
        try await third.befriend(shared.one)
        try await third.befriend(shared.other)
        try await shared.one.offer(shared.set, to: third)
        try await third.join(shared.set)
        try await third.untilApplied(in: shared.set)
        while try !third.engine.report(of: shared.set).present.contains(shared.other.id) {
            try await third.next(in: shared.set) { if case .met = $0 { true } else { nil } }
        }
        // The machine through which they were introduced is offline.
        await shared.one.stop()
        try await third.save("from the third", in: shared.set)
        try await shared.other.untilApplied(in: shared.set)
        #expect(shared.other.place().texts() == ["slot": "from the third"])
        await shared.other.stop()
        await third.stop()
    }

    @Test("after a restart the state is as before, and missed changes arrive")
    @Engine
    func restart() async throws {
        let folder = TemporaryFolder.inMemory()
        let one = try await SaveMachine.open("one")
        let set = try await one.add(["slot": "chapter 1"])
        try await Self.visit(one, set, folder)
        try await one.save("while it was away", in: set)
        try await one.save("for a month", in: set)
        let again = try await SaveMachine.open("other", in: folder)
        #expect(try again.state(of: set) == .level)
        try await again.befriend(one)
        again.engine.connections.sees(one.id)
        try await again.untilApplied(in: set)
        #expect(again.place().texts() == ["slot": "for a month"])
        #expect(try await again.engine.versions(of: set).latest().map(\.number) == [1, 2, 3])
        await one.stop()
        await again.stop()
    }

    /// Another machine joins the game, and stops again.
    @Engine
    private static func visit(_ one: SaveMachine, _ set: SaveSetID, _ folder: TemporaryFolder) async throws {
        let other = try await SaveMachine.open("other", in: folder)
        try await one.befriend(other)
        try await one.share(set, with: other)
        await other.stop()
    }

    @Test("a game that is taken back from a peer stays there as it is, and gets no further changes")
    @Engine
    func withdrawn() async throws {
        let shared = try await SharedSet.open()
        try await shared.one.engine.sharing.withdraw(shared.set, from: shared.other.id)
        try await shared.one.save("not for others", in: shared.set)
        #expect(try shared.one.engine.report(of: shared.set).present.isEmpty)
        #expect(shared.other.place().texts() == ["slot": "chapter 1"])
        await shared.stop()
    }

    @Test(
        "a peer that loses the right to saves gets nothing from that moment on, and all once it has it again",
        arguments: [true, false]
    )
    @Engine
    func rightsTakenAway(byAnotherProgram: Bool) async throws {
        let shared = try await SharedSet.open()
        let (one, other) = (shared.one, shared.other)
        let ledger = try await Ledger.open(at: one.folder.path(of: "huddle"))
        func permit(_ permissions: Permissions) async throws {
            if byAnotherProgram {
                try await ledger.setPermissions(permissions, for: other.id)
            } else {
                try await one.node.setPermissions(permissions, for: other.id)
            }
        }
        try await permit([.messages, .streams])
        for machine in [one, other] {
            while try !machine.engine.report(of: shared.set).present.isEmpty { try await othersTurn() }
        }
        try await one.save("not for others", in: shared.set)
        other.engine.connections.sees(one.id)
        #expect(other.place().texts() == ["slot": "chapter 1"])
        try await permit(.all)
        try await other.untilApplied(in: shared.set)
        #expect(other.place().texts() == ["slot": "not for others"])
        await shared.stop()
    }

    @Test("an offer to a machine that does not accept this one arrives as soon as it does")
    @Engine
    func welcomeLater() async throws {
        let (one, other) = (try await SaveMachine.open("one"), try await SaveMachine.open("other"))
        try await one.know(other)
        try await one.node.ledger.setPolicy(.accept, for: other.id)
        let set = try await one.add(["slot": "chapter 1"])
        try await one.engine.sharing.offer(set, to: other.id)
        #expect(await other.unanswered.next() == one.id)
        try await other.node.setPolicy(.accept, for: one.id)
        try await other.next(in: set) { if case .offered(one.id) = $0 { true } else { nil } }
        try await other.join(set)
        try await other.untilApplied(in: set)
        await one.stop()
        await other.stop()
    }

    @Test("an accepted machine with nothing to offer is asked once, and then left alone")
    @Engine
    func nothingToOffer() async throws {
        let one = try await SaveMachine.open("one") { $0.bounds.patience.firstOffer = .milliseconds(10) }
        let other = try await SaveMachine.open("other")
        try await one.befriend(other)
        try await one.node.setPolicy(.accept, for: other.id)
        #expect(await other.visitors.next() == one.id)
        #expect(other.engine.connections.peers.isEmpty)
        while !one.engine.connections.peers.isEmpty { try await othersTurn() }
        await one.stop()
        await other.stop()
    }

    @Test(
        "an offer in the moment in which either machine ends their session arrives over another",
        arguments: [true, false]
    )
    @Engine
    func offeredAtTheEnd(byWhoEnds: Bool) async throws {
        let (one, other) = (try await SaveMachine.open("one"), try await SaveMachine.open("other"))
        try await one.befriend(other)
        let (from, to) = byWhoEnds ? (one, other) : (other, one)
        let set = try await from.add(["slot": "chapter 1"])
        // No game is shared yet, so each machine asks once for offers.
        try await one.node.setPolicy(.accept, for: other.id)
        while one.engine.connections.peers[other.id] == nil || other.engine.connections.peers[one.id] == nil {
            try await othersTurn()
        }
        let kept = try from.engine.games.game(set)
        kept.handle(.peer(to.id, .shared))
        one.engine.connections.peers[other.id]?.hangUp()
        from.engine.sessions.spread(kept)
        try await to.next(in: set) { if case .offered(from.id) = $0 { true } else { nil } }
        try await to.join(set)
        try await to.untilApplied(in: set)
        #expect(to.place().texts() == ["slot": "chapter 1"])
        await one.stop()
        await other.stop()
    }

    @Test("a peer that is searched in the moment in which its session ends is met in another")
    @Engine
    func soughtAtTheEnd() async throws {
        let shared = try await SharedSet.open()
        let (one, other) = (shared.one, shared.other)
        one.engine.connections.peers[other.id]?.hangUp()
        one.engine.connections.connect(to: other.id, after: .zero)
        while try !one.engine.report(of: shared.set).present.isEmpty { try await othersTurn() }
        while try one.engine.report(of: shared.set).present.isEmpty { try await othersTurn() }
        try await other.save("chapter 2", in: shared.set)
        try await one.untilApplied(in: shared.set)
        await shared.stop()
    }

    @Test("no version is applied to a folder with a file that a program writes, and it is applied when that is over")
    @Engine
    func inUse() async throws {
        let shared = try await SharedSet.open()
        shared.other.place().user.withLock { $0 = "celeste (4711)" }
        try await shared.one.save("chapter 2", in: shared.set)
        let reason = try await shared.other.next(in: shared.set) {
            if case .heldBack(_, let reason) = $0 { reason } else { nil }
        }
        #expect(reason == "celeste (4711)")
        #expect(shared.other.place().texts() == ["slot": "chapter 1"])
        shared.other.place().user.withLock { $0 = nil }
        shared.other.places.settle(shared.set)
        try await shared.other.untilApplied(in: shared.set)
        #expect(shared.other.place().texts() == ["slot": "chapter 2"])
        await shared.stop()
    }
}
