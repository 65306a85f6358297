import SaveRules
import Vocabulary
import Workbench

extension MachineTable where Machine == PlayTracker {
    /// The games of this machine. The play lock has a table of its own.
    static func play() -> Self {
        func after(_ events: (inout PlayTracker) -> Void = { _ in }) -> PlayTracker {
            var tracker = PlayTracker(Sample.peer(5), after: 0)
            events(&tracker)
            return tracker
        }
        func begin(_ tracker: inout PlayTracker) {
            _ = tracker.take(at: .at(0))
            _ = tracker.deadlinePassed(at: .at(1))
            _ = tracker.begin(newest: [], at: .at(1))
        }
        func write(_ tracker: inout PlayTracker) { _ = tracker.opened(by: "celeste (7)", at: .at(0)) }
        func count(_ tracker: inout PlayTracker) {
            write(&tracker)
            _ = tracker.deadlinePassed(at: .at(10))
            _ = tracker.deadlinePassed(at: .at(11))
        }
        var table = Self("play") { tracker in
            let (games, writer) = (tracker.games, tracker.games.writer)
            if writer?.phase == .closed { return "closed" }
            if games.isRunning { return "playing" }
            if writer != nil { return "saving" }
            return tracker.mayApply ? "idle" : "unknown"
        }
        table.row("idle") { after() }
        table.row("saving") { after(write) }
        table.row("playing, begun by huddle play") { after(begin) }
        table.row("playing, its program runs") {
            after {
                _ = $0.programFound(since: .at(0), at: .at(0))
                _ = $0.deadlinePassed(at: .at(1))
            }
        }
        table.row("playing, a file is open") { after(count) }
        table.row("closed") {
            after {
                count(&$0)
                $0.filesClosed()
            }
        }
        table.row("unknown, after a restart") {
            after {
                _ = $0.recall(LeaseClaim(Sample.peer(5), term: 0, isHeld: true), after: .seconds(20), at: .at(0))
            }
        }
        table.column("huddle play begins") { $0.begin(newest: [], at: .at(12)).effects }
        table.column("huddle play ends") { $0.end([1], at: .at(12)) }
        table.column("the program is found") { $0.programFound(since: .at(11), at: .at(12)) }
        table.column("the program ends") { $0.programEnded(at: .at(12)) }
        table.column("a file is opened") { $0.opened(by: "celeste (8)", at: .at(12)) }
        table.column("10 s later") { $0.deadlinePassed(at: .at(10)) }
        table.column("all files are closed") {
            $0.filesClosed()
            return []
        }
        table.column("the folder was read") { $0.savedWasRead(at: .at(12)) }
        table.column("no game is found after a restart") { $0.comebackChecked(at: .at(12)) }
        return table
    }
}
