import Ledger
import LinuxPlatform
import SaveRules
import Session
import TestSupport
import Testing
import Vocabulary

@testable import SaveSync

@Suite("The state of a game", .timeLimit(.minutes(3)))
@Engine
struct StatusTests {
    @Test(
        "a game is in sync on both machines once each has reported its version, and only here after a save beside no other"
    )
    func inSync() async throws {
        let shared = try await SharedSet.open()
        let (one, other, set) = (shared.one, shared.other, shared.set)
        try await one.until(.inSync, set)
        try await other.until(.inSync, set)
        try await one.save("chapter 2", in: set)
        try await one.until(.inSync, set)
        // The other machine has the version, and applies it next.
        while other.place().texts() != ["slot": "chapter 2"] { try await othersTurn() }
        await other.stop()
        while try one.sharer(of: set)?.isOnline != false { try await othersTurn() }
        #expect(try one.status(of: set) == .inSync, "it held the newest version when it was last online")
        try await one.save("chapter 3", in: set)
        #expect(try one.status(of: set) == .onlyHere)
        #expect(try one.sharer(of: set)?.part == .behind)
        await one.stop()
    }

    @Test("a game is not in sync from the first change of its folder until that is read and sent")
    func changing() async throws {
        let shared = try await SharedSet.open()
        let (one, other, set) = (shared.one, shared.other, shared.set)
        try await one.until(.inSync, set)
        one.place().put(Array("chapter 2".utf8), at: "slot")
        one.places.change(set)
        try await one.until(.sending, set)
        #expect(try one.engine.report(of: set).facts.newest == .unread)
        one.places.settle(set)
        while other.place().texts() != ["slot": "chapter 2"] { try await othersTurn() }
        try await one.until(.inSync, set)
        await shared.stop()
    }

    @Test("a machine that starts alone remembers the versions of the others")
    func restart() async throws {
        let (folder, away) = (TemporaryFolder.inMemory(), TemporaryFolder.inMemory())
        let other = try await SaveMachine.open("other", in: away)
        let set = try await SaveMachine.live("one", in: folder) { one in
            try await one.befriend(other)
            let set = try await one.add(["slot": "chapter 1"])
            #expect(try one.status(of: set) == .onlyHere, "it is shared with no machine")
            try await one.offer(set, to: other)
            #expect(try one.sharer(of: set)?.part == .notJoined)
            try await other.join(set)
            try await one.until(.inSync, set)
            return set
        }
        await other.stop()
        try await SaveMachine.live("one", in: folder) { one in
            one.place().put(Array("chapter 1".utf8), at: "slot")
            try await one.engine.editor(of: set).scan()
            try await one.until(.inSync, set)
            #expect(try one.sharer(of: set)?.isOnline == false)
            try await one.save("chapter 2", in: set)
            #expect(try one.status(of: set) == .onlyHere)
        }
    }

    @Test("a policy that asks stops the game on both machines until it accepts again")
    func policy() async throws {
        let shared = try await SharedSet.open()
        let (one, other, set) = (shared.one, shared.other, shared.set)
        try await other.until(.inSync, set)
        try await one.node.setPolicy(.ask, for: other.id)
        try await one.until(.notSyncing, set)
        #expect(try one.sharer(of: set)?.obstacle == .notPermittedHere)
        try await other.until(.notSyncing, set)
        #expect(try other.sharer(of: set)?.obstacle == .notPermittedThere)
        other.engine.connections.sees(one.id)
        #expect(await other.engine.services.rights.mayExchange(with: one.id))
        try await one.node.setPolicy(.accept, for: other.id)
        for machine in [one, other] { try await machine.until(.inSync, set) }
        try await one.save("chapter 2", in: set)
        while other.place().texts() != ["slot": "chapter 2"] { try await other.untilApplied(in: set) }
        await shared.stop()
    }

    @Test("a machine that invites while the policy there asks is declined at once, and says so")
    func declined() async throws {
        let (one, other) = (try await SaveMachine.open("one"), try await SaveMachine.open("other"))
        try await one.befriend(other)
        let set = try await one.add(["slot": "chapter 1"])
        try await one.offer(set, to: other)
        try await other.join(set)
        try await one.until(.inSync, set)
        try await other.node.setPolicy(.ask, for: one.id)
        try await one.until(.notSyncing, set)
        // It forgets the refusal, as after a restart, and asks.
        one.engine.connections.heldOff = [:]
        one.engine.connections.sees(one.id)
        one.engine.connections.connect(to: other.id, after: .zero)
        try await one.until(.notSyncing, set)
        #expect(try one.sharer(of: set)?.obstacle == .notPermittedThere)
        await one.stop()
        await other.stop()
    }

    @Test(
        "a permission that leaves saves out stops the game on both machines",
        arguments: [
            Permissions.all.subtracting(.saveSets), Permissions.all.subtracting(.streams),
            Permissions.all.subtracting(.messages),
        ]
    )
    func permission(left: Permissions) async throws {
        let shared = try await SharedSet.open()
        let (one, other, set) = (shared.one, shared.other, shared.set)
        try await one.node.setPermissions(left, for: other.id)
        try await one.until(.notSyncing, set)
        try await other.until(.notSyncing, set)
        try await one.node.setPermissions(.all, for: other.id)
        for machine in [one, other] { try await machine.until(.inSync, set) }
        await shared.stop()
    }

    @Test("a block stops the game here, and there the machine looks offline")
    func block() async throws {
        let shared = try await SharedSet.open()
        let (one, other, set) = (shared.one, shared.other, shared.set)
        try await other.until(.inSync, set)
        try await one.node.setPolicy(.block, for: other.id)
        try await one.until(.notSyncing, set)
        #expect(try one.sharer(of: set)?.obstacle == .blockedHere)
        try await other.save("chapter 2", in: set)
        // The other machine may not have noticed the end of the connection yet, and still sends.
        while ![.onlyHere, .notSyncing].contains(try other.status(of: set)) {
            #expect(try other.status(of: set) != .inSync)
            try await othersTurn()
        }
        #expect(try await one.node.ledger.unblock(other.id) == .accept)
        try await one.node.setPolicy(.accept, for: other.id)
        for machine in [one, other] { try await machine.until(.inSync, set) }
        while one.place().texts() != ["slot": "chapter 2"] { try await othersTurn() }
        await shared.stop()
    }

    @Test("a machine that may no longer sync saves is disconnected, also if it was being invited at that moment")
    func policyMeanwhile() async throws {
        let shared = try await SharedSet.open()
        let (one, other, set) = (shared.one, shared.other, shared.set)
        for _ in 0..<3 {
            for machine in [one, other] { try await machine.until(.inSync, set) }
            try await one.node.setPolicy(.ask, for: other.id)
            try await one.until(.notSyncing, set)
            try await other.until(.notSyncing, set)
            try await one.node.setPolicy(.accept, for: other.id)
            while one.engine.connections.dials[other.id] == nil, one.engine.connections.peers[other.id] == nil {
                try await othersTurn()
            }
            try await one.node.setPolicy(.ask, for: other.id)
            try await other.until(.notSyncing, set)
            while one.engine.connections.peers[other.id] != nil { try await othersTurn() }
            try await one.node.setPolicy(.accept, for: other.id)
        }
        await shared.stop()
    }

    @Test("a folder that loses its files is held back until the user sends it, and no other machine shows it")
    func emptied() async throws {
        let shared = try await SharedSet.open(["slot": "chapter 1", "other": "2"])
        let (one, other, set) = (shared.one, shared.other, shared.set)
        for name in ["slot", "other"] { one.place().remove(name) }
        one.places.settle(set)
        try await one.until(.emptied, set)
        #expect(try one.engine.report(of: set).emptied == EmptiedSave(removed: 2, added: 0))
        #expect(try await one.engine.versions(of: set).latest().count == 1)
        // The game starts over: the machine still asks one question.
        one.place().put(Array("a new beginning".utf8), at: "slot")
        one.places.settle(set)
        while try one.engine.report(of: set).emptied != EmptiedSave(removed: 1, added: 1) { try await othersTurn() }
        // A version that another machine saves meanwhile is not applied over it.
        try await other.save("chapter 2", in: set)
        while try one.engine.report(of: set).versions.heads.first?.author != other.id { try await othersTurn() }
        #expect(try one.status(of: set) == .emptied)
        #expect(one.place().texts() == ["slot": "a new beginning"])
        try await one.engine.editor(of: set).scan(sendingEmptied: true)
        for machine in [one, other] { try await machine.until(.conflict, set) }
        await shared.stop()
    }

    @Test("removed files are restored in one step, and no other machine sees the folder without them")
    func comesBack() async throws {
        let shared = try await SharedSet.open(["slot": "chapter 1"])
        let (one, other, set) = (shared.one, shared.other, shared.set)
        one.place().remove("slot")
        one.places.settle(set)
        try await one.until(.emptied, set)
        one.place().put(Array("a new beginning".utf8), at: "new")
        let first = try #require(try one.engine.report(of: set).versions.shown)
        try await one.engine.editor(of: set).restore(first.id)
        #expect(one.place().texts() == ["slot": "chapter 1"])
        #expect(try await one.engine.versions(of: set).latest().count == 3, "the new beginning is a version of its own")
        for machine in [one, other] { try await machine.until(.inSync, set) }
        while other.place().texts() != ["slot": "chapter 1"] { try await othersTurn() }
        await shared.stop()
    }

    @Test("a folder that was emptied is still held back after a restart, whatever the game saves then")
    func emptiedBeforeRestart() async throws {
        let folder = TemporaryFolder.inMemory()
        let set = try await SaveMachine.live("one", in: folder) { one in
            let set = try await one.add(["slot": "chapter 1", "other": "2"])
            for name in ["slot", "other"] { one.place().remove(name) }
            one.places.settle(set)
            try await one.until(.emptied, set)
            return set
        }
        try await SaveMachine.live("one", in: folder) { one in
            one.place().put(Array("a new beginning".utf8), at: "slot")
            #expect(try one.status(of: set) == .emptied)
            one.places.settle(set)
            while try one.engine.report(of: set).emptied != EmptiedSave(removed: 1, added: 1) { try await othersTurn() }
            // All files are back, with other contents: that is a new save.
            one.place().put(Array("3".utf8), at: "other")
            one.places.settle(set)
            try await one.until(.onlyHere, set)
            #expect(try await one.engine.versions(of: set).latest().count == 2)
        }
    }

    @Test("a side that is chosen by its machine goes with the later saves of that machine")
    func chosenSide() async throws {
        let shared = try await SharedSet.open(there: ["slot": "another beginning"])
        let (one, other, set) = (shared.one, shared.other, shared.set)
        for machine in [one, other] { try await machine.until(.conflict, set) }
        let own = try #require(try one.engine.report(of: set).versions.ownSide)
        one.place().put(Array("chapter 2".utf8), at: "slot")
        _ = try await one.engine.editor(of: set).resolve(.side(own))
        for machine in [one, other] {
            while machine.place().texts() != ["slot": "chapter 2"] { try await othersTurn() }
        }
        await shared.stop()
    }

    @Test("a machine that left a game while another was offline says so when the two meet")
    func leftMeanwhile() async throws {
        let (folder, one) = (TemporaryFolder.inMemory(), try await SaveMachine.open("one"))
        let set = try await one.add(["slot": "chapter 1"])
        let other = try await SaveMachine.open("other", in: folder)
        try await one.befriend(other)
        try await one.share(set, with: other)
        try await one.until(.inSync, set)
        one.engine.connections.peers[other.id]?.hangUp()
        while try other.engine.report(of: set).facts.sharers.first?.part == nil { try await othersTurn() }
        try await other.engine.joining.leave(set)
        one.engine.connections.sees(other.id)
        while try one.sharer(of: set)?.part != .stopped { try await othersTurn() }
        #expect(try one.status(of: set) == .onlyHere)
        await one.stop()
        await other.stop()
    }

    @Test("a machine that leaves a game is no reason to wait, and a conflict is one on both")
    func leaving() async throws {
        let shared = try await SharedSet.open(there: ["slot": "another beginning"])
        let (one, other, set) = (shared.one, shared.other, shared.set)
        for machine in [one, other] { try await machine.until(.conflict, set) }
        _ = try await one.engine.editor(of: set).resolve(.mine, note: nil)
        for machine in [one, other] { try await machine.until(.inSync, set) }
        try await other.engine.joining.leave(set)
        try await one.until(.onlyHere, set)
        #expect(try one.sharer(of: set)?.part == .stopped)
        await shared.stop()
    }
}

extension SaveMachine {
    func status(of set: SaveSetID) throws -> GameStatus { try engine.report(of: set).facts.status }

    /// The state of the only other machine that a game was offered to.
    func sharer(of set: SaveSetID) throws -> GameSharer? { try engine.report(of: set).facts.sharers.first }

    func until(_ status: GameStatus, _ set: SaveSetID) async throws {
        while try self.status(of: set) != status { try await othersTurn() }
    }
}
