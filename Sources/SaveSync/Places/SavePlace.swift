public import History
public import Ledger
public import SaveFolder
public import SaveRules
public import Vocabulary

/// Where one set lies on this machine: its folder, read and changed as a whole. All calls wait for the disk.
public protocol SavePlace: Sendable {
    /// Reads what the folder holds. Its contents are in the batch afterwards; nil where something changed meanwhile.
    /// - Parameter rereading: whether every byte is read, also of what seems unchanged
    func read(into batch: HistoryBatch, rereading: Bool) throws -> Manifest?

    /// Makes the folder hold one thing where it still holds another, wholly or not at all.
    /// - Parameter version: which version that is
    func change(to target: Manifest, as version: SnapshotID, over base: Manifest, from history: History) throws
        -> PlaceChange

    /// Who has a file of it open for writing, in words; nil where nobody is known to.
    func writer() throws -> String?

    /// Ends what a crash interrupted. Answers to which version the folder was changed, if ``acknowledge()`` was not
    /// called since, also before a crash: what a game has saved since then follows that version.
    func recover() throws -> SnapshotID?

    /// It is noted which version the folder shows.
    func acknowledge() throws

    /// What can't be part of the set, as it was when the folder was read last.
    var leftOut: LeftOutFiles { get }

    /// Another folder is meant from now on: nothing is compared with what was there before.
    func startFresh() throws

    /// Keeps what makes the next reading short.
    func rest() throws
}

/// What came of changing a folder.
public enum PlaceChange: Hashable, Sendable {
    /// It holds what it was to hold.
    case done
    /// It did not hold what it was believed to: somebody has changed it, and nothing was overwritten.
    case changedMeanwhile
    /// Somebody has a file of it open for writing; nothing was changed. In words, who.
    case inUse(String)
}

/// What is heard of a folder that is watched.
public enum PlaceEvent: Sendable {
    /// It changes. This comes once; ``settled`` follows.
    case changing
    /// It has been still for long enough, and nobody writes: it may be read.
    case settled
    /// It is still, but somebody has a file of it open for writing. In words, who.
    case occupied(String)
    /// It has not been still for so long.
    case unsettled(Duration)
    /// Somebody has opened a file of it; told only of a set with a program that counts as playing it.
    case opened
    /// It is not there.
    case gone
    /// It is there again.
    case back
    /// It can't be watched as it should be: what changes there is found up to a minute later.
    case unwatched(any ExplainedError)
    /// It is watched as it should be, after all.
    case watched
    /// It can't be looked at.
    case trouble(any ExplainedError)
}

/// The folders of this machine.
public protocol SavePlaces: Sendable {
    /// The place of a set. Nothing is touched yet.
    func place(of set: SaveSetEntry) throws -> any SavePlace

    /// Tells from now on what happens in a set's folder, and that it may be read once it has settled.
    func watch(
        _ place: any SavePlace,
        of set: SaveSetEntry,
        telling tell: @escaping @Sendable (PlaceEvent) -> Void
    ) async

    /// Whoever was told that a folder has settled has read it, or tried to.
    /// Answers whether nothing is known to have changed meanwhile.
    @discardableResult
    func wasRead(_ set: SaveSetID, _ outcome: FolderReadOutcome) async -> Bool

    /// Looks once more whether somebody has a file of a set open for writing, and tells; where nobody has, it may be
    /// read.
    func lookAgain(at set: SaveSetID) async

    /// Tells no more.
    func unwatch(_ set: SaveSetID) async

    /// Works until the task is cancelled.
    func run() async throws
}
