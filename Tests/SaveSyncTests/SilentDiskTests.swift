import Ledger
import LinuxPlatform
import SaveRules
@testable import SaveSync
import Session
import Synchronization
import TestSupport
import Testing
import Vocabulary

@Suite("A disk that gives no answer", .timeLimit(.minutes(2)))
struct SilentDiskTests {
    /// Until the set's disk is known to give no answer.
    @Engine
    private func untilSilent(_ set: SaveSetID, on machine: SaveMachine) async throws {
        while try machine.keeper.report(of: set).trouble?.error.code != SaveSyncError.silentDiskCode {
            try await othersTurn()
        }
    }

    @Test("is told of until it does, and no other set waits for it; what is kept can be looked at meanwhile")
    @Engine
    func told() async throws {
        let machine = try await SaveMachine.open("one") { $0.bounds.diskSilence = .milliseconds(200) }
        let (silent, other) = (try await machine.add(["slot": "a"]), try await machine.add(["slot": "b"], "doom"))
        let gate = BlockingGate()
        machine.place().beforeReading.withLock { $0 = { gate.pass() } }
        let keeper = machine.keeper
        let reading = Task { @Engine in try await keeper.read(silent) }
        while !keeper.desks.busy.contains(silent) { try await othersTurn() }
        // It is behind the first, until that is known to wait for its disk.
        try await keeper.read(other)
        try await untilSilent(silent, on: machine)
        try await machine.save("b2", "doom", in: other)
        #expect(try keeper.report(of: other).trouble == nil)
        let version = try #require(try machine.heads(of: silent).first)
        #expect(try await keeper.summaries(of: version, in: silent).isEmpty)
        machine.place().beforeReading.withLock { $0 = nil }
        gate.open()
        try await reading.value
        #expect(try keeper.report(of: silent).trouble == nil)
        for (set, name) in [(silent, "celeste"), (other, "doom")] { try await machine.save("c", name, in: set) }
        await machine.stop()
    }

    @Test("is told of whatever waits for it, and holds up no other set", arguments: [false, true])
    @Engine
    func whoeverWaits(isPlayed: Bool) async throws {
        let machine = try await SaveMachine.open("one") { $0.bounds.diskSilence = .milliseconds(200) }
        let (silent, other) = (try await machine.add(["slot": "a"]), try await machine.add(["slot": "b"], "doom"))
        let (gate, reached) = (BlockingGate(), Resumption<Void>())
        machine.place().whenAsked.withLock {
            $0 = {
                reached.resume(with: .success(()))
                gate.pass()
            }
        }
        let keeper = machine.keeper
        let waiting = Task { @Engine in
            guard isPlayed else { return try await keeper.read(silent) }
            let game = try await keeper.beginPlaying(silent)
            try await keeper.endPlaying(silent, game: game)
        }
        try await reached.valueUnlessCancelled()
        try await keeper.read(other)
        try await untilSilent(silent, on: machine)
        machine.place().whenAsked.withLock { $0 = nil }
        gate.open()
        try await waiting.value
        for set in [silent, other] { #expect(try keeper.report(of: set).trouble == nil) }
        await machine.stop()
    }

    @Test("takes nothing from what was read of another set and is not kept yet")
    @Engine
    func readBefore() async throws {
        let machine = try await SaveMachine.open("one") { $0.bounds.diskSilence = .milliseconds(200) }
        let (silent, other) = (try await machine.add(["slot": "a"]), try await machine.add(["slot": "b"], "doom"))
        let (gate, held, read) = (BlockingGate(), Resumption<Void>(), Resumption<Void>())
        machine.places.whenRead.withLock {
            $0 = {
                read.resume(with: .success(()))
                try? await held.value()
            }
        }
        let keeper = machine.keeper
        machine.place("doom").put(Array("b2".utf8), at: "slot")
        let reading = Task { @Engine in try await keeper.read(other) }
        try await read.valueUnlessCancelled()
        machine.place().beforeReading.withLock { $0 = { gate.pass() } }
        let waiting = Task { @Engine in try await keeper.read(silent) }
        try await untilSilent(silent, on: machine)
        let before = try machine.heads(of: other)
        held.resume(with: .success(()))
        try await reading.value
        let kept = try #require(try machine.heads(of: other).first)
        #expect(![kept].elementsEqual(before))
        // It is whole, and comes back as it was.
        try await machine.save("b3", "doom", in: other)
        try await keeper.restore(kept, of: other)
        while machine.place("doom").texts() != ["slot": "b2"] { try await othersTurn() }
        gate.open()
        try await waiting.value
        await machine.stop()
    }

    @Test(
        "is told to who wants to change the settings of its set, or to leave it, and keeps nobody from changing others"
    )
    @Engine
    func settings() async throws {
        let machine = try await SaveMachine.open("one") { $0.bounds.diskSilence = .milliseconds(200) }
        let (silent, other) = (try await machine.add(["slot": "a"]), try await machine.add(["slot": "b"], "doom"))
        let gate = BlockingGate()
        machine.place().beforeReading.withLock { $0 = { gate.pass() } }
        let keeper = machine.keeper
        let reading = Task { @Engine in try await keeper.read(silent) }
        try await untilSilent(silent, on: machine)
        let error = SaveSyncError.silentDisk(under: try keeper.report(of: silent).entry)
        await #expect(throws: error) { try await keeper.change(silent) { $0.settleMilliseconds = 400 } }
        await #expect(throws: error) { try await keeper.leave(silent) }
        try await keeper.change(other) { $0.settleMilliseconds = 400 }
        try await keeper.leave(other)
        gate.open()
        try await reading.value
        try await keeper.leave(silent)
        await machine.stop()
    }

    @Test("that nobody has asked for anything yet holds up no settings of others, and blames no other disk")
    @Engine
    func idle() async throws {
        let gate = BlockingGate()
        let isSilent = Mutex(false)
        let machine = try await SaveMachine.open("one") {
            $0.bounds.diskSilence = .milliseconds(200)
            $0.refusal = { set, reserved in
                if set.name.description == "celeste", isSilent.withLock({ $0 }) { gate.pass() }
                return ReservedPlace.refusal(of: set, by: reserved)
            }
            $0.resolve = { path in
                if path.hasSuffix("/celeste"), isSilent.withLock({ $0 }) { gate.pass() }
                return ResolvedPath(path)
            }
        }
        let (silent, other) = (try await machine.add(["slot": "a"]), try await machine.add(["slot": "b"], "doom"))
        isSilent.withLock { $0 = true }
        let keeper = machine.keeper
        let error = SaveSyncError.silentDisk(under: try keeper.report(of: silent).entry)
        let elsewhere = machine.place("elsewhere").path
        await #expect(throws: error) { try await keeper.change(silent) { $0.path = elsewhere } }
        await #expect(throws: error) { try await keeper.leave(silent) }
        #expect(try keeper.report(of: silent).entry.name.description == "celeste")
        try await keeper.change(other) { $0.path = elsewhere }
        _ = try await machine.add(["slot": "c"], "new")
        let within = machine.place().path + "/deeper"
        await #expect(throws: SaveSyncError.nested(try SaveSetName("celeste"))) {
            try await keeper.add(SaveSetName("within"), at: within)
        }
        gate.open()
        await machine.stop()
    }

    @Test("is told of while a set is moved there")
    @Engine
    func moved() async throws {
        let machine = try await SaveMachine.open("one") { $0.bounds.diskSilence = .milliseconds(200) }
        let set = try await machine.add(["slot": "a"])
        let (gate, elsewhere) = (BlockingGate(), machine.place("elsewhere"))
        elsewhere.beforeChange.withLock { $0 = { gate.pass() } }
        let keeper = machine.keeper
        let moving = Task { @Engine in _ = try await keeper.change(set) { $0.path = elsewhere.path } }
        while try keeper.report(of: set).trouble?.error.code != SaveSyncError.silentDiskCode { try await othersTurn() }
        #expect(try keeper.report(of: set).trouble?.error.message.contains("elsewhere") == true)
        gate.open()
        try await moving.value
        #expect(try keeper.report(of: set).trouble == nil)
        await machine.stop()
    }

    /// One of two sets lies on a disk that gives no answer from the start on, until the gate is open.
    @Engine
    private func start(in folder: TemporaryFolder, until gate: BlockingGate) async throws -> SaveMachine {
        try await SaveMachine.open("one", in: folder) {
            $0.bounds.diskSilence = .milliseconds(200)
            $0.refusal = { set, reserved in
                if set.path.hasSuffix("/own") { return Self.own }
                if set.name.description == "celeste" { gate.pass() }
                return ReservedPlace.refusal(of: set, by: reserved)
            }
        }
    }

    private static let own = SaveSyncError(
        SaveSyncError.reservedCode,
        "what is Huddle's own lies there",
        nextStep: "none"
    )

    /// Two sets that another machine has as well.
    @Engine
    private func share(
        in folder: TemporaryFolder,
        with other: SaveMachine
    ) async throws -> (celeste: SaveSetID, doom: SaveSetID) {
        let one = try await SaveMachine.open("one", in: folder)
        try await one.befriend(other)
        let (celeste, doom) = (try await one.add(["slot": "a"]), try await one.add(["slot": "b"], "doom"))
        for (set, name) in [(celeste, "celeste"), (doom, "doom")] {
            try await one.offer(set, to: other)
            try await other.join(set, name)
            try await other.untilApplied(in: set)
        }
        await one.stop()
        return (celeste, doom)
    }

    @Test("from the start on keeps no other set from its peers, and its own is in step as soon as it answers")
    @Engine
    func fromTheStart() async throws {
        let (folder, gate) = (TemporaryFolder.inMemory(), BlockingGate())
        let other = try await SaveMachine.open("other")
        let (silent, doom) = try await share(in: folder, with: other)
        let one = try await start(in: folder, until: gate)
        try await one.befriend(other)
        #expect(try one.keeper.report(of: silent).trouble?.error.code == SaveSyncError.silentDiskCode)
        #expect(try one.keeper.report(of: doom).trouble == nil)
        one.place().put(Array("a2".utf8), at: "slot")
        try await one.save("b2", "doom", in: doom)
        try await other.untilApplied(one.heads(of: doom).first, in: doom)
        #expect(other.place("doom").texts() == ["slot": "b2"] && other.place().texts() == ["slot": "a"])
        gate.open()
        while other.place().texts() != ["slot": "a2"] { try await othersTurn() }
        #expect(try one.keeper.report(of: silent).trouble == nil)
        await one.stop()
        await other.stop()
    }

    @Test("from the start on is asked nothing, and its set can be put on another one, with who has part in it")
    @Engine
    func movedFromTheStart() async throws {
        let (folder, gate) = (TemporaryFolder.inMemory(), BlockingGate())
        let other = try await SaveMachine.open("other")
        let (silent, _) = try await share(in: folder, with: other)
        let one = try await start(in: folder, until: gate)
        await #expect(throws: SaveSyncError.silentDisk(of: try one.keeper.report(of: silent).entry)) {
            try await one.keeper.read(silent)
        }
        #expect(!one.keeper.desks.busy.contains(silent))
        let elsewhere = one.place("elsewhere").path
        gate.open()
        try await one.keeper.change(silent) { $0.path = elsewhere }
        #expect(one.place("elsewhere").texts() == ["slot": "a"])
        #expect(try one.keeper.report(of: silent).sharers == [other.id])
        await one.stop()
        await other.stop()
    }

    @Test("from the start on is told otherwise to who wants its set to lie elsewhere, and can't have that either")
    @Engine
    func wantedElsewhere() async throws {
        let (folder, gate) = (TemporaryFolder.inMemory(), BlockingGate())
        let other = try await SaveMachine.open("other")
        let (silent, _) = try await share(in: folder, with: other)
        let one = try await start(in: folder, until: gate)
        let (keeper, elsewhere) = (one.keeper, one.place("elsewhere").path)
        let entry = try keeper.report(of: silent).entry
        await #expect(throws: SaveSyncError.silentDisk(of: entry)) {
            try await keeper.change(silent) { $0.settleMilliseconds = 400 }
        }
        await #expect(throws: SaveSyncError.silentDisk(wanted: elsewhere)) {
            try await keeper.change(silent) { $0.path = elsewhere }
        }
        await #expect(throws: Self.own) { try await keeper.change(silent) { $0.path = one.folder.path(of: "own") } }
        #expect(try keeper.report(of: silent).entry == entry)
        gate.open()
        await one.stop()
        await other.stop()
    }

    @Test("of an inbox holds up no set", .timeLimit(.minutes(1)))
    @Engine
    func inbox() async throws {
        let gate = BlockingGate()
        let machine = try await SaveMachine.open("one") {
            $0.bounds.diskSilence = .milliseconds(200)
            $0.reserved = [ReservedPlace("/inbox", .inbox, wholly: false), ReservedPlace("/own", .own, wholly: true)]
            $0.look = { place in
                if place.path == "/inbox" { gate.pass() }
                return place.resolved
            }
        }
        let set = try await machine.add(["slot": "a"])
        try await machine.save("b", in: set)
        await #expect(throws: SaveSyncError.self) {
            try await machine.keeper.add(SaveSetName("in"), at: "/inbox")
        }
        gate.open()
        await machine.stop()
    }

    @Test("from the start on keeps nobody from ending, nor from leaving its set, which can be joined again")
    @Engine
    func leftFromTheStart() async throws {
        let (folder, gate) = (TemporaryFolder.inMemory(), BlockingGate())
        let other = try await SaveMachine.open("other")
        let (set, _) = try await share(in: folder, with: other)
        await other.stop()
        await (try start(in: folder, until: gate)).stop()
        let one = try await start(in: folder, until: gate)
        try await one.keeper.leave(set)
        gate.open()
        #expect(try await one.keeper.offers().map(\.offer.set) == [set])
        try await one.join(set)
        #expect(try one.heads(of: set).count == 1)
        await one.stop()
    }

    @Test("from the start on tells nobody else of its set, of which it is known who may have it all the same")
    @Engine
    func sharersFromTheStart() async throws {
        let (folder, gate) = (TemporaryFolder.inMemory(), BlockingGate())
        let other = try await SaveMachine.open("other")
        let (silent, _) = try await share(in: folder, with: other)
        let one = try await start(in: folder, until: gate)
        #expect(try one.keeper.report(of: silent).sharers == [other.id])
        #expect(try one.keeper.set(silent).sharers.isEmpty)
        gate.open()
        await one.stop()
        await other.stop()
    }

    @Test("from the start on gives nothing of its set, once it answers, to who had it taken back meanwhile")
    @Engine
    func takenBackFromTheStart() async throws {
        let (folder, gate) = (TemporaryFolder.inMemory(), BlockingGate())
        let other = try await SaveMachine.open("other")
        let (silent, doom) = try await share(in: folder, with: other)
        let one = try await start(in: folder, until: gate)
        try await one.befriend(other)
        one.keeper.sees(other.id)
        while try one.keeper.report(of: doom).present != [other.id] { try await othersTurn() }
        try await one.keeper.withdraw(silent, from: other.id)
        one.place().put(Array("a2".utf8), at: "slot")
        gate.open()
        while try one.keeper.report(of: silent).trouble != nil { try await othersTurn() }
        #expect(try one.keeper.report(of: silent).sharers == [])
        try await one.keeper.untilQuiet(silent)
        try await one.save("b2", "doom", in: doom)
        while other.place("doom").texts() != ["slot": "b2"] { try await othersTurn() }
        #expect(other.place().texts() == ["slot": "a"])
        await one.stop()
        await other.stop()
    }

    @Test("from the start on keeps nobody from being forgotten, who has no part in its set once it answers")
    @Engine
    func forgottenFromTheStart() async throws {
        let (folder, gate) = (TemporaryFolder.inMemory(), BlockingGate())
        let other = try await SaveMachine.open("other")
        let (silent, _) = try await share(in: folder, with: other)
        let one = try await start(in: folder, until: gate)
        #expect(try await one.node.ledger.forget(other.id))
        one.keeper.looksAgain(at: other.id)
        while try !one.keeper.report(of: silent).sharers.isEmpty { try await othersTurn() }
        gate.open()
        while try one.keeper.report(of: silent).trouble != nil { try await othersTurn() }
        #expect(try one.keeper.report(of: silent).sharers == [])
        await one.stop()
        await other.stop()
    }

    @Test("from the start on lets its set be taken back and then left, and who joins it again takes that back with it")
    @Engine
    func takenBackAndLeft() async throws {
        let (folder, gate) = (TemporaryFolder.inMemory(), BlockingGate())
        let other = try await SaveMachine.open("other")
        let (silent, _) = try await share(in: folder, with: other)
        let one = try await start(in: folder, until: gate)
        try await one.keeper.withdraw(silent, from: other.id)
        try await one.keeper.leave(silent)
        gate.open()
        try await one.join(silent)
        #expect(try one.keeper.report(of: silent).sharers == [])
        #expect(try await one.node.ledger.sharers(of: silent).values == [])
        #expect(try await one.node.ledger.withdrawals(of: silent).values == [other.id])
        await one.stop()
        await other.stop()
    }

    @Test("from the start on is waited for though settings of its set were refused", .timeLimit(.minutes(1)))
    @Engine
    func refusedFromTheStart() async throws {
        let (folder, gate) = (TemporaryFolder.inMemory(), BlockingGate())
        let other = try await SaveMachine.open("other")
        let (silent, _) = try await share(in: folder, with: other)
        let one = try await start(in: folder, until: gate)
        let elsewhere = one.place("elsewhere").path
        await #expect(throws: LedgerError.self) {
            try await one.keeper.change(silent) {
                $0.path = elsewhere
                $0.name = try SaveSetName("doom")
            }
        }
        #expect(try one.keeper.report(of: silent).trouble?.error.code == SaveSyncError.silentDiskCode)
        gate.open()
        while try one.keeper.report(of: silent).trouble != nil { try await othersTurn() }
        await one.stop()
        await other.stop()
    }

    @Test("is none that is only slow")
    @Engine
    func slow() async throws {
        let activity = Mutex<ThreadActivity?>(nil)
        let thread = EventLoop(named: "busy")
        await withCheckedContinuation { ready in
            thread.perform { @Sendable in
                activity.withLock { $0 = .current }
                ready.resume()
            }
        }
        let hasTold = Mutex(false)
        let vigil = DiskVigil(.seconds(1), { activity.withLock { $0 } }) { isSilent in
            hasTold.withLock { $0 = $0 || isSilent }
        }
        let end = ContinuousClock.now + .milliseconds(2_500)
        while .now < end { await withCheckedContinuation { done in thread.perform { @Sendable in done.resume() } } }
        #expect(!hasTold.withLock { $0 })
        while !hasTold.withLock({ $0 }) { try await othersTurn() }
        vigil.end()
    }
}
