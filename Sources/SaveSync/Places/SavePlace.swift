public import History
public import Ledger
public import SaveFolder
public import SaveRules
public import Vocabulary

/// The folder of one game on this machine. It is scanned and changed as a whole. All calls wait for the disk.
public protocol SavePlace: Sendable {
    /// Scans the folder, and puts the contents of its files into the batch.
    /// - Parameters:
    ///   - rereading: true to read every byte, also of files that seem unchanged
    ///   - kept: a manifest of which the history keeps all pieces, if one is known
    /// - Returns: nil if the folder changed meanwhile
    func read(into batch: HistoryBatch, rereading: Bool, over kept: Manifest?) throws -> Manifest?

    /// Applies a version, wholly or not at all. Changes nothing unless the folder still holds `base`.
    /// - Parameter version: the ID of the version whose manifest is `target`
    func change(to target: Manifest, as version: SnapshotID, over base: Manifest, from history: History) throws
        -> PlaceChange

    /// The programs that have a file of the folder open for writing, in words; nil if none is known.
    func writer() throws -> String?

    /// Ends a change that a crash interrupted. Returns the version that the folder was changed to, if ``acknowledge()``
    /// was not called since, also before a crash. What a game has saved since then follows that version.
    func recover() throws -> SnapshotID?

    /// Confirms that the caller has durably stored which version the folder shows.
    func acknowledge() throws

    /// The files that can't be part of the game, from the last scan.
    var leftOut: LeftOutFiles { get }

    /// Accepts another folder in this place. Nothing is compared with the content that was there before.
    func startFresh() throws

    /// Stores notes that make the next scan short.
    func rest() throws

    /// Gives back the memory of what makes the next reading short.
    func giveBack()
}

extension SavePlace {
    /// Nothing is in memory.
    public func giveBack() {}
}

/// The result of changing a folder.
public enum PlaceChange: Hashable, Sendable {
    /// The folder holds the version.
    case done
    /// The folder did not hold the expected files, because a program has changed it. Nothing was overwritten.
    case changedMeanwhile
    /// A program has a file of the folder open for writing, and nothing was changed. The text names the program.
    case inUse(String)
}

/// An event of a watched folder.
public enum PlaceEvent: Sendable {
    /// It changes. This comes once; ``settled`` follows.
    case changing
    /// The quiet period is over, and no program has a file open for writing. The folder may be scanned.
    case settled
    /// It is quiet, but a program has a file of it open for writing. The text names the program.
    case occupied(String)
    /// It has not become quiet for this long.
    case unsettled(Duration)
    /// A program has opened a file of it. This comes only for a game with a program that counts as playing it.
    case opened
    /// It is missing.
    case gone
    /// It exists again.
    case back
    /// It can't be watched completely. Changes there are found up to a minute later.
    case unwatched(any ExplainedError)
    /// It is watched completely after all.
    case watched
    /// It can't be checked.
    case trouble(any ExplainedError)
}

/// The folders of this machine.
public protocol SavePlaces: Sendable {
    /// Returns the folder of a game. It is not touched yet.
    func place(of set: SaveSetEntry) throws -> any SavePlace

    /// Reports the events of a game's folder from now on. ``PlaceEvent/settled`` requests a scan.
    func watch(
        _ place: any SavePlace,
        of set: SaveSetEntry,
        telling tell: @escaping @Sendable (PlaceEvent) -> Void
    ) async

    /// Handles the end of a scan that ``PlaceEvent/settled`` requested, whether it worked or failed.
    /// - Returns: true if no change since that event is known
    @discardableResult
    func wasRead(_ set: SaveSetID, _ outcome: FolderReadOutcome) async -> Bool

    /// Checks again if a program has a file of a game open for writing, and reports the result. If none has, the folder
    /// may be scanned.
    func lookAgain(at set: SaveSetID) async

    /// Stops the reports about a game's folder.
    func unwatch(_ set: SaveSetID) async

    /// Works until the task is cancelled.
    func run() async throws
}
