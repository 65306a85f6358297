import SaveRules
import Testing
import Vocabulary

@Suite("The problems of a game", .timeLimit(.minutes(5)))
struct SetProblemsTests {
    private struct Failure: ExplainedError {
        let code: ErrorCode
        var message: String { "\(code)" }
        var nextStep: String { "" }
    }

    private let missing = Failure(code: ErrorCode(.folderMissing, "test.missing"))
    private let full = Failure(code: ErrorCode(.noSpace, "test.full"))

    @Test("the user hears once of a problem that a retry meets again, and again after it was solved")
    func reported() {
        var problems = SetProblems()
        #expect(problems.note(full, of: .scanning, telling: false) == true)
        #expect(problems.note(full, of: .scanning, telling: true) == true)
        #expect(problems.note(full, of: .scanning, telling: true) == false)
        #expect(problems.note(missing, of: .scanning, telling: true) == true)
        problems.solved(.scanning)
        #expect(problems.note(missing, of: .scanning, telling: true) == true)
    }

    @Test("a problem of applying or fetching counts only while there is something to apply or fetch")
    func counts() {
        var problems = SetProblems()
        _ = problems.note(full, of: .applying, telling: true)
        #expect(problems.blocking(isPending: false, couldNotStoreNewer: true) == nil)
        #expect(problems.blocking(isPending: true, couldNotStoreNewer: false)?.kind == .full)
        _ = problems.note(missing, of: .disk, telling: true)
        #expect(problems.blocking(isPending: true, couldNotStoreNewer: false)?.kind == .missing)
    }

    @Test("a folder that is back solves only that it was missing")
    func back() {
        var problems = SetProblems()
        _ = problems.note(missing, of: .scanning, telling: true)
        _ = problems.note(full, of: .applying, telling: true)
        problems.folderIsBack()
        #expect(problems[.scanning] == nil && problems[.applying]?.kind == .full)
    }

    @Test("a new folder has none of the problems of the one before, but files that were lost in that stay held back")
    func other() {
        var problems = SetProblems(emptied: EmptiedSave(removed: 2, added: 0))
        _ = problems.note(full, of: .fetching, telling: true)
        problems.folderChanged(misplaced: missing)
        #expect(problems[.fetching] == nil && problems.emptied != nil && problems.misplaced != nil)
    }
}
