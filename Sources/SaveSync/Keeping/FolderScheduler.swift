import History
import LinuxPlatform
import SaveRules

/// Runs work on the folders of games. Each worker takes one piece of work after the other.
///
/// All games share one worker. If the disk of a folder gives no answer, its work keeps that worker, and all other games
/// continue at a new one.
@Engine
final class FolderScheduler {
    /// The disk that work waits for.
    enum Disk {
        case folder
        case history
    }

    private let history: History
    private let readings = FolderReadings()
    private let silence: Duration
    private var common: Line
    /// The workers of games whose disk once gave no answer.
    private var own: [SaveSetID: Line] = [:]

    /// A worker and its queue: the first work runs now, the others follow.
    private final class Line {
        let worker: FolderWorker
        var works: [Work] = []

        init(_ worker: FolderWorker) { self.worker = worker }
    }

    private final class Work {
        let set: SaveSetID
        let disk: Disk
        var line: Line
        let turn = Resumption<Void>()
        var stallDetector: StallDetector?

        init(_ set: SaveSetID, _ disk: Disk, _ line: Line) { (self.set, self.disk, self.line) = (set, disk, line) }
    }

    /// - Parameter silence: the time after which a disk counts as giving no answer
    init(_ history: History, silence: Duration) {
        (self.history, self.silence) = (history, silence)
        common = Line(FolderWorker(history, readings, on: EventLoop(named: "save-folders")))
    }

    /// The event loops of all workers.
    var loops: [EventLoop] { (own.values + [common]).map(\.worker.loop) }

    /// The games with work that runs or waits.
    var busy: Set<SaveSetID> { Set((own.values + [common]).flatMap { $0.works.map(\.set) }) }

    /// Runs work on a game once all earlier work of its worker has ended.
    /// - Parameter tell: receives the disk that gives no answer, and nil once it answers
    func work<Value: Sendable>(
        on set: SaveSetID,
        waitingFor disk: Disk,
        telling tell: @escaping @Engine (Disk?) -> Void,
        _ body: @Engine (FolderWorker) async throws -> Value
    ) async rethrows -> Value {
        let line = own[set] ?? common
        let work = Work(set, disk, line)
        line.works.append(work)
        work.stallDetector = StallDetector(silence, { [weak work] in work?.line.worker.activity }) {
            [weak self, weak work] isSilent in
            guard let work else { return }
            tell(isSilent ? self?.silentDisk(before: work) : nil)
        }
        defer { leave(work) }
        // Cancellation does not end this wait, so that the steps of a game end in order.
        if line.works.first !== work { try? await work.turn.value() }
        return try await body(work.line.worker)
    }

    private func leave(_ work: Work) {
        work.stallDetector?.end()
        work.line.works.removeAll { $0 === work }
        // If the first work already runs, it does not wait for its turn, and this does nothing.
        work.line.works.first?.turn.resume(with: .success(()))
    }

    /// Returns the disk that gives no answer; nil if this work is no longer held up, because it has moved to a new
    /// worker.
    private func silentDisk(before work: Work) -> Disk? {
        guard let first = work.line.works.first else { return nil }
        if first.disk == .folder { leaveAlone(first) }
        return first.line === work.line ? first.disk : nil
    }

    /// Leaves the worker to the work that waits for its disk, and to other work of the same game. All other games move
    /// to a new worker.
    private func leaveAlone(_ work: Work) {
        let line = work.line
        guard line === common, let loop = try? EventLoop(ifPossible: "save-folders") else { return }
        own[work.set] = line
        common = Line(FolderWorker(history, readings, on: loop))
        common.works = line.works.filter { $0.set != work.set }
        line.works.removeAll { $0.set != work.set }
        for other in common.works {
            other.line = common
            other.stallDetector?.startFresh()
        }
        common.works.first?.turn.resume(with: .success(()))
    }

    /// Removes a game that is no longer shared.
    func forget(_ set: SaveSetID) { own[set] = nil }

    /// Stores notes that make the next scan of a folder short. Does nothing while there is work at its worker.
    func rest(_ set: SaveSetID, _ place: any SavePlace) async {
        let line = own[set] ?? common
        guard line.works.isEmpty else { return }
        // Without these notes, the next start only reads more.
        try? await line.worker.rest(place)
    }

    /// Lets idle workers free memory.
    func rest() async {
        for line in Array(own.values) + [common] where line.works.isEmpty { await line.worker.rest() }
    }
}
