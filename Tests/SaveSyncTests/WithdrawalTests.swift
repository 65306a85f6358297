import Glibc
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

@Suite("A game that is taken back, or left", .timeLimit(.minutes(5)))
struct WithdrawalTests {
    @Test(
        "a game does not name a blocked machine to others, and a forgotten one has no part in it",
        arguments: [true, false]
    )
    @Engine
    func unwanted(isBlocked: Bool) async throws {
        let folder = TemporaryFolder.inMemory()
        let third = try await SaveMachine.open("third")
        let set = try await Self.share(with: third, andThen: isBlocked, in: folder)
        let again = try await SaveMachine.open("one", in: folder)
        #expect(again.engine.services.rights.barred == (isBlocked ? [third.id] : []))
        #expect(try again.engine.report(of: set).sharers.contains(third.id) == isBlocked)
        await again.stop()
    }

    @Engine
    private static func share(
        with third: SaveMachine,
        andThen isBlocked: Bool,
        in folder: TemporaryFolder
    ) async throws -> SaveSetID {
        let (one, other) = (try await SaveMachine.open("one", in: folder), try await SaveMachine.open("other"))
        for machine in [one, other] { try await machine.befriend(third) }
        try await one.befriend(other)
        let set = try await one.add(["slot": "chapter 1"])
        try await one.share(set, with: third)
        // The machine is offline, so no session notices the change. Another process reports it.
        await third.stop()
        while try !one.engine.report(of: set).present.isEmpty { try await othersTurn() }
        if isBlocked {
            try await one.node.ledger.setPolicy(.block, for: third.id)
        } else {
            #expect(try await one.node.ledger.forget(third.id))
        }
        one.node.whenAnyRightsChange()
        while !one.engine.services.rights.barred.contains(third.id) { try await othersTurn() }
        try await one.share(set, with: other)
        #expect(try other.engine.report(of: set).sharers == [one.id])
        #expect(try one.engine.report(of: set).sharers.contains(third.id) == isBlocked)
        for machine in [one, other] { await machine.stop() }
        return set
    }

    @Test("a game is not offered to a machine of the household that is forgotten in that moment")
    @Engine
    func forgottenWhileOffered() async throws {
        let (one, other) = (try await SaveMachine.open("one"), try await SaveMachine.open("other"))
        let set = try await one.add(["slot": "chapter 1"])
        try await one.engine.settings.change(set) { $0.audience = .household }
        try await one.befriend(other)
        #expect(await one.engine.services.rights.mayExchange(with: other.id))
        #expect(try await one.node.ledger.forget(other.id))
        await one.engine.sharing.offerHouseholdGames(to: other.id)
        #expect(try await one.node.ledger.sharing.sharers(of: set).values.isEmpty)
        #expect(try one.engine.report(of: set).sharers.isEmpty)
        for machine in [one, other] { await machine.stop() }
    }

    @Test("a game is not shared with a machine that is forgotten after the ledger noted it as a member")
    @Engine
    func forgottenAfterNote() async throws {
        let (one, other) = (try await SaveMachine.open("one"), try await SaveMachine.open("other"))
        try await one.befriend(other)
        let set = try await one.add(["slot": "chapter 1"])
        #expect(try await one.node.ledger.sharing.introduce(other.id, to: set))
        #expect(try await one.node.ledger.forget(other.id))
        try await one.engine.sharing.isShared(set, with: other.id)
        #expect(try one.engine.report(of: set).sharers.isEmpty)
        for machine in [one, other] { await machine.stop() }
    }

    @Test("a game keeps its members if the machine that left it joins it again", arguments: [true, false])
    @Engine
    func audience(isHousehold: Bool) async throws {
        let one = try await SaveMachine.open("one")
        let set = try await one.add(["slot": "chapter 1"])
        try await one.engine.settings.change(set) { $0.audience = isHousehold ? .household : .chosen }
        try await one.engine.joining.leave(set)
        try await one.join(set)
        #expect(try one.engine.report(of: set).entry.audience == (isHousehold ? .household : .chosen))
        await one.stop()
    }

    @Test("a game is in sync again after it was left and joined while the other was offline, and keeps its versions")
    @Engine
    func joinedAgain() async throws {
        let shared = try await SharedSet.open()
        let (one, other, set) = (shared.one, shared.other, shared.set)
        try await other.engine.settings.change(set) { $0.retention = RetentionRule(count: 200) }
        other.engine.connections.peers[one.id]?.hangUp()
        while try !other.engine.report(of: set).present.isEmpty { try await othersTurn() }
        try await one.engine.editor(of: set).scan()
        try await other.engine.joining.leave(set)
        try await other.node.ledger.sharing.removeOffer(of: set, from: one.id)
        try await other.join(set)
        #expect(try other.engine.report(of: set).sharers == [one.id])
        try await one.save("chapter 2", in: set)
        other.engine.connections.sees(one.id)
        while other.place().texts() != ["slot": "chapter 2"] { try await othersTurn() }
        await shared.stop()
    }

    @Test("a game that is joined again keeps its patterns and its members, even if another machine offers it")
    @Engine
    func joinedAgainFromOthers() async throws {
        let one = try await SaveMachine.open("one")
        // Patterns only work with real folders.
        let other = try await SaveMachine.open("other", watchesForReal: true)
        let third = try await SaveMachine.open("third")
        for machine in [one, third] { try await other.befriend(machine) }
        let set = try await one.add(["slot": "chapter 1"])
        try await one.share(set, with: other)
        try await other.offer(set, to: third)
        try await other.engine.settings.change(set) { $0.scope.local = try PathPatterns(["settings"]) }
        other.place().put(Array("1920".utf8), at: "settings")
        try await other.engine.joining.leave(set)
        // A machine that has the game offers it again.
        one.engine.connections.peers[other.id]?.hangUp()
        while try one.engine.report(of: set).present.contains(other.id) { try await othersTurn() }
        one.engine.connections.sees(other.id)
        while try await !other.node.ledger.sharing.offeredSets().values.contains(where: { $0.peer == one.id }) {
            try await othersTurn()
        }
        try await other.join(set)
        try await other.engine.play(of: set).untilQuiet()
        #expect(try other.heads(of: set) == one.heads(of: set) && other.heads(of: set).count == 1)
        #expect(try Set(other.engine.report(of: set).sharers) == [one.id, third.id])
        for machine in [one, other, third] { await machine.stop() }
    }

    @Test(
        "a game that was left and joined again has neither a machine that was forgotten, nor one whose right was taken away"
    )
    @Engine
    func joinedWithoutSome() async throws {
        let (one, other, third) = (
            try await SaveMachine.open("one"), try await SaveMachine.open("other"), try await SaveMachine.open("third")
        )
        for machine in [other, third] { try await one.befriend(machine) }
        let set = try await one.add(["slot": "chapter 1"])
        for machine in [other, third] { try await one.offer(set, to: machine) }
        try await one.engine.sharing.withdraw(set, from: third.id)
        try await one.engine.joining.leave(set)
        #expect(try await one.node.ledger.forget(other.id))
        try await one.befriend(other)
        try await one.join(set)
        let report = try one.engine.report(of: set)
        #expect(report.sharers.isEmpty && report.versions.count == 1)
        #expect(try one.engine.games.game(set).machine.peers.revoked == [third.id])
        for machine in [one, other, third] { await machine.stop() }
    }

    @Test("a game has no member that took it back, until that one offers it again")
    @Engine
    func parted() async throws {
        let shared = try await SharedSet.open()
        let (one, other, set) = (shared.one, shared.other, shared.set)
        try await one.engine.sharing.withdraw(set, from: other.id)
        while try !other.engine.report(of: set).sharers.isEmpty { try await othersTurn() }
        try await one.engine.sharing.offer(set, to: other.id)
        while try other.engine.report(of: set).present != [one.id] { try await othersTurn() }
        #expect(try other.engine.report(of: set).sharers == [one.id])
        await shared.stop()
    }

    @Test("A game is only here for a machine that another one removed and paired again, until that one shares it")
    @Engine
    func removedAndPairedAgain() async throws {
        let shared = try await SharedSet.open()
        let (one, other, set) = (shared.one, shared.other, shared.set)
        #expect(try await other.node.ledger.forget(one.id))
        other.engine.sharing.looksAgain(at: one.id)
        while try !one.engine.report(of: set).present.isEmpty { try await othersTurn() }
        #expect(try one.engine.report(of: set).sharers == [other.id])
        try await one.befriend(other)
        other.engine.sharing.looksAgain(at: one.id)
        one.engine.sharing.looksAgain(at: other.id)
        while try !one.engine.report(of: set).sharers.isEmpty { try await othersTurn() }
        #expect(try other.engine.report(of: set).sharers.isEmpty)
        try await other.engine.sharing.offer(set, to: one.id)
        while try one.engine.report(of: set).present != [other.id] { try await othersTurn() }
        #expect(try one.engine.report(of: set).sharers == [other.id])
        await shared.stop()
    }

    @Test("a game has a member that left it, once it is offered to that one again")
    @Engine
    func offeredAgain() async throws {
        let shared = try await SharedSet.open()
        let (one, other, set) = (shared.one, shared.other, shared.set)
        try await other.engine.joining.leave(set)
        while try !one.engine.report(of: set).sharers.isEmpty { try await othersTurn() }
        try await one.engine.sharing.offer(set, to: other.id)
        #expect(try one.engine.report(of: set).sharers == [other.id])
        await shared.stop()
    }

    /// A game that was revoked from a third machine and then left, and that the other two offer.
    @Engine
    private static func takenBackAndLeft(
        on one: SaveMachine,
        _ other: PeerID,
        _ third: PeerID
    ) async throws -> SaveSetID {
        let set = try await one.add(["slot": "chapter 1"])
        for peer in [other, third] { try await one.engine.sharing.offer(set, to: peer) }
        try await one.engine.sharing.withdraw(set, from: third)
        try await one.engine.joining.leave(set)
        for peer in [other, third] {
            _ = try await one.node.ledger.sharing.noteOffer(
                SaveOffer(set, named: try SaveSetName("celeste")),
                from: peer,
                to: one.id
            )
        }
        return set
    }

    @Test("a game is joined again without a machine whose right was taken away, unless the user chooses its offer")
    @Engine
    func joinedFromOneOfTwo() async throws {
        let one = try await SaveMachine.open("one")
        let (other, third) = (try await SaveMachine.open("other"), try await SaveMachine.open("third"))
        for machine in [other, third] { try await one.befriend(machine) }
        let set = try await Self.takenBackAndLeft(on: one, other.id, third.id)
        try await one.engine.joining.join(set, at: one.place().path, from: other.id)
        #expect(try one.engine.report(of: set).sharers == [other.id])
        #expect(try await one.node.ledger.sharing.withdrawals(of: set).values == [third.id])
        try await one.engine.joining.leave(set)
        _ = try await one.node.ledger.sharing.noteOffer(
            SaveOffer(set, named: try SaveSetName("celeste")),
            from: third.id,
            to: one.id
        )
        try await one.engine.joining.join(set, at: one.place().path, from: third.id)
        #expect(try Set(one.engine.report(of: set).sharers) == [other.id, third.id])
        #expect(try await one.node.ledger.sharing.withdrawals(of: set).values == [])
        for machine in [one, other, third] { await machine.stop() }
    }

    @Test("a game stays taken back if it could not be joined again")
    @Engine
    func joinedInVain() async throws {
        let one = try await SaveMachine.open("one")
        let (other, third) = (try await SaveMachine.open("other"), try await SaveMachine.open("third"))
        for machine in [other, third] { try await one.befriend(machine) }
        let set = try await Self.takenBackAndLeft(on: one, other.id, third.id)
        let elsewhere = one.place("elsewhere")
        elsewhere.refusesReading.withLock { $0 = .max }
        await #expect(throws: (any Error).self) {
            try await one.engine.joining.join(set, at: elsewhere.path, from: third.id)
        }
        #expect(one.engine.reports().isEmpty)
        #expect(try await one.node.ledger.sharing.withdrawals(of: set).values == [third.id])
        for machine in [one, other, third] { await machine.stop() }
    }

    @Test("a game counts as left after an accident that spared only the history, and can be joined again or deleted")
    @Engine
    func unknown() async throws {
        let folder = TemporaryFolder.inMemory()
        let set = try await SaveMachine.live("one", in: folder) { before in
            let set = try await before.add(["slot": "chapter 1"])
            try await before.save("chapter 2", in: set)
            return set
        }
        for name in ["ledger.sqlite", "ledger.sqlite-wal", "ledger.sqlite-shm", "ledger.copy"] {
            unlink(folder.path(of: "huddle/\(name)"))
        }
        let one = try await SaveMachine.open("one", in: folder)
        let offered = try #require(try await one.engine.joining.offers().first)
        #expect(offered.offer.set == set && offered.offer.name.description == "left-\(set.description.prefix(8))")
        try await one.engine.joining.join(set, at: one.place().path, named: SaveSetName("celeste"))
        #expect(try one.engine.report(of: set).versions.count == 2 && one.heads(of: set).count == 1)
        try await one.engine.joining.leave(set)
        try await one.engine.upkeep.cleanUp(alsoLeft: true)
        #expect(try await one.engine.joining.offers().isEmpty)
        #expect(try await one.engine.upkeep.usage().shares.isEmpty)
        await one.stop()
    }

    @Test("a game stays taken back, even if a third machine that shares it names its members, and after a restart")
    @Engine
    func third() async throws {
        let shared = try await SharedSet.open()
        let (one, other, set) = (shared.one, shared.other, shared.set)
        let third = try await SaveMachine.open("third")
        for machine in [one, other] { try await machine.befriend(third) }
        try await one.offer(set, to: third)
        try await third.join(set)
        while try Set(one.engine.report(of: set).present) != [other.id, third.id] { try await othersTurn() }
        while try Set(third.engine.report(of: set).present) != [one.id, other.id] { try await othersTurn() }

        try await one.engine.sharing.withdraw(set, from: other.id)
        #expect(Set(try await one.node.ledger.sharing.withdrawals(of: set).values) == [other.id])
        // The third machine still shares it with both. Here it says so once more.
        let epoch = try one.engine.games.game(set).machine.peers.epochs[third.id]
        third.engine.sessions.offer(
            try third.engine.games.game(set).set,
            to: try #require(third.engine.connections.peers[one.id])
        )
        while try one.engine.games.game(set).machine.peers.epochs[third.id] == epoch { try await othersTurn() }
        #expect(try one.engine.report(of: set).sharers == [third.id])

        // The user may later decide otherwise.
        try await one.engine.sharing.offer(set, to: other.id)
        #expect(try await one.node.ledger.sharing.withdrawals(of: set).values.isEmpty)
        while try Set(one.engine.report(of: set).present) != [other.id, third.id] { try await othersTurn() }
        await third.stop()
        await shared.stop()
    }

    @Test("a game is no longer offered to a machine that has not accepted the offer", arguments: [true, false])
    @Engine
    func ghosts(isLeft: Bool) async throws {
        let (one, other) = (try await SaveMachine.open("one"), try await SaveMachine.open("other"))
        try await one.befriend(other)
        let set = try await one.add(["slot": "chapter 1"])
        // A second game keeps the session open when the first one is left.
        let lasting = try await one.add(["slot": "other"], "mountain")
        for set in [set, lasting] { try await one.offer(set, to: other) }
        #expect(try await other.engine.joining.offers().count == 2)
        if isLeft {
            try await one.engine.joining.leave(set)
        } else {
            try await one.engine.sharing.withdraw(set, from: other.id)
        }
        while try await other.engine.joining.offers().count != 1 { try await othersTurn() }
        await one.stop()
        await other.stop()
    }

    @Test("a game is no longer offered to a machine that was offline when it was taken back, as soon as the two meet")
    @Engine
    func away() async throws {
        let (one, other) = (try await SaveMachine.open("one"), try await SaveMachine.open("other"))
        try await one.befriend(other)
        let set = try await one.add(["slot": "chapter 1"])
        let lasting = try await one.add(["slot": "other"], "mountain")
        for set in [set, lasting] { try await one.offer(set, to: other) }
        other.engine.connections.peers[one.id]?.hangUp()
        while one.engine.connections.peers[other.id] != nil { try await othersTurn() }
        try await one.engine.sharing.withdraw(set, from: other.id)
        #expect(try await other.engine.joining.offers().count == 2)
        one.engine.connections.sees(other.id)
        while try await other.engine.joining.offers().count != 1 { try await othersTurn() }
        await one.stop()
        await other.stop()
    }

    @Test(
        "a game is joined with the settings of the offer that the user chose, and shared with all machines that offer it"
    )
    @Engine
    func chosenOffer() async throws {
        let machine = try await SaveMachine.open("machine")
        let set = SaveSetID(high: 4, low: 2)
        let (whole, part) = (try await SaveMachine.open("whole"), try await SaveMachine.open("part"))
        let slot = try #require(ChosenNames([try FileName("slot")]))
        for (peer, chosen) in [(whole, nil), (part, slot)] as [(SaveMachine, ChosenNames?)] {
            let offer = SaveOffer(set, named: try SaveSetName("celeste"), chosen: chosen)
            _ = try await machine.node.ledger.sharing.noteOffer(offer, from: peer.id, to: machine.id)
        }
        machine.place().put(Array("chapter 1".utf8), at: "slot")
        try await machine.engine.joining.join(set, at: machine.place().path, from: part.id)
        let report = try machine.engine.report(of: set)
        #expect(report.entry.chosen == slot)
        #expect(Set(report.sharers) == [whole.id, part.id])
        for machine in [machine, whole, part] { await machine.stop() }
    }
}
