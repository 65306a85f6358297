import SaveRules
import TestSupport
import Testing
import Vocabulary

@Suite("The tracker of who plays", .timeLimit(.minutes(5)))
struct PlayTrackerTests {
    private let own = Sample.peer(5)
    private let other = Sample.peer(4)

    private func tracker() -> PlayTracker { PlayTracker(own, after: 0) }

    private func plays(_ seconds: Double) -> LeaseClaim {
        LeaseClaim(other, term: 0, isHeld: true, played: .seconds(seconds))
    }

    @Test("the last of several games releases the play lock")
    func games() {
        var play = tracker()
        _ = play.force(at: .at(0))
        let (first, second) = (play.begin(newest: [], at: .at(1)).game, play.begin(newest: [], at: .at(2)).game)
        #expect(first != second && play.games.since == .at(1) && !play.mayApply)
        #expect(play.end([first], at: .at(3)) == [] && play.games.isRunning)
        #expect(play.end([second], at: .at(4)).contains(.sendRelease) && play.mayApply)
    }

    @Test("a game that may outlive the daemon keeps the play lock")
    func closing() {
        var play = tracker()
        _ = play.force(at: .at(0))
        let game = play.begin(newest: [], at: .at(1)).game
        #expect(play.end([game], isClosing: true, at: .at(2)) == [] && play.lease.state == .held)
    }

    @Test("a call that waits for the play lock keeps its request when a file is closed or a program ends")
    func waiting() {
        var play = tracker()
        _ = play.opened(by: "celeste (7)", at: .at(0))
        _ = play.heard(plays(0), named: "Deck", at: .at(1))
        _ = play.deadlinePassed(at: .at(10))
        play.beginWaiting()
        #expect(play.request(at: .at(11)) == [.sendRequest(other)])
        play.filesClosed()
        #expect(play.savedWasRead(at: .at(12)) == [] && play.programEnded(at: .at(12)) == [])
        #expect(play.lease.state == .asking && play.mayApply)
        #expect(play.heardRelease(other, at: .at(13)).contains(.report(.released)))
        #expect(play.deadlinePassed(at: .at(14)).contains(.grant))
    }

    @Test("a program that keeps a file open for longer than saving takes counts as a game until its save was read")
    func writer() {
        var play = tracker()
        #expect(play.opened(by: "celeste (7)", at: .at(0)) == [] && play.deadline == .at(10) && play.mayApply)
        _ = play.deadlinePassed(at: .at(10))
        #expect(play.games.isRunning && play.games.since == .at(0) && play.lease.state == .claiming)
        play.filesClosed()
        #expect(play.games.isRunning)
        #expect(play.savedWasRead(at: .at(12)).contains(.sendRelease) && !play.games.isRunning)
    }

    @Test("a file that is closed soon counts as no game")
    func save() {
        var play = tracker()
        _ = play.opened(by: "celeste (7)", at: .at(0))
        play.filesClosed()
        #expect(play.games.writer == nil && play.deadline == nil)
    }

    @Test("users hear once of a machine that plays, by its name while it is offline")
    func holder() {
        var play = tracker()
        #expect(play.heard(plays(0), named: "Deck", at: .at(0)).contains(.report(.taken(other))))
        #expect(!play.heard(plays(15), named: nil, at: .at(15)).contains(.report(.taken(other))))
        #expect(play.holder.announced == other && play.holder.name == "Deck")
        #expect(play.heardRelease(other, at: .at(16)).contains(.report(.released)) && play.holder.announced == nil)
    }

    @Test("the holder is written down once a second at most, one write at a time")
    func saved() {
        var play = tracker()
        #expect(play.heard(plays(0), named: nil, at: .at(0)).contains(.saveHolder))
        #expect(!play.heard(plays(5), named: nil, at: .at(5)).contains(.saveHolder))
        #expect(play.holderToSave()?.held?.heard == .at(5) && play.holderToSave() == nil)
        #expect(!play.heard(plays(5.5), named: nil, at: .at(5.5)).contains(.saveHolder))
        #expect(play.heardRelease(other, at: .at(6)).contains(.saveHolder))
        #expect(play.holderToSave() == .some(.init()) && play.holderToSave() == nil)
    }

    @Test("a version waits while a game from before a restart is not found, or not yet searched in vain")
    func comeback() {
        var play = tracker()
        let claim = LeaseClaim(own, term: 0, isHeld: true, played: .seconds(100))
        _ = play.recall(claim, after: .seconds(20), at: .at(0))
        #expect(play.lease.state == .held && !play.mayApply && !play.games.isRunning)
        #expect(play.deadlinePassed(at: .at(10)).contains(.lookForComeback) && !play.mayApply)
        #expect(play.comebackChecked(at: .at(11)).contains(.sendRelease) && play.mayApply)
    }
}
