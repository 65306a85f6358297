import SaveRules
import Vocabulary
import Workbench

extension MachineTable where Machine == FolderWork {
    /// The worker of one folder, which does not show the newest version. A state is the step that comes next.
    static func folderWork() -> Self {
        let pending = Sample.pending
        func after(_ events: (inout FolderWork) -> Void = { _ in }) -> FolderWork {
            var work = FolderWork()
            events(&work)
            return work
        }
        var table = Self("folder-work") { work in
            var copy = work
            switch copy.next(pending: pending) {
            case .scan(let order): return order.asksForWriter ? "look and scan" : "scan"
            case .merge: return "merge"
            case .apply: return "apply"
            case nil: return "nothing"
            }
        }
        table.row("apply") { after() }
        table.row("nothing, it was tried in vain") { after { $0.beginApplying(pending) } }
        table.row("nothing, it is tried again") {
            after {
                $0.beginApplying(pending)
                $0.applyFailed(at: .at(0))
            }
        }
        table.row("nothing, a scan is tried again") {
            after {
                $0.beginApplying(pending)
                $0.scanFailed(at: .at(0))
            }
        }
        table.row("scan") { after { $0.settled() } }
        table.row("look and scan") { after { $0.requestScan() } }
        table.row("merge") { after { $0.requestMerge(pending, pending) } }
        func event(_ name: String, _ change: @escaping (inout FolderWork) -> Void) {
            table.column(name) {
                change(&$0)
                return []
            }
        }
        table.column("the worker takes its step") { work in work.next(pending: pending).map { [$0] } ?? [] }
        event("the folder settles") { $0.settled() }
        event("a scan is requested") { $0.requestScan() }
        event("an earlier scan ends") { $0.scanEnded() }
        event("a merge is requested") { $0.requestMerge(pending, pending) }
        event("the game ends") { $0.retryApplying() }
        event("0.5 s later") { $0.deadlinePassed(at: .at(0.5), nextMerge: nil) }
        event("the folder is another one") { $0.folderChanged() }
        return table
    }
}

extension Sample {
    /// A version that the folder does not show yet.
    fileprivate static let pending = SnapshotID(words: (1, 0, 0, 0))
}
