import Ledger
import LinuxPlatform
import SaveRules
import Session
import TestSupport
import Testing
import Vocabulary

@testable import SaveSync

@Suite("A disk that gives no answer from the start on", .timeLimit(.minutes(2)))
struct SilentStartTests {
    /// Two games that another machine has as well. The folder of "celeste" here is on a disk that hangs from the start
    /// on, until the gate opens.
    @Engine
    private struct Begun {
        let one: SaveMachine
        let other: SaveMachine
        let (silent, doom): (SaveSetID, SaveSetID)
        let gate: BlockingGate

        static func begin() async throws -> Begun {
            let (folder, gate) = (TemporaryFolder.inMemory(), BlockingGate())
            let other = try await SaveMachine.open("other")
            let (silent, doom) = try await share(in: folder, with: other)
            return Begun(
                one: try await open(in: folder, until: gate),
                other: other,
                silent: silent,
                doom: doom,
                gate: gate
            )
        }

        static func open(in folder: TemporaryFolder, until gate: BlockingGate) async throws -> SaveMachine {
            try await SaveMachine.open("one", in: folder) {
                $0.bounds.patience.diskSilence = .milliseconds(200)
                $0.refusal = { set, reserved in
                    if set.path.hasSuffix("/own") { return SilentStartTests.own }
                    if set.name.description == "celeste" { gate.pass() }
                    return ReservedPlace.refusal(of: set, by: reserved)
                }
            }
        }

        /// Shares two games with another machine, and ends the program of the first one.
        static func share(
            in folder: TemporaryFolder,
            with other: SaveMachine
        ) async throws -> (celeste: SaveSetID, doom: SaveSetID) {
            let one = try await SaveMachine.open("one", in: folder)
            try await one.befriend(other)
            let (celeste, doom) = (try await one.add(["slot": "a"]), try await one.add(["slot": "b"], "doom"))
            for (set, name) in [(celeste, "celeste"), (doom, "doom")] {
                try await one.share(set, with: other, name)
            }
            await one.stop()
            return (celeste, doom)
        }

        /// Lets the disk answer, and waits until the game has no fault.
        func answer() async throws {
            gate.open()
            while try one.engine.report(of: silent).trouble != nil { try await othersTurn() }
        }

        func end() async {
            gate.open()
            await one.stop()
            await other.stop()
        }
    }

    private static let own = SaveSyncError(
        SaveSyncError.reservedCode,
        "what is Huddle's own lies there",
        nextStep: "none"
    )

    @Test("a silent disk keeps no other game from its peers, and its own is in sync as soon as it answers")
    @Engine
    func keepsNoOther() async throws {
        let begun = try await Begun.begin()
        let (one, other, silent, doom) = (begun.one, begun.other, begun.silent, begun.doom)
        try await one.befriend(other)
        #expect(try one.engine.report(of: silent).trouble?.error.code == SaveSyncError.silentDiskCode)
        #expect(try one.engine.report(of: doom).trouble == nil)
        one.place().put(Array("a2".utf8), at: "slot")
        try await one.save("b2", "doom", in: doom)
        try await other.untilApplied(one.heads(of: doom).first, in: doom)
        #expect(other.place("doom").texts() == ["slot": "b2"] && other.place().texts() == ["slot": "a"])
        begun.gate.open()
        while other.place().texts() != ["slot": "a2"] { try await othersTurn() }
        #expect(try one.engine.report(of: silent).trouble == nil)
        await begun.end()
    }

    @Test("a silent disk is not asked, and its game can be moved to another one, with its members")
    @Engine
    func moved() async throws {
        let begun = try await Begun.begin()
        let (one, silent) = (begun.one, begun.silent)
        await #expect(throws: SaveSyncError.silentDisk(of: try one.engine.report(of: silent).entry)) {
            try await one.engine.editor(of: silent).scan()
        }
        #expect(!one.engine.services.folders.busy.contains(silent))
        let elsewhere = one.place("elsewhere").path
        begun.gate.open()
        try await one.engine.settings.change(silent) { $0.path = elsewhere }
        #expect(one.place("elsewhere").texts() == ["slot": "a"])
        #expect(try one.engine.report(of: silent).sharers == [begun.other.id])
        await begun.end()
    }

    @Test("a silent disk is another error for moving its game to a place that is impossible as well")
    @Engine
    func wantedElsewhere() async throws {
        let begun = try await Begun.begin()
        let (one, silent) = (begun.one, begun.silent)
        let (engine, elsewhere) = (one.engine, one.place("elsewhere").path)
        let entry = try engine.report(of: silent).entry
        await #expect(throws: SaveSyncError.silentDisk(of: entry)) {
            try await engine.settings.change(silent) { $0.settleMilliseconds = 400 }
        }
        await #expect(throws: SaveSyncError.silentDisk(wanted: elsewhere)) {
            try await engine.settings.change(silent) { $0.path = elsewhere }
        }
        await #expect(throws: Self.own) {
            try await engine.settings.change(silent) { $0.path = one.folder.path(of: "own") }
        }
        #expect(try engine.report(of: silent).entry == entry)
        await begun.end()
    }

    @Test("a silent disk prevents neither the end of the program nor leaving its game, which can be joined again")
    @Engine
    func left() async throws {
        let (folder, gate, other) = (TemporaryFolder.inMemory(), BlockingGate(), try await SaveMachine.open("other"))
        let (set, _) = try await Begun.share(in: folder, with: other)
        await other.stop()
        await (try Begun.open(in: folder, until: gate)).stop()
        let one = try await Begun.open(in: folder, until: gate)
        try await one.engine.joining.leave(set)
        gate.open()
        #expect(try await one.engine.joining.offers().map(\.offer.set) == [set])
        try await one.join(set)
        #expect(try one.heads(of: set).count == 1)
        await one.stop()
    }

    @Test("a silent disk's game is reported to no other machine, and its members are known all the same")
    @Engine
    func sharers() async throws {
        let begun = try await Begun.begin()
        let (one, silent) = (begun.one, begun.silent)
        #expect(try one.engine.report(of: silent).sharers == [begun.other.id])
        #expect(try one.engine.games.game(silent).machine.sharers.isEmpty)
        await begun.end()
    }

    @Test("a silent disk's game, once it answers, is not sent to a machine whose right was taken away meanwhile")
    @Engine
    func takenBack() async throws {
        let begun = try await Begun.begin()
        let (one, other, silent, doom) = (begun.one, begun.other, begun.silent, begun.doom)
        try await one.befriend(other)
        one.engine.connections.sees(other.id)
        while try one.engine.report(of: doom).present != [other.id] { try await othersTurn() }
        try await one.engine.sharing.withdraw(silent, from: other.id)
        one.place().put(Array("a2".utf8), at: "slot")
        try await begun.answer()
        #expect(try one.engine.report(of: silent).sharers == [])
        try await one.engine.play(of: silent).untilQuiet()
        try await one.save("b2", "doom", in: doom)
        while other.place("doom").texts() != ["slot": "b2"] { try await othersTurn() }
        #expect(other.place().texts() == ["slot": "a"])
        await begun.end()
    }

    @Test("a silent disk keeps no machine from being forgotten, which has no part in its game once it answers")
    @Engine
    func forgotten() async throws {
        let begun = try await Begun.begin()
        let (one, silent) = (begun.one, begun.silent)
        #expect(try await one.node.ledger.forget(begun.other.id))
        one.engine.sharing.looksAgain(at: begun.other.id)
        while try !one.engine.report(of: silent).sharers.isEmpty { try await othersTurn() }
        try await begun.answer()
        #expect(try one.engine.report(of: silent).sharers == [])
        await begun.end()
    }

    @Test("a silent disk's game can be taken back and then left, and a later join takes that back with it")
    @Engine
    func takenBackAndLeft() async throws {
        let begun = try await Begun.begin()
        let (one, silent) = (begun.one, begun.silent)
        try await one.engine.sharing.withdraw(silent, from: begun.other.id)
        try await one.engine.joining.leave(silent)
        begun.gate.open()
        try await one.join(silent)
        #expect(try one.engine.report(of: silent).sharers == [])
        #expect(try await one.node.ledger.sharing.sharers(of: silent).values == [])
        #expect(try await one.node.ledger.sharing.withdrawals(of: silent).values == [begun.other.id])
        await begun.end()
    }

    @Test("a silent disk is waited for though settings of its game were refused", .timeLimit(.minutes(1)))
    @Engine
    func refused() async throws {
        let begun = try await Begun.begin()
        let (one, silent) = (begun.one, begun.silent)
        let elsewhere = one.place("elsewhere").path
        await #expect(throws: LedgerError.self) {
            try await one.engine.settings.change(silent) {
                $0.path = elsewhere
                $0.name = try SaveSetName("doom")
            }
        }
        #expect(try one.engine.report(of: silent).trouble?.error.code == SaveSyncError.silentDiskCode)
        try await begun.answer()
        await begun.end()
    }
}
