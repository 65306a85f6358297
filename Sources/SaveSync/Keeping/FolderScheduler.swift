import History
import LinuxPlatform
import SaveRules

/// The workers at which sets' folders are worked on, one set after the other at each. All sets have one in common; a set whose disk
/// gave no answer once keeps that which waits there, and the others go on at a new one.
@Engine
final class FolderScheduler {
    /// Whose disk is waited for.
    enum Disk {
        case folder
        case history
    }

    private let history: History
    private let readings = FolderReadings()
    private let silence: Duration
    private var common: Line
    /// Those of sets whose disks gave no answer once.
    private var own: [SaveSetID: Line] = [:]

    /// One worker, and what is done there: the first now, the rest after it.
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
        var vigil: StallDetector?

        init(_ set: SaveSetID, _ disk: Disk, _ line: Line) { (self.set, self.disk, self.line) = (set, disk, line) }
    }

    /// - Parameter silence: how long a disk may give no answer
    init(_ history: History, silence: Duration) {
        (self.history, self.silence) = (history, silence)
        common = Line(FolderWorker(history, readings, on: EventLoop(named: "save-folders")))
    }

    /// Where all workers work.
    var loops: [EventLoop] { (own.values + [common]).map(\.worker.loop) }

    /// The sets that are worked on or are to be.
    var busy: Set<SaveSetID> { Set((own.values + [common]).flatMap { $0.works.map(\.set) }) }

    /// Works on a set as soon as nobody is before it.
    /// - Parameter tell: which disk is waited for that gives no answer; nil once it does
    func work<Value: Sendable>(
        on set: SaveSetID,
        waitingFor disk: Disk,
        telling tell: @escaping @Engine (Disk?) -> Void,
        _ body: @Engine (FolderWorker) async throws -> Value
    ) async rethrows -> Value {
        let line = own[set] ?? common
        let work = Work(set, disk, line)
        line.works.append(work)
        work.vigil = StallDetector(silence, { [weak work] in work?.line.worker.activity }) {
            [weak self, weak work] isSilent in
            guard let work else { return }
            tell(isSilent ? self?.silentDisk(before: work) : nil)
        }
        defer { leave(work) }
        // It is not given up by who is cancelled: what was begun on a set is ended in order.
        if line.works.first !== work { try? await work.turn.value() }
        return try await body(work.line.worker)
    }

    private func leave(_ work: Work) {
        work.vigil?.end()
        work.line.works.removeAll { $0 === work }
        // Whoever works there already is not waiting.
        work.line.works.first?.turn.resume(with: .success(()))
    }

    /// Which disk it is that gives no answer; nil where that holds it up no more.
    private func silentDisk(before work: Work) -> Disk? {
        guard let first = work.line.works.first else { return nil }
        if first.disk == .folder { leaveAlone(first) }
        return first.line === work.line ? first.disk : nil
    }

    /// Work that waits for its disk keeps the worker at which it does, with all of its set; the other sets get another.
    private func leaveAlone(_ work: Work) {
        let line = work.line
        guard line === common, let loop = try? EventLoop(ifPossible: "save-folders") else { return }
        own[work.set] = line
        common = Line(FolderWorker(history, readings, on: loop))
        common.works = line.works.filter { $0.set != work.set }
        line.works.removeAll { $0.set != work.set }
        for other in common.works {
            other.line = common
            other.vigil?.beginAnew()
        }
        common.works.first?.turn.resume(with: .success(()))
    }

    /// A set is here no more.
    func forget(_ set: SaveSetID) { own[set] = nil }

    /// Notes what makes the next reading of a folder short; of one that is still worked on there is nothing to note.
    func rest(_ set: SaveSetID, _ place: any SavePlace) async {
        let line = own[set] ?? common
        guard line.works.isEmpty else { return }
        // What it would have saved is found out by reading more at the next start.
        try? await line.worker.rest(place)
    }

    /// There is nothing to do for now.
    func rest() async {
        for line in Array(own.values) + [common] where line.works.isEmpty { await line.worker.rest() }
    }
}
