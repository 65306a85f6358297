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

@Suite("A disk that gives no answer", .timeLimit(.minutes(2)))
struct SilentDiskTests {
    /// Two games: "celeste" is on a disk that can be made to hang until the gate opens, and "doom" is on another.
    @Engine
    private struct TwoDisks {
        let machine: SaveMachine
        let (silent, other): (SaveSetID, SaveSetID)
        let gate = BlockingGate()
        var engine: SaveSyncEngine { machine.engine }

        static func open(_ change: (inout SaveConfiguration) -> Void = { _ in }) async throws -> TwoDisks {
            let machine = try await SaveMachine.open("one") {
                $0.bounds.patience.diskSilence = .milliseconds(200)
                change(&$0)
            }
            return TwoDisks(
                machine: machine,
                silent: try await machine.add(["slot": "a"]),
                other: try await machine.add(["slot": "b"], "doom")
            )
        }

        /// Lets each reading of the folder of "celeste" hang.
        func holdReading() { machine.place().beforeReading.withLock { [gate] in $0 = { gate.pass() } } }

        /// Waits until the engine notices that the disk gives no answer.
        func untilSilent() async throws {
            while try engine.report(of: silent).trouble?.error.code != SaveSyncError.silentDiskCode {
                try await othersTurn()
            }
        }
    }

    @Test(
        "a silent disk is reported until it answers, and no other game waits for it; its stored versions can be listed meanwhile"
    )
    @Engine
    func reported() async throws {
        let disks = try await TwoDisks.open()
        let (machine, engine, silent, other) = (disks.machine, disks.engine, disks.silent, disks.other)
        disks.holdReading()
        let reading = Task { @Engine in try await engine.editor(of: silent).scan() }
        while !engine.services.folders.busy.contains(silent) { try await othersTurn() }
        // The scan waits behind the first one, until the engine notices that the first one hangs.
        try await engine.editor(of: other).scan()
        try await disks.untilSilent()
        try await machine.save("b2", "doom", in: other)
        #expect(try engine.report(of: other).trouble == nil)
        let version = try #require(try machine.heads(of: silent).first)
        #expect(try await engine.versions(of: silent).summaries(of: version).isEmpty)
        machine.place().beforeReading.withLock { $0 = nil }
        disks.gate.open()
        try await reading.value
        #expect(try engine.report(of: silent).trouble == nil)
        for (set, name) in [(silent, "celeste"), (other, "doom")] { try await machine.save("c", name, in: set) }
        await machine.stop()
    }

    @Test("a silent disk is reported, whatever work waits for it, and delays no other game", arguments: [false, true])
    @Engine
    func waitingTask(isPlayed: Bool) async throws {
        let disks = try await TwoDisks.open()
        let (machine, engine, silent, other) = (disks.machine, disks.engine, disks.silent, disks.other)
        let (gate, reached) = (disks.gate, Resumption<Void>())
        machine.place().whenAsked.withLock {
            $0 = {
                reached.resume(with: .success(()))
                gate.pass()
            }
        }
        let waiting = Task { @Engine in
            guard isPlayed else { return try await engine.editor(of: silent).scan() }
            let game = try await engine.play(of: silent).begin()
            try await engine.play(of: silent).end(game: game)
        }
        try await reached.valueUnlessCancelled()
        try await engine.editor(of: other).scan()
        try await disks.untilSilent()
        machine.place().whenAsked.withLock { $0 = nil }
        gate.open()
        try await waiting.value
        for set in [silent, other] { #expect(try engine.report(of: set).trouble == nil) }
        await machine.stop()
    }

    @Test("a silent disk loses no scan of another game that is not stored yet")
    @Engine
    func readBefore() async throws {
        let disks = try await TwoDisks.open()
        let (machine, engine, silent, other) = (disks.machine, disks.engine, disks.silent, disks.other)
        let (held, read) = (Resumption<Void>(), Resumption<Void>())
        machine.places.whenRead.withLock {
            $0 = {
                read.resume(with: .success(()))
                try? await held.value()
            }
        }
        machine.place("doom").put(Array("b2".utf8), at: "slot")
        let reading = Task { @Engine in try await engine.editor(of: other).scan() }
        try await read.valueUnlessCancelled()
        disks.holdReading()
        let waiting = Task { @Engine in try await engine.editor(of: silent).scan() }
        try await disks.untilSilent()
        let before = try machine.heads(of: other)
        held.resume(with: .success(()))
        try await reading.value
        let kept = try #require(try machine.heads(of: other).first)
        #expect(![kept].elementsEqual(before))
        // The version is complete, and can be restored as it was.
        try await machine.save("b3", "doom", in: other)
        try await engine.editor(of: other).restore(kept)
        while machine.place("doom").texts() != ["slot": "b2"] { try await othersTurn() }
        disks.gate.open()
        try await waiting.value
        await machine.stop()
    }

    @Test(
        "a silent disk is an error for a change of its game's settings, and for leaving it, and delays no change of others",
        arguments: [false, true]
    )
    @Engine
    func settings(isKnown: Bool) async throws {
        let disks = try await TwoDisks.open()
        let (machine, engine, silent, other) = (disks.machine, disks.engine, disks.silent, disks.other)
        disks.holdReading()
        let reading = Task { @Engine in try await engine.editor(of: silent).scan() }
        while !engine.services.folders.busy.contains(silent) { try await othersTurn() }
        if isKnown { try await disks.untilSilent() }
        let error = SaveSyncError.silentDisk(under: try engine.report(of: silent).entry)
        await #expect(throws: error) { try await engine.joining.leave(silent) }
        await #expect(throws: error) { try await engine.settings.change(silent) { $0.settleMilliseconds = 400 } }
        try await engine.settings.change(other) { $0.settleMilliseconds = 400 }
        try await engine.joining.leave(other)
        disks.gate.open()
        try await reading.value
        try await engine.joining.leave(silent)
        await machine.stop()
    }

    @Test("a silent disk without a request delays no settings of others, and no other disk is blamed")
    @Engine
    func idle() async throws {
        let gate = BlockingGate()
        let isSilent = Mutex(false)
        let disks = try await TwoDisks.open {
            $0.refusal = { set, reserved in
                if set.name.description == "celeste", isSilent.withLock({ $0 }) { gate.pass() }
                return ReservedPlace.refusal(of: set, by: reserved)
            }
            $0.resolve = { path in
                if path.hasSuffix("/celeste"), isSilent.withLock({ $0 }) { gate.pass() }
                return ResolvedPath(path)
            }
        }
        let (machine, engine, silent, other) = (disks.machine, disks.engine, disks.silent, disks.other)
        isSilent.withLock { $0 = true }
        let error = SaveSyncError.silentDisk(under: try engine.report(of: silent).entry)
        let elsewhere = machine.place("elsewhere").path
        await #expect(throws: error) { try await engine.settings.change(silent) { $0.path = elsewhere } }
        await #expect(throws: error) { try await engine.joining.leave(silent) }
        #expect(try engine.report(of: silent).entry.name.description == "celeste")
        try await engine.settings.change(other) { $0.path = elsewhere }
        _ = try await machine.add(["slot": "c"], "new")
        let within = machine.place().path + "/deeper"
        await #expect(throws: SaveSyncError.nested(try SaveSetName("celeste"))) {
            try await engine.joining.add(SaveSetName("within"), at: within)
        }
        gate.open()
        await machine.stop()
    }

    @Test(
        "a disk that is silent only during a scan is an error for moving its game, and delays no change of others"
    )
    @Engine
    func hangsWhileMoved() async throws {
        let disks = try await TwoDisks.open()
        let (machine, engine, silent, other) = (disks.machine, disks.engine, disks.silent, disks.other)
        disks.holdReading()
        let error = SaveSyncError.silentDisk(under: try engine.report(of: silent).entry)
        let elsewhere = machine.place("elsewhere").path
        await #expect(throws: error) { try await engine.settings.change(silent) { $0.path = elsewhere } }
        try await engine.settings.change(other) { $0.settleMilliseconds = 400 }
        disks.gate.open()
        while try engine.report(of: silent).trouble != nil { try await othersTurn() }
        #expect(try engine.report(of: silent).entry.path == machine.place().path)
        try await engine.settings.change(silent) { $0.path = elsewhere }
        await machine.stop()
    }

    @Test("a silent disk delays no settings of other games after the caller for its own game has given up")
    @Engine
    func cancelled() async throws {
        let disks = try await TwoDisks.open { $0.bounds.patience.diskSilence = .seconds(2) }
        let (machine, engine, silent, other) = (disks.machine, disks.engine, disks.silent, disks.other)
        disks.holdReading()
        let elsewhere = machine.place("elsewhere").path
        let changing = Task { @Engine in try await engine.settings.change(silent) { $0.path = elsewhere } }
        while !engine.services.folders.busy.contains(silent) { try await othersTurn() }
        changing.cancel()
        await #expect(throws: (any Error).self) { _ = try await changing.value }
        try await engine.settings.change(other) { $0.settleMilliseconds = 400 }
        #expect(try engine.report(of: silent).entry.path == machine.place().path)
        disks.gate.open()
        while try engine.report(of: silent).trouble != nil { try await othersTurn() }
        try await engine.settings.change(silent) { $0.path = elsewhere }
        await machine.stop()
    }

    @Test(
        "a silent disk delays no repair of another game, and its own game is repaired once it answers, known or not",
        arguments: [false, true]
    )
    @Engine
    func repaired(isKnown: Bool) async throws {
        let disks = try await TwoDisks.open()
        let (machine, engine, silent, other) = (disks.machine, disks.engine, disks.silent, disks.other)
        for set in [silent, other] { try machine.damageManifest(of: #require(engine.report(of: set).versions.shown)) }
        disks.holdReading()
        let reading = Task { @Engine in try? await engine.editor(of: silent).scan() }
        while !engine.services.folders.busy.contains(silent) { try await othersTurn() }
        if isKnown { try await disks.untilSilent() }
        #expect(try await !engine.upkeep.check(repairing: true).isSound)
        #expect(try engine.games.game(other).machine.downloads.incomplete.isEmpty)
        #expect(try engine.games.game(silent).machine.downloads.incomplete.count == 1)
        disks.gate.open()
        await reading.value
        while engine.upkeep.incompleteCount > 0 { try await othersTurn() }
        #expect(try await engine.upkeep.check().isSound)
        await machine.stop()
    }

    @Test("a silent disk is reported while a game is moved there")
    @Engine
    func moved() async throws {
        let machine = try await SaveMachine.open("one") { $0.bounds.patience.diskSilence = .milliseconds(200) }
        let set = try await machine.add(["slot": "a"])
        let (gate, elsewhere) = (BlockingGate(), machine.place("elsewhere"))
        elsewhere.beforeChange.withLock { $0 = { gate.pass() } }
        let engine = machine.engine
        let moving = Task { @Engine in _ = try await engine.settings.change(set) { $0.path = elsewhere.path } }
        while try engine.report(of: set).trouble?.error.code != SaveSyncError.silentDiskCode { try await othersTurn() }
        #expect(try engine.report(of: set).trouble?.error.message.contains("elsewhere") == true)
        gate.open()
        try await moving.value
        #expect(try engine.report(of: set).trouble == nil)
        await machine.stop()
    }

    @Test("a silent disk of an inbox delays no game", .timeLimit(.minutes(1)))
    @Engine
    func inbox() async throws {
        let gate = BlockingGate()
        let machine = try await SaveMachine.open("one") {
            $0.bounds.patience.diskSilence = .milliseconds(200)
            $0.reserved = [ReservedPlace("/inbox", .inbox, .itself), ReservedPlace("/own", .own, .whole)]
            $0.look = { place in
                if place.path == "/inbox" { gate.pass() }
                return place.resolved
            }
        }
        let set = try await machine.add(["slot": "a"])
        try await machine.save("b", in: set)
        await #expect(throws: SaveSyncError.self) {
            try await machine.engine.joining.add(SaveSetName("in"), at: "/inbox")
        }
        gate.open()
        await machine.stop()
    }

    @Test("a slow disk is no silent one")
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
        let hasReported = Mutex(false)
        let vigil = StallDetector(.seconds(1), { activity.withLock { $0 } }) { isSilent in
            hasReported.withLock { $0 = $0 || isSilent }
        }
        let end = ContinuousClock.now + .milliseconds(2_500)
        while .now < end { await withCheckedContinuation { done in thread.perform { @Sendable in done.resume() } } }
        #expect(!hasReported.withLock { $0 })
        while !hasReported.withLock({ $0 }) { try await othersTurn() }
        vigil.end()
    }
}
