import SaveRules
import TestSupport
import Testing
import Vocabulary

@Suite("One game on one machine", .timeLimit(.minutes(5)))
struct SaveSetMachineTests {
    private let desk = Sample.peer(4)

    private func machine(_ heads: VersionState, problems: SetProblems = SetProblems()) -> SaveSetMachine {
        let known = SaveSetRecord(heads, peers: SharePeers(allowed: [desk]), problems: problems)
        return SaveSetMachine(Sample.celeste, known, play: PlayTracker(Sample.peer(5), after: 0))
    }

    private struct Failure: ExplainedError {
        let code: ErrorCode
        var message: String { "\(code)" }
        var nextStep: String { "" }
    }

    @Test("a version that could not be stored does not count, and its stored parts are dropped")
    func notStored() {
        var play = HeadsPlay(5)
        let first = play.captures("chapter 1")
        var machine = machine(play.heads)
        let second = play.captures("chapter 2")
        #expect(machine.handle(.versions(.notStored(play.heads, made: [second.id])), at: .at(0)).isEmpty)
        #expect(machine.heads.heads == [first.id] && machine.versionsToDrop() == [second.id])
        _ = machine.handle(.versions(.stored(play.heads, [])), at: .at(0))
        #expect(machine.heads.heads == [second.id] && machine.versionsToDrop().isEmpty)
    }

    @Test("no game may begin while the folder or the settings change")
    func held() {
        var machine = machine(HeadsPlay(5).heads)
        for (begin, end) in [
            (SaveSetEvent.folder(.changes(true)), SaveSetEvent.folder(.changes(false))),
            (.life(.changes), .life(.changed)),
        ] {
            #expect(!machine.isFolderHeld)
            _ = machine.handle(begin, at: .at(0))
            #expect(machine.isFolderHeld)
            _ = machine.handle(end, at: .at(0))
        }
        #expect(!machine.isFolderHeld)
    }

    @Test("nothing is retried once the daemon ends, and a game that outlives it keeps the play lock")
    func ending() {
        var machine = machine(HeadsPlay(5).heads)
        _ = machine.handle(.folder(.scanFailed()), at: .at(0))
        #expect(machine.deadline == .at(0.5))
        let game = machine.beginGame(at: .at(0)).game
        _ = machine.handle(.play(.takes), at: .at(0))
        _ = machine.handle(.deadline, at: .at(1))
        #expect(machine.play.lease.state == .held)
        _ = machine.handle(.life(.ends), at: .at(2))
        #expect(machine.deadline == nil && !machine.isAlive && machine.isShared)
        #expect(machine.handle(.play(.ended([game])), at: .at(2)).isEmpty)
        #expect(machine.play.lease.state == .held)
    }

    @Test("a game that this machine leaves stays left, although the daemon ends")
    func left() {
        var machine = machine(HeadsPlay(5).heads)
        for event in [SaveSetEvent.Life.leaves, .ends] { _ = machine.handle(.life(event), at: .at(0)) }
        #expect(machine.life == .leaving && !machine.isShared)
        for event in [SaveSetEvent.Life.left, .ends, .changed] { _ = machine.handle(.life(event), at: .at(0)) }
        #expect(machine.life == .left && machine.nextStep() == nil)
    }

    @Test("a folder that no game can have is shared with no machine, and the exchange ends")
    func misplaced() {
        var machine = machine(HeadsPlay(5).heads)
        _ = machine.handle(.peer(desk, .connected(firstEpoch: 7, isNew: true)), at: .at(0))
        #expect(machine.sharers == [desk])
        let reserved = Failure(code: ErrorCode(.folderReserved, "test.reserved"))
        let effects = machine.handle(.life(.folderChanged(misplaced: reserved)), at: .at(0))
        #expect(effects.contains { if case .forgetWants(desk) = $0 { true } else { false } })
        #expect(machine.sharers.isEmpty && machine.peers.online.isEmpty && machine.isPrivate)
        _ = machine.handle(.life(.folderChanged(misplaced: nil)), at: .at(0))
        #expect(machine.sharers == [desk] && !machine.isPrivate)
    }

    @Test("the user hears of a program that writes for too long, unless a game runs")
    func unsettled() {
        var machine = machine(HeadsPlay(5).heads)
        let busy = Failure(code: "test.unsettled")
        #expect(machine.handle(.watch(.unsettled(busy)), at: .at(0)).count == 1)
        #expect(machine.problem(folderAway: busy)?.error.code == busy.code)
        _ = machine.handle(.watch(.occupied(by: "celeste (7)")), at: .at(0))
        #expect(machine.problem(folderAway: busy) == nil)
        _ = machine.handle(.play(.programFound(since: .at(0))), at: .at(1))
        #expect(machine.handle(.watch(.unsettled(busy)), at: .at(1)).isEmpty)
    }

    @Test("a refused history ends the exchange with its machine, and nothing is expected of it")
    func refused() {
        var play = HeadsPlay(5)
        play.captures("chapter 1")
        var machine = machine(play.heads)
        _ = machine.handle(.peer(desk, .connected(firstEpoch: 7, isNew: true)), at: .at(0))
        _ = machine.handle(.peer(desk, .offers(play.heads.heads)), at: .at(0))
        let effects = machine.handle(.peer(desk, .caught(SaveRefusal(.unasked))), at: .at(0))
        guard case .refuse(let refusal, desk)? = effects.first else { return #expect(Bool(false)) }
        #expect(refusal.code == SaveRefusal(.unasked).code)
        #expect(machine.peers.online[desk]?.offers == [] && machine.peers.online[desk]?.isRefused == true)
        #expect(machine.handle(.peer(desk, .caught(refusal)), at: .at(0)).isEmpty)
    }
}
