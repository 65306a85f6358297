import Glibc
import History
public import Ledger
import LinuxPlatform
public import SaveFolder
public import SaveRules
public import Vocabulary

/// The folders of this machine as they lie on its disks, watched by the kernel.
public final class FolderPlaces: SavePlaces {
    private let watcher: SaveWatch
    private let notes: String

    /// - Parameter notes: a folder of huddle's own, in which each set gets one for what is remembered of its place
    public init(notes: String) throws(SaveFolderError) {
        self.notes = notes
        // Whether it is there and may be used is found out by the first place.
        mkdir(notes, FileMode.privateFolder.rawValue)
        watcher = try SaveWatch()
    }

    /// The place of a set. Nothing of it is touched yet.
    public func place(of set: SaveSetEntry) throws -> any SavePlace {
        FolderPlace(folder: try folder(of: set.id, at: SetPlace(of: set)))
    }

    private func folder(of set: SaveSetID, at place: SetPlace) throws(SaveFolderError) -> SaveFolder {
        #if DEBUG
            try SaveFolder(set, at: place, notes: "\(notes)/\(set)", observe: ApplyFault.observe)
        #else
            try SaveFolder(set, at: place, notes: "\(notes)/\(set)")
        #endif
    }

    /// Watches a place from now on.
    public func watch(
        _ place: any SavePlace,
        of set: SaveSetEntry,
        telling tell: @escaping @Sendable (PlaceEvent) -> Void
    ) async {
        guard let place = place as? FolderPlace else { preconditionFailure("a place is watched by its maker") }
        let patience = Settling.Patience(quiet: .milliseconds(set.settleMilliseconds))
        await watcher.add(place.folder, patience: patience, tellsOpening: set.program != nil) { event in
            if let event = PlaceEvent(event) { tell(event) }
        }
    }

    /// The folder was read.
    public func wasRead(_ set: SaveSetID, _ outcome: FolderReadOutcome) async -> Bool {
        await watcher.finishedReading(set, outcome)
    }

    /// Looks once more who uses a set's files.
    public func lookAgain(at set: SaveSetID) async { await watcher.readAgain(set) }

    /// Watches no more.
    public func unwatch(_ set: SaveSetID) async { await watcher.remove(set) }

    /// Works until the task is cancelled.
    public func run() async throws { try await watcher.run() }
}

/// One folder of this machine.
struct FolderPlace: SavePlace {
    let folder: SaveFolder

    func read(into batch: HistoryBatch, rereading: Bool) throws -> Manifest? {
        switch try folder.capture(into: batch, rereading: rereading) {
        case .captured(let capture): capture.manifest
        case .changedMeanwhile: nil
        }
    }

    func change(to target: Manifest, as version: SnapshotID, over base: Manifest, from history: History) throws
        -> PlaceChange
    {
        switch try folder.apply(target, over: base, from: history, as: version) {
        case .applied: .done
        case .changedMeanwhile: .changedMeanwhile
        case .inUse(let writers): .inUse(writers.words)
        }
    }

    func writer() throws -> String? {
        guard case .occupied(let writers)? = try folder.occupancy() else { return nil }
        return writers.words
    }

    func recover() throws -> SnapshotID? { try folder.changedTo() }

    func acknowledge() throws { try folder.acknowledge() }

    var leftOut: LeftOutFiles { folder.leftOut }

    func startFresh() throws { try folder.startFresh() }

    func rest() throws { try folder.saveCache() }
}

extension SetPlace {
    /// Where a set lies here.
    init(of set: SaveSetEntry) {
        let extent = set.chosen.map { Extent.chosen(Set($0.names)) } ?? .everything
        self.init(root: set.path, extent: extent, scope: set.scope)
    }
}

extension PlaceEvent {
    /// Nil where nobody has to do anything about it.
    fileprivate init?(_ event: SaveWatchEvent) {
        switch event {
        case .changing: self = .changing
        case .settled: self = .settled
        case .occupied(let writers): self = .occupied(writers.words)
        case .unsettled(let duration): self = .unsettled(duration)
        case .settledAfterAll: return nil
        case .opened: self = .opened
        case .gone: self = .gone
        case .back: self = .back
        case .unwatched(let error): self = .unwatched(error)
        case .watched: self = .watched
        case .trouble(let error): self = .trouble(error)
        }
    }
}

extension [FileWriter] {
    /// Who, in words.
    fileprivate var words: String {
        let programs = Set(map { "\(PrintableText($0.program, limit: 32)) (\($0.process))" }).sorted()
        return programs.isEmpty ? "a program" : programs.joined(separator: ", ")
    }
}
