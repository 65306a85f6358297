import Ledger
import LinuxPlatform
import SaveRules
@testable import SaveSync
import Session
import Synchronization
import TestSupport
import Testing
import Vocabulary

@Suite("Play of a game", .timeLimit(.minutes(5)))
struct PlayingTests {
    /// The first machine saves. The other machine does not apply the version under its running game.
    @Engine
    private func saveHeldBack(in shared: SharedSet) async throws {
        try await shared.one.save("from elsewhere", in: shared.set)
        try await shared.other.next(in: shared.set) { if case .heldBack = $0 { true } else { nil } }
        #expect(shared.other.place().texts() == ["slot": "chapter 1"])
    }

    @Test("the other machine sees the player, holds back its own game, and may play afterwards")
    @Engine
    func oneAfterTheOther() async throws {
        let shared = try await SharedSet.open()
        #expect(try await shared.one.engine.play(of: shared.set).newest(within: .seconds(10)) == .ready)
        try await shared.one.engine.play(of: shared.set).begin()
        try await shared.other.next(in: shared.set) { if case .lease(.taken(shared.one.id)) = $0 { true } else { nil } }
        #expect(try shared.other.engine.report(of: shared.set).play.holder?.peer == shared.one.id)
        await #expect(throws: SaveSyncError.self) { try await shared.other.engine.play(of: shared.set).begin() }
        shared.one.place().put(Array("played".utf8), at: "slot")
        try await shared.one.engine.play(of: shared.set).end()
        try await shared.other.untilApplied(in: shared.set)
        #expect(shared.other.place().texts() == ["slot": "played"])
        if try shared.other.engine.report(of: shared.set).play.holder != nil {
            try await shared.other.next(in: shared.set) { if case .lease(.released) = $0 { true } else { nil } }
        }
        try await shared.other.engine.play(of: shared.set).begin()
        #expect(try shared.other.engine.report(of: shared.set).play.isHere)
        await shared.stop()
    }

    @Test("no version is applied while the game runs here; afterwards both sides are there")
    @Engine
    func holdsBack() async throws {
        let shared = try await SharedSet.open()
        try await shared.other.engine.play(of: shared.set).begin()
        try await saveHeldBack(in: shared)
        shared.other.place().put(Array("played".utf8), at: "slot")
        try await shared.other.engine.play(of: shared.set).end()
        try await shared.other.untilConflict(in: shared.set)
        #expect(shared.other.place().texts() == ["slot": "played"])
        await shared.stop()
    }

    @Test("a game is not moved while it runs here: it saves in its old folder")
    @Engine
    func movedMeanwhile() async throws {
        let machine = try await SaveMachine.open("one")
        let set = try await machine.add(["slot": "chapter 1"])
        let former = try machine.engine.report(of: set).entry.path
        try await machine.engine.play(of: set).begin()
        await #expect(throws: SaveSyncError.movedWhilePlayed) {
            try await machine.engine.settings.change(set) { $0.path += "-new" }
        }
        machine.place().put(Array("chapter 2".utf8), at: "slot")
        try await machine.engine.play(of: set).end()
        #expect(try machine.engine.report(of: set).entry.path == former)
        #expect(try machine.engine.report(of: set).versions.count == 2)
        try await machine.engine.settings.change(set) { $0.path += "-new" }
        await machine.stop()
    }

    @Test("a game is not moved either if it begins while earlier work ends")
    @Engine
    func movedLate() async throws {
        let machine = try await SaveMachine.open("one")
        let readings = Mutex(0)
        let gates = [BlockingGate(), BlockingGate()]
        let reached = [Resumption<Void>(), Resumption<Void>()]
        machine.place().beforeReading.withLock { hook in
            hook = {
                // One reading for the first version, and one when the watch begins.
                let number =
                    readings.withLock {
                        $0 += 1; return $0
                    } - 3
                guard gates.indices.contains(number) else { return }
                reached[number].resume(with: .success(()))
                gates[number].pass()
            }
        }
        let set = try await machine.add(["slot": "chapter 1"])
        while readings.withLock({ $0 }) < 2 { try await othersTurn() }
        try await machine.engine.play(of: set).untilQuiet()
        let former = try machine.engine.report(of: set).entry.path
        let moving = Task { @Engine in _ = try await machine.engine.settings.change(set) { $0.path += "-new" } }
        try await reached[0].valueUnlessCancelled()
        let reading = Task { @Engine in try await machine.engine.editor(of: set).scan() }
        for _ in 0..<20 { await Task.yield() }
        gates[0].open()
        try await reached[1].valueUnlessCancelled()
        let game = try await machine.engine.play(of: set).begin()
        gates[1].open()
        try await reading.value
        await #expect(throws: SaveSyncError.movedWhilePlayed) { try await moving.value }
        #expect(try machine.engine.report(of: set).entry.path == former)
        try await machine.engine.play(of: set).end(game: game)
        await machine.stop()
    }

    @Test("a game that asked for the lease begins with the last save of the other machine")
    @Engine
    func lastSave() async throws {
        let shared = try await SharedSet.open()
        let (one, other) = (shared.one.engine, shared.other.engine)
        try await one.play(of: shared.set).begin()
        try await shared.other.next(in: shared.set) { if case .lease(.taken) = $0 { true } else { nil } }
        let newest = NewestWait(within: .seconds(120)) { #expect($0 == .ready) }
        async let waiting = other.play(of: shared.set).begin(.asked, with: newest)
        try await shared.one.next(in: shared.set) {
            if case .lease(.requested(shared.other.id)) = $0 { true } else { nil }
        }
        shared.one.place().put(Array("the last room".utf8), at: "slot")
        try await one.play(of: shared.set).end()
        _ = try await waiting
        #expect(shared.other.place().texts() == ["slot": "the last room"])
        #expect(try other.report(of: shared.set).play.isHere)
        await shared.stop()
    }

    @Test("a game that waits for the lease gets it when the other releases it, and a taking by force is reported")
    @Engine
    func takeovers() async throws {
        let shared = try await SharedSet.open()
        let (one, other) = (shared.one.engine, shared.other.engine)
        try await one.play(of: shared.set).begin()
        try await shared.other.next(in: shared.set) { if case .lease(.taken) = $0 { true } else { nil } }
        // A refused user can ask for the play lock.
        await #expect(throws: SaveSyncError.self) { try await other.play(of: shared.set).begin() }
        async let waiting = other.play(of: shared.set).begin(.asked)
        try await shared.one.next(in: shared.set) {
            if case .lease(.requested(shared.other.id)) = $0 { true } else { nil }
        }
        try await one.play(of: shared.set).end()
        _ = try await waiting
        #expect(try other.report(of: shared.set).play.isHere)
        try await one.play(of: shared.set).begin(.forced)
        try await shared.other.next(in: shared.set) { if case .lease(.lost(shared.one.id)) = $0 { true } else { nil } }
        #expect(try !other.report(of: shared.set).play.isHere)
        #expect(try await shared.one.noted("lease-forced").peer == shared.other.id)
        #expect(try await shared.other.noted("lease-lost").peer == shared.one.id)
        await shared.stop()
    }

    @Test("no version is applied under a game that goes on though its lease was taken by force")
    @Engine
    func lostWhileRunning() async throws {
        let shared = try await SharedSet.open()
        try await shared.other.engine.play(of: shared.set).begin()
        try await shared.one.engine.play(of: shared.set).begin(.forced)
        try await shared.other.next(in: shared.set) { if case .lease(.lost) = $0 { true } else { nil } }
        try await saveHeldBack(in: shared)
        try await shared.other.engine.play(of: shared.set).end()
        try await shared.other.untilApplied(in: shared.set)
        #expect(shared.other.place().texts() == ["slot": "from elsewhere"])
        await shared.stop()
    }

    @Test("a game that goes on counts at once, for as long as it has run, and again when another releases the lease")
    @Engine
    func goesOn() async throws {
        let shared = try await SharedSet.open()
        let (one, other) = (shared.one.engine, shared.other.engine)
        #expect(try one.play(of: shared.set).resume(for: .seconds(840)).holder == nil)
        #expect(try one.report(of: shared.set).play.isHere)
        try await shared.other.next(in: shared.set) { if case .lease(.taken(shared.one.id)) = $0 { true } else { nil } }
        #expect(try other.report(of: shared.set).play.holder.map { $0.played >= .seconds(840) } == true)
        let holder = try other.play(of: shared.set).resume(for: .seconds(5)).holder
        #expect(holder?.peer == shared.one.id)
        #expect(try !other.report(of: shared.set).play.isHere && !other.play(of: shared.set).games.isEmpty)
        try await one.play(of: shared.set).end()
        try await shared.other.next(in: shared.set) { if case .lease(.granted) = $0 { true } else { nil } }
        try await other.play(of: shared.set).end()
        #expect(try other.play(of: shared.set).games.isEmpty)
        await shared.stop()
    }

    /// A machine that learned of a newer version and received none of it. The machine that has it is offline, and this
    /// program has ended.
    @Engine
    private static func endedBehind(in folder: TemporaryFolder) async throws -> SaveSetID {
        let machine = try await SaveMachine.open("one", in: folder)
        let set = try await machine.add(["slot": "chapter 1"])
        let peer = try await HostilePeer.open(victim: machine, sharing: set)
        let shown = try #require(try machine.engine.report(of: set).versions.shown)
        let newer = try peer.snapshot(of: Array("manifest".utf8), after: shown)
        try await peer.announce(newer)
        _ = try await peer.nextWant()
        await peer.stop()
        while try !machine.engine.report(of: set).present.isEmpty { try await othersTurn() }
        #expect(try await machine.engine.play(of: set).newest(within: .milliseconds(50)) == .late)
        #expect(try machine.engine.report(of: set).versions.state == .behind)
        await machine.stop()
        return set
    }

    @Test("a known newer version is waited for though its machine is gone, also after a restart, until a user plays on")
    @Engine
    func newerElsewhere() async throws {
        let folder = TemporaryFolder.inMemory()
        let set = try await Self.endedBehind(in: folder)
        let again = try await SaveMachine.open("one", in: folder)
        #expect(try await again.engine.play(of: set).newest(within: .milliseconds(50)) == .late)
        try await again.engine.settings.change(set) { $0.settleMilliseconds += 1 }
        #expect(try await again.engine.play(of: set).newest(within: .milliseconds(50)) == .late)
        try await again.save("chapter 1, played on", in: set)
        #expect(try await again.engine.play(of: set).newest(within: .seconds(60)) == .ready)
        #expect(try again.engine.report(of: set).versions.state == .level)
        await again.stop()
    }

    @Test("a machine that is gone does not keep others from playing for ever")
    @Engine
    func dead() async throws {
        let patience = LeasePatience(
            objection: .milliseconds(50),
            renewal: .milliseconds(100),
            expiry: .milliseconds(400),
            request: .seconds(5)
        )
        let one = try await SaveMachine.open("one") { $0.leases = patience }
        let other = try await SaveMachine.open("other") { $0.leases = patience }
        try await one.befriend(other)
        let set = try await one.add(["slot": "chapter 1"])
        try await one.share(set, with: other)
        try await one.engine.play(of: set).begin()
        try await other.next(in: set) { if case .lease(.taken) = $0 { true } else { nil } }
        await one.stop()
        try await other.next(in: set) { if case .lease(.ranOut(one.id)) = $0 { true } else { nil } }
        try await other.engine.play(of: set).begin()
        await other.stop()
    }

    /// The second of two machines that share a game. Its program ended after it learned that the first one plays; the
    /// first is offline as well.
    @Engine
    private static func ended(in folder: TemporaryFolder, _ patience: LeasePatience = LeasePatience()) async throws -> (
        set: SaveSetID, player: PeerID
    ) {
        let one = try await SaveMachine.open("one") { $0.leases = patience }
        let other = try await SaveMachine.open("other", in: folder) { $0.leases = patience }
        try await one.befriend(other)
        let set = try await one.add(["slot": "chapter 1"])
        try await one.share(set, with: other)
        try await one.engine.play(of: set).begin()
        try await other.next(in: set) { if case .lease(.taken) = $0 { true } else { nil } }
        // The play lock is stored in the background, and no event reports it.
        while try await other.node.ledger.saveSets.keptClaim(of: set) == nil { try await othersTurn() }
        await one.stop()
        await other.stop()
        return (set, one.id)
    }

    @Test("the player elsewhere is known after a restart, and holds back the game here")
    @Engine
    func restart() async throws {
        let folder = TemporaryFolder.inMemory()
        let (set, player) = try await Self.ended(in: folder)
        do {
            let ledger = try await Ledger.open(at: folder.path(of: "huddle"))
            #expect(try await ledger.saveSets.keptClaim(of: set)?.claim.peer == player)
            try await ledger.saveSets.keep(
                LeaseClaim(player, term: 3, isHeld: true, played: .seconds(840)),
                cutOff: nil,
                of: set
            )
        }
        let again = try await SaveMachine.open("other", in: folder)
        let holder = try #require(try again.engine.report(of: set).play.holder)
        #expect(holder.peer == player && holder.played >= .seconds(840))
        let refusal = await #expect(throws: SaveSyncError.self) { try await again.engine.play(of: set).begin() }
        #expect(refusal?.message == "one has been playing this for 14 minutes")
        try await again.engine.play(of: set).begin(.forced)
        while try await again.node.ledger.saveSets.keptClaim(of: set)?.claim.peer != again.id { try await othersTurn() }
        await again.stop()
    }

    /// Two machines that share a game. The first one's program ended while a game ran there.
    @Engine
    private static func endedPlaying(in folder: TemporaryFolder) async throws -> (other: SaveMachine, set: SaveSetID) {
        let (one, other) = (try await SaveMachine.open("one", in: folder), try await SaveMachine.open("other"))
        try await one.befriend(other)
        let set = try await one.add(["slot": "chapter 1"])
        try await one.share(set, with: other)
        try await one.engine.play(of: set).begin()
        try await other.next(in: set) { if case .lease(.taken) = $0 { true } else { nil } }
        while try await one.node.ledger.saveSets.keptClaim(of: set)?.claim.peer != one.id { try await othersTurn() }
        await one.stop()
        return (other, set)
    }

    @Test(
        "no version is applied under a game that ran when the program ended, and the others go on hearing of it",
        arguments: [false, true]
    )
    @Engine
    func restartPlaying(longAfter isLate: Bool) async throws {
        let folder = TemporaryFolder.inMemory()
        let (other, set) = try await Self.endedPlaying(in: folder)
        try await other.save("from elsewhere", in: set)
        let again = try await SaveMachine.open("one", in: folder) {
            $0.leases.comeback = .seconds(3_600)
            if isLate { $0.leases.expiry = .zero }
        }
        #expect(try again.engine.report(of: set).play.isHere != isLate)
        try await again.befriend(other)
        again.engine.connections.sees(other.id)
        try await again.next(in: set) { if case .heldBack = $0 { true } else { nil } }
        // Other machines do not see an expired play lock.
        #expect(try isLate || other.engine.report(of: set).play.holder?.peer == again.id)
        #expect(again.place().texts() == ["slot": "chapter 1"])
        // The tool that began the game can resume it.
        #expect(try again.engine.play(of: set).resume(for: .seconds(60)).holder == nil)
        try await again.engine.play(of: set).end()
        try await again.untilApplied(in: set)
        #expect(again.place().texts() == ["slot": "from elsewhere"])
        await other.stop()
        await again.stop()
    }

    @Test("a game that ended with the program lets others play as soon as the program is there again")
    @Engine
    func restartAfterPlaying() async throws {
        let folder = TemporaryFolder.inMemory()
        let (other, set) = try await Self.endedPlaying(in: folder)
        let again = try await SaveMachine.open("one", in: folder) { $0.leases.comeback = .milliseconds(50) }
        try await again.befriend(other)
        again.engine.connections.sees(other.id)
        try await other.next(in: set) { if case .lease(.released) = $0 { true } else { nil } }
        #expect(try other.engine.report(of: set).play.holder == nil)
        while try await again.node.ledger.saveSets.keptClaim(of: set) != nil { try await othersTurn() }
        #expect(try !again.engine.report(of: set).play.isHere)
        await other.stop()
        await again.stop()
    }

    @Test("a lease that ran out counts for nothing after a restart, and the machine that was cut off is remembered")
    @Engine
    func restartLate() async throws {
        let folder = TemporaryFolder.inMemory()
        let (set, player) = try await Self.ended(in: folder)
        do {
            let ledger = try await Ledger.open(at: folder.path(of: "huddle"))
            let claim = LeaseClaim(player, term: 0, isHeld: true)
            try await ledger.saveSets.keep(claim, cutOff: nil, of: set, heardAt: .now + -61)
        }
        let again = try await SaveMachine.open("other", in: folder)
        let report = try again.engine.report(of: set)
        #expect(report.play.holder == nil && report.play.cutOff == player)
        try await again.engine.play(of: set).begin()
        await again.stop()
    }

    @Test(
        "a play that was cut off is over after a restart only if a newer save of the player is stored, however it ended",
        arguments: [UInt64(0), 1]
    )
    @Engine
    func restartCutOff(saved: UInt64) async throws {
        let folder = TemporaryFolder.inMemory()
        // The newest version here is the first of the player. If the play was cut off after none, the daemon crashed
        // before it could write that the play is over.
        let (set, player) = try await Self.ended(in: folder)
        let cutOff = try #require(CutOffPlay(of: player, saved: saved))
        do {
            let ledger = try await Ledger.open(at: folder.path(of: "huddle"))
            try await ledger.saveSets.keep(nil, cutOff: cutOff, of: set)
        }
        for _ in 1...2 {
            let again = try await SaveMachine.open("other", in: folder)
            #expect(try again.engine.report(of: set).play.cutOff == (saved == 0 ? nil : player))
            while try await again.node.ledger.saveSets.keptCutOff(of: set) != (saved == 0 ? nil : cutOff) {
                try await othersTurn()
            }
            await again.stop()
        }
    }

    @Test("a machine keeps the play that was cut off beside its own play lock, also after a restart")
    @Engine
    func restartPlayingBesideCutOff() async throws {
        let folder = TemporaryFolder.inMemory()
        let (set, player) = try await Self.ended(in: folder)
        let cutOff = try #require(CutOffPlay(of: player, saved: 1))
        do {
            let ledger = try await Ledger.open(at: folder.path(of: "huddle"))
            try await ledger.saveSets.keep(nil, cutOff: cutOff, of: set)
        }
        try await SaveMachine.live("other", in: folder) { other in
            try await other.engine.play(of: set).begin()
            while try await other.node.ledger.saveSets.keptClaim(of: set)?.claim.peer != other.id {
                try await othersTurn()
            }
        }
        let again = try await SaveMachine.open("other", in: folder)
        let report = try again.engine.report(of: set)
        #expect(report.play.isHere && report.play.cutOff == player)
        await again.stop()
    }

    @Test("a player that was cut off is forgotten once the user blocks it, also after a restart")
    @Engine
    func blockedCutOff() async throws {
        let folder = TemporaryFolder.inMemory()
        let (set, player) = try await Self.ended(in: folder)
        let cutOff = try #require(CutOffPlay(of: player, saved: 1))
        do {
            let ledger = try await Ledger.open(at: folder.path(of: "huddle"))
            try await ledger.saveSets.keep(nil, cutOff: cutOff, of: set)
        }
        let other = try await SaveMachine.open("other", in: folder)
        #expect(try other.engine.report(of: set).play.cutOff == player)
        try await other.node.ledger.setPolicy(.block, for: player)
        other.engine.sharing.looksAgain(at: player)
        while try other.engine.report(of: set).play.cutOff != nil { try await othersTurn() }
        while try await other.node.ledger.saveSets.keptCutOff(of: set) != nil { try await othersTurn() }
        await other.stop()
    }

    @Test("a machine that was cut off while it played is no longer waited for once it reports its version")
    @Engine
    func cutOff() async throws {
        let folder = TemporaryFolder.inMemory()
        let one = try await SaveMachine.open("one")
        let set = try await SaveMachine.live("other", in: folder) { other in
            try await one.befriend(other)
            let set = try await one.add(["slot": "chapter 1"])
            try await one.share(set, with: other)
            return set
        }
        do {
            let ledger = try await Ledger.open(at: folder.path(of: "huddle"))
            try await ledger.saveSets.keep(
                LeaseClaim(one.id, term: 0, isHeld: true),
                cutOff: nil,
                of: set,
                heardAt: .now + -61
            )
        }
        let other = try await SaveMachine.open("other", in: folder)
        #expect(try other.engine.report(of: set).play.cutOff == one.id)
        try await one.befriend(other)
        other.engine.connections.sees(one.id)
        while try other.engine.report(of: set).play.cutOff != nil { try await othersTurn() }
        while try await other.node.ledger.saveSets.keptCutOff(of: set) != nil { try await othersTurn() }
        #expect(try await other.node.ledger.saveSets.keptClaim(of: set) == nil)
        await one.stop()
        await other.stop()
    }

    @Test("a lease that is known from before a restart runs out, though the clock was set back by an hour")
    @Engine
    func restartBackInTime() async throws {
        let folder = TemporaryFolder.inMemory()
        let (set, player) = try await Self.ended(in: folder)
        do {
            let ledger = try await Ledger.open(at: folder.path(of: "huddle"))
            let claim = LeaseClaim(player, term: 0, isHeld: true)
            try await ledger.saveSets.keep(claim, cutOff: nil, of: set, heardAt: .now + 3_600)
        }
        let again = try await SaveMachine.open("other", in: folder) {
            $0.leases = LeasePatience(renewal: .milliseconds(100), expiry: .milliseconds(400))
        }
        try await again.next(in: set) { if case .lease(.ranOut(player)) = $0 { true } else { nil } }
        try await again.engine.play(of: set).begin()
        await again.stop()
    }

    @Test("a machine that has released the lease is forgotten, also after a restart")
    @Engine
    func released() async throws {
        let shared = try await SharedSet.open()
        try await shared.one.engine.play(of: shared.set).begin()
        try await shared.other.next(in: shared.set) { if case .lease(.taken) = $0 { true } else { nil } }
        let ledger = shared.other.node.ledger
        while try await ledger.saveSets.keptClaim(of: shared.set) == nil { try await othersTurn() }
        try await shared.one.engine.play(of: shared.set).end()
        while try await ledger.saveSets.keptClaim(of: shared.set) != nil { try await othersTurn() }
        await shared.stop()
    }
}
