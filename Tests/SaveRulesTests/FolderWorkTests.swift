import SaveRules
import TestSupport
import Testing
import Vocabulary

@Suite("The work on a folder", .timeLimit(.minutes(5)))
struct FolderWorkTests {
    private let one = SnapshotID(words: (1, 0, 0, 0))
    private let other = SnapshotID(words: (2, 0, 0, 0))

    @Test("a scan of every byte that stops or fails reads every byte the next time, too")
    func everyByte() {
        var work = FolderWork()
        work.requestScan(ofEveryByte: true)
        guard case .scan(let order) = work.next(pending: nil) else { return #expect(Bool(false)) }
        #expect(order.readsEveryByte && order.asksForWriter)
        work.scanPostponed(ofEveryByte: order.readsEveryByte)
        #expect(work.isQuiet(pending: nil) == false)
        work.rest()
        #expect(work.isQuiet(pending: nil))
        work.settled()
        guard case .scan(let again) = work.next(pending: nil) else { return #expect(Bool(false)) }
        #expect(again.readsEveryByte && !again.asksForWriter)
        work.settled()
        guard case .scan(let last) = work.next(pending: nil) else { return #expect(Bool(false)) }
        #expect(!last.readsEveryByte)
    }

    @Test("changes are unread from the first one until a scan has ended, and the daemon's own changes are not")
    func unread() {
        var work = FolderWork()
        #expect(!work.hasUnreadChanges)
        work.changing()
        #expect(work.hasUnreadChanges)
        work.settled()
        #expect(work.hasUnreadChanges)
        _ = work.next(pending: nil)
        #expect(work.hasUnreadChanges)
        work.scanWorked()
        work.rest()
        #expect(!work.hasUnreadChanges)

        work.beginApplying(one)
        work.changing()
        #expect(!work.hasUnreadChanges)
        work.settled()
        _ = work.next(pending: nil)
        work.scanWorked()
        work.rest()
        work.changing()
        #expect(work.hasUnreadChanges)
        work.applyWorked()
        #expect(!work.hasUnreadChanges)
    }

    @Test("a scan comes before a merge, and a merge before a version to apply")
    func order() {
        var work = FolderWork()
        work.requestMerge(one, other)
        work.settled()
        guard case .scan = work.next(pending: one) else { return #expect(Bool(false)) }
        #expect(work.next(pending: one) == .merge(one, other) && work.next(pending: one) == .apply(one))
        #expect(work.phase == .working(.apply(one)))
    }

    @Test("a program that uses the folder is looked for once for each version that it keeps out")
    func inUse() {
        var work = FolderWork()
        #expect(work.foundInUse(by: one) && !work.foundInUse(by: one) && work.isKeptOut(one))
        #expect(work.foundInUse(by: other) && !work.isKeptOut(one))
        work.folderChanged()
        #expect(!work.isKeptOut(other))
    }

    @Test(
        "failed work is tried again after waits that grow up to two minutes, and from the start once it has succeeded"
    )
    func retries() {
        var work = FolderWork()
        var (now, waits) = (0.0, [Double]())
        for _ in 0..<10 {
            work.mergeFailed(at: .at(now))
            work.mergeFailed(at: .at(now + 0.1))
            guard let due = work.deadline else { return #expect(Bool(false)) }
            waits.append((due - .at(now)) / .seconds(1))
            now += waits.last ?? 0
            work.deadlinePassed(at: .at(now), nextMerge: [one, other])
            #expect(work.next(pending: nil) == .merge(one, other) && work.deadline == nil)
        }
        #expect(waits == [0.5, 1, 2, 4, 8, 16, 32, 64, 120, 120])
        work.mergeWorked()
        work.mergeFailed(at: .at(now))
        #expect(work.deadline == .at(now + 0.5))
    }
}
