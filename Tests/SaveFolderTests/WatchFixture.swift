import Glibc
@testable import LinuxPlatform
@testable import SaveFolder
import SaveRules
import TestSupport

/// The events of a set, in words.
enum Reported: Equatable {
    case settled, occupied, opened, unsettled, settledAfterAll, gone, back, unwatched, watched, trouble

    /// Nil for a change, which comes before every ``settled``.
    init?(_ event: SaveWatchEvent) {
        let reported: Reported? =
            switch event {
            case .changing: nil
            case .settled: .settled
            case .occupied: .occupied
            case .opened: .opened
            case .unsettled: .unsettled
            case .settledAfterAll: .settledAfterAll
            case .gone: .gone
            case .back: .back
            case .unwatched: .unwatched
            case .watched: .watched
            case .trouble: .trouble
            }
        guard let reported else { return nil }
        self = reported
    }
}

/// A watched set with its events.
struct WatchFixture {
    let machine: SetFixture
    let loop = EventLoop(named: "saves")
    let reported = Probe<[Reported]>([])
    let readings = Probe(0)
    let patience = Settling.Patience(quiet: .milliseconds(30), unsettled: .seconds(30))

    init() throws {
        machine = try SetFixture()
        try machine.put("x", at: "sub/save")
    }

    /// Watches a set; a requested scan counts as done at once.
    func add(
        _ folder: SaveFolder,
        to watch: SaveWatch,
        _ reported: Probe<[Reported]>,
        patience: Settling.Patience? = nil,
        firstReading: FolderReadOutcome = .whole
    ) async {
        let set = folder.set
        await watch.add(folder, patience: patience ?? self.patience) { event in
            if let event = Reported(event) { reported.record(event) }
            guard case .settled = event else { return }
            let outcome = reported.value.count == 1 ? firstReading : .whole
            Task(executorPreference: EventLoop.shared.taskExecutor) {
                await watch.finishedReading(set, outcome)
                readings.count()
            }
        }
    }

    /// The process's own mounts must change, as only those cause events.
    static func canMount() -> Bool {
        let temporary = TemporaryFolder()
        guard mount("tmpfs", temporary.path, "tmpfs", 0, "size=1m") == 0 else { return false }
        return umount2(temporary.path, 0) == 0
    }
}
