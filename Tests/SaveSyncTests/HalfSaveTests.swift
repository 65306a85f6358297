import Glibc
import Ledger
import LinuxPlatform
import SaveRules
import Session
import Synchronization
import TestSupport
import Testing
import Vocabulary

@testable import SaveSync

@Suite("Half of a save", .timeLimit(.minutes(2)))
struct HalfSaveTests {
    /// Half of a save is in the folder, and the writing program has the file open.
    private static func beginSaving(in place: PlainPlace) {
        place.user.withLock { $0 = "celeste (7)" }
        place.put(Array("half of chap".utf8), at: "slot")
    }

    /// A machine with a game of one version, and no pending work.
    @Engine
    private static func settled() async throws -> (SaveMachine, SaveSetID) {
        let (machine, readings) = (try await SaveMachine.open("one"), Probe(0))
        machine.place().beforeReading.withLock { $0 = { readings.count() } }
        let set = try await machine.add(["slot": "chapter 1"])
        // The watch causes the second reading.
        try await readings.wait { $0 == 2 }
        machine.place().beforeReading.withLock { $0 = nil }
        try await machine.engine.play(of: set).untilQuiet()
        return (machine, set)
    }

    @Test("half a save is no version if the writing begins after the search for writers")
    @Engine
    func begunMeanwhile() async throws {
        let (machine, set) = try await Self.settled()
        let place = machine.place()
        place.beforeReading.withLock { $0 = { Self.beginSaving(in: place) } }
        await #expect(throws: SaveSyncError.beingWritten(by: "celeste (7)")) {
            try await machine.engine.editor(of: set).scan()
        }
        #expect(try machine.engine.report(of: set).versions.count == 1)
        #expect(try machine.engine.report(of: set).trouble == nil)
        await machine.stop()
    }

    @Test("half a save is no version if damage is searched in the folder, which is read once that is written")
    @Engine
    func whileRepairing() async throws {
        let (machine, set) = try await Self.settled()
        Self.beginSaving(in: machine.place())
        try await machine.engine.games.game(set).repair.noteIncomplete(machine.heads(of: set))
        try await machine.engine.games.game(set).repair.keepAgain(machine.heads(of: set))
        while machine.places.looks.withLock({ $0 }) == 0 { try await othersTurn() }
        #expect(try machine.engine.report(of: set).versions.count == 1)
        machine.place().user.withLock { $0 = nil }
        try await machine.save("chapter 2", in: set)
        #expect(try machine.engine.report(of: set).versions.count == 2)
        await machine.stop()
    }

    @Test("half a save is no version if another scan is requested during one")
    @Engine
    func wantedMeanwhile() async throws {
        let (machine, set) = try await Self.settled()
        let place = machine.place()
        let readings = Mutex(0)
        let (gate, reached) = (BlockingGate(), Resumption<Void>())
        place.beforeReading.withLock {
            $0 = {
                readings.withLock { $0 += 1 }
                reached.resume(with: .success(()))
                gate.pass()
            }
        }
        machine.places.settle(set)
        try await reached.valueUnlessCancelled()
        // As a retry does, or an arrived version.
        try machine.engine.games.game(set).handle(.folder(.scanWanted()))
        place.user.withLock { $0 = "celeste (7)" }
        gate.open()
        while machine.places.looks.withLock({ $0 }) == 0 { try await othersTurn() }
        #expect(readings.withLock { $0 } == 1)
        #expect(try machine.engine.report(of: set).versions.count == 1)
        await machine.stop()
    }

    @Test("half a save is no version if the user has the folder scanned after its quiet period and before its scan")
    @Engine
    func settledBefore() async throws {
        let (machine, set) = try await Self.settled()
        let (kept, hold, held) = (try machine.engine.games.game(set), Resumption<Void>(), Resumption<Void>())
        let place = machine.place()
        let scanning = Task { @Engine in
            try await kept.work.alone {
                held.resume(with: .success(()))
                try await hold.value()
                try await kept.steps.readSaved()
                Self.beginSaving(in: place)
            }
        }
        try await held.value()
        machine.places.settle(set)
        while kept.machine.folder.scan == .none { try await othersTurn() }
        hold.resume(with: .success(()))
        try await scanning.value
        while machine.places.looks.withLock({ $0 }) == 0 { try await othersTurn() }
        #expect(try machine.engine.report(of: set).versions.count == 1)
        await machine.stop()
    }

    @Test(
        "the rest of a save is waited for, even if the watch had reported a quiet folder, and nothing is missed after it"
    )
    @Engine
    func watched() async throws {
        let machine = try await SaveMachine.open("one", watchesForReal: true)
        let path = machine.folder.path(of: "game")
        mkdir(path, 0o755)
        try machine.folder.put("chapter 1", at: "game/slot")
        let set = try await machine.engine.joining.add(SaveSetName("game"), at: path) { $0.settleMilliseconds = 50 }
        // Waits for the end of the first reading that the watch causes.
        try machine.folder.put("chapter 2", at: "game/slot")
        while try machine.engine.report(of: set).versions.count < 2 { try await othersTurn() }
        let (kept, hold, held) = (try machine.engine.games.game(set), Resumption<Void>(), Resumption<Void>())
        let holding = Task { @Engine in
            await kept.work.alone {
                held.resume(with: .success(()))
                try? await hold.value()
            }
        }
        try await held.value()
        try machine.folder.put("chapter 3", at: "game/slot")
        while kept.machine.folder.scan == .none { try await othersTurn() }
        // As a retry does, or an apply that failed because the folder had changed.
        kept.handle(.folder(.scanWanted()))
        let file = open("\(path)/slot", O_WRONLY | O_APPEND | O_CLOEXEC)
        hold.resume(with: .success(()))
        await holding.value
        while kept.machine.play.games.writer == nil { try await othersTurn() }
        #expect(write(file, "!", 1) == 1)
        close(file)
        while try machine.engine.report(of: set).versions.count < 3 { try await othersTurn() }
        try machine.folder.put("chapter 4", at: "game/slot")
        while try machine.engine.report(of: set).versions.count < 4 { try await othersTurn() }
        await machine.stop()
    }

    @Test("half a save keeps the lease of a named program that has ended, until it is complete")
    @Engine
    func ofNamedProgram() async throws {
        let machine = try await SaveMachine.open("one")
        let name = "huddle-game-\(getpid())"
        let path = machine.folder.path(of: name)
        try retrying("symlink") { symlink("/bin/cat", path) }
        var launch = ProgramLaunch(path, ["-"])
        (launch.standardInput, launch.standardOutput) = (.pipe, .null)
        let set = try await machine.add(["slot": "chapter 1"])
        try await machine.engine.settings.change(set) { $0.program = name }
        let game = try ChildProcess.launch(launch)
        let kept = try machine.engine.games.game(set)
        while kept.program.running.isEmpty { await kept.program.look() }
        while try !machine.engine.report(of: set).play.isHere { try await othersTurn() }
        try await machine.engine.play(of: set).untilQuiet()
        let place = machine.place()
        let questions = Mutex(0)
        Self.beginSaving(in: place)
        place.whenAsked.withLock { $0 = { questions.withLock { $0 += 1 } } }
        await game.standardInput?.close()
        _ = try await game.wait()
        while questions.withLock({ $0 }) < 2 { try await othersTurn() }
        #expect(try machine.engine.report(of: set).play.isHere)
        #expect(try machine.engine.report(of: set).versions.count == 1)
        place.put(Array("chapter 2".utf8), at: "slot")
        place.user.withLock { $0 = nil }
        while try machine.engine.report(of: set).play.isHere { try await othersTurn() }
        #expect(try machine.engine.report(of: set).versions.count == 2)
        await machine.stop()
    }

    @Test("half a save delays the choice of a conflict until it is complete, and is a side of it then")
    @Engine
    func whileChoosing() async throws {
        let shared = try await SharedSet.open(["slot": "desk's"], there: ["slot": "deck's"])
        for machine in [shared.one, shared.other] { try await machine.untilConflict(in: shared.set) }
        Self.beginSaving(in: shared.one.place())
        await #expect(throws: SaveSyncError.beingWritten(by: "celeste (7)")) {
            try await shared.one.engine.editor(of: shared.set).resolve(.theirs)
        }
        #expect(try shared.one.state(of: shared.set) == .split)
        shared.one.place().put(Array("chapter 3".utf8), at: "slot")
        shared.one.place().user.withLock { $0 = nil }
        try await shared.one.engine.editor(of: shared.set).resolve(.mine)
        while shared.other.place().texts() != ["slot": "chapter 3"] { try await othersTurn() }
        await shared.stop()
    }
}
