import SaveRules
import Testing
import Vocabulary

@Suite("The pauses of a machine", .timeLimit(.minutes(5)))
struct SyncPausesTests {
    private let celeste = Sample.celeste
    private let other = SaveSetID(high: 7, low: 8)

    @Test("a pause of all games counts for each game, and of two pauses the later end counts")
    func both() {
        var pauses = SyncPauses()
        #expect(pauses[celeste] == nil && pauses.isEmpty)
        pauses.pause(celeste, until: 200)
        #expect(pauses[celeste] == SyncPause(end: 200, isOfAll: false) && pauses[other] == nil)
        pauses.pause(nil, until: 100)
        #expect(pauses[celeste] == SyncPause(end: 200, isOfAll: false))
        #expect(pauses[other] == SyncPause(end: 100, isOfAll: true) && pauses.areOfAll)
        pauses.pause(nil, until: nil)
        #expect(pauses[celeste] == SyncPause(end: nil, isOfAll: true))
        pauses.resume(nil)
        #expect(pauses.isEmpty)
    }

    @Test("a pause ends by itself at its time and no earlier, and one without a time stays")
    func ends() {
        var pauses = SyncPauses()
        pauses.pause(celeste, until: 100)
        pauses.pause(other, until: nil)
        #expect(pauses.nextEnd == 100)
        pauses.endDue(at: 99)
        #expect(pauses[celeste] != nil)
        pauses.endDue(at: 100)
        #expect(pauses[celeste] == nil && pauses[other] == SyncPause(end: nil, isOfAll: false))
        #expect(pauses.nextEnd == nil)
    }

    @Test("the text of the pauses is read as it was written, and other text is not read")
    func text() {
        var pauses = SyncPauses()
        #expect(SyncPauses(pauses.text) == pauses)
        pauses.pause(celeste, until: 100)
        pauses.pause(other, until: nil)
        pauses.pause(nil, until: 300)
        #expect(SyncPauses(pauses.text) == pauses)
        for text in ["all", "all x", "celeste 100", "\(celeste)0 100", "all 1 2"] { #expect(SyncPauses(text) == nil) }
    }
}
