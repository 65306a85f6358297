import Glibc
import History
public import Ledger
import LinuxPlatform
public import SaveFolder
public import SaveRules
public import Vocabulary

/// The folders of this machine, on its disks. The kernel reports their changes.
public final class FolderPlaces: SavePlaces {
    private let watcher: SaveWatch
    private let notes: String

    /// - Parameter notes: a folder of Huddle's own. Each game has a folder in it for the notes about its scans and
    ///   changes.
    public init(notes: String) throws(SaveFolderError) {
        self.notes = notes
        // If this fails, the first folder of a game that is used reports it.
        mkdir(notes, FileMode.privateFolder.rawValue)
        watcher = try SaveWatch()
    }

    /// Returns the folder of a game. It is not touched yet.
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

    /// Watches a folder from now on.
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

    /// Handles the end of a scan that ``PlaceEvent/settled`` requested.
    public func wasRead(_ set: SaveSetID, _ outcome: FolderReadOutcome) async -> Bool {
        await watcher.finishedReading(set, outcome)
    }

    /// Checks again if a program has a file of a game open for writing.
    public func lookAgain(at set: SaveSetID) async { await watcher.readAgain(set) }

    /// Stops watching.
    public func unwatch(_ set: SaveSetID) async { await watcher.remove(set) }

    /// Works until the task is cancelled.
    public func run() async throws { try await watcher.run() }
}

/// One folder of this machine.
struct FolderPlace: SavePlace {
    let folder: SaveFolder

    func read(into batch: HistoryBatch, rereading: Bool, over kept: Manifest?) throws -> Manifest? {
        switch try folder.capture(into: batch, rereading: rereading, over: kept) {
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

    func giveBack() { folder.rest() }
}

extension SetPlace {
    /// The place of a game on this machine.
    init(of set: SaveSetEntry) {
        let extent = set.chosen.map { Extent.chosen(Set($0.names)) } ?? .everything
        self.init(root: set.path, extent: extent, scope: set.scope)
    }
}

extension PlaceEvent {
    /// Creates an event; nil if the event needs no reaction.
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
    /// The names and process IDs of the programs, for users.
    fileprivate var words: String {
        let programs = Set(map { "\(PrintableText($0.program, limit: 32)) (\($0.process))" }).sorted()
        return programs.isEmpty ? "a program" : programs.joined(separator: ", ")
    }
}
