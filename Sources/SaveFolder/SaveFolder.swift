import Glibc
package import LinuxPlatform
public import SaveRules
import Synchronization
public import Vocabulary

/// The folder of one game on this machine: scanned after a quiet period, changed as a whole, and repaired after a
/// crash.
///
/// ```swift
/// let folder = try SaveFolder(set, at: SetPlace(root: "/home/deck/.local/share/Celeste"), notes: notes)
/// let batch = try history.beginBatch()
/// if case .captured(let capture) = try folder.capture(into: batch) { … }  // append the version with this batch
/// let outcome = try folder.apply(theirs, over: capture.manifest, from: history)
/// ```
///
/// Any thread may call. The calls wait for the disk and for each other: call them on a loop for such work, or with
/// `runBlocking`.
public final class SaveFolder: Sendable {
    /// ID of the game.
    public let set: SaveSetID
    /// The folder, and the part of it that belongs to the game.
    public let place: SetPlace
    /// A folder of the program: the scan cache, and the journal of a change.
    let notes: Folder
    /// Called at each step of a change, before the next one.
    let observe: @Sendable (ApplyPoint) -> Void
    /// The error of a journal flush at a step, for tests.
    let failing: @Sendable (ApplyPoint) -> SystemError?
    let state = Mutex(State())
    /// The changes that the watch has heard since the last scan.
    let heard = HeardChanges()
    /// The number of files up to which scans, searches for writers and changes look at all files, which takes
    /// milliseconds.
    package static let smallFileCount = 4_096
    /// The same number for scans, which tests lower.
    let wholeUpTo: Int
    /// Number of changes in progress, including repairs.
    let changes = Atomic(0)

    struct State {
        var keeper = ScanCacheStore()
        var disk = KnownDisk()
        var leftOut = LeftOutFiles()
        /// The part of the folder that the scan cache may have wrong.
        var unread = ChangedPaths.anything
        /// True if the last change of a single path was undone, because something else was heard meanwhile.
        var wasOvertaken = false
        /// True after the journal was checked: nothing may be read or changed before an interrupted change has ended.
        var isJournalChecked = false
        /// The version that the folder was changed to, until the caller has stored it; the journal stays until then.
        var changedTo: SnapshotID?
    }

    /// - Parameters:
    ///   - set: ID of the game
    ///   - place: the folder of the game
    ///   - notes: path of the program's folder for this game, created if it is missing
    public convenience init(_ set: SaveSetID, at place: SetPlace, notes: String) throws(SaveFolderError) {
        try self.init(set, at: place, notes: notes, observe: { _ in })
    }

    package init(
        _ set: SaveSetID,
        at place: SetPlace,
        notes path: String,
        observe: @escaping @Sendable (ApplyPoint) -> Void,
        failing: @escaping @Sendable (ApplyPoint) -> SystemError? = { _ in nil },
        lookingAtAllUpTo wholeUpTo: Int = SaveFolder.smallFileCount
    ) throws(SaveFolderError) {
        (self.set, self.place, self.observe, self.failing) = (set, place, observe, failing)
        self.wholeUpTo = wholeUpTo
        notes = try explaining(path) { () throws(SystemError) in
            do throws(SystemError) {
                return try Folder(at: path)
            } catch let error where error.number == ENOENT {
                try retrying("mkdir", on: path) { mkdir(path, FileMode.privateFolder.rawValue) }
                return try Folder(at: path)
            }
        }
    }

    /// Writes the scan cache at the end of the program, so that files need not be read again after a restart.
    public func saveCache() throws(SaveFolderError) {
        try explaining("the notes about \(place.root)") { () throws(SystemError) in
            try state.withLock { state throws(SystemError) in try state.keeper.save(notes) }
        }
    }

    /// Keeps what the last scan found in less memory until the next one.
    ///
    /// It waits for no work on the folder: a disk that gives no answer must not hold up the caller, which has another.
    public func rest() { _ = state.withLockIfAvailable { $0.keeper.rest() } }

    /// The entries that can't be part of a version, from the last scan.
    public var leftOut: LeftOutFiles { state.withLock { $0.leftOut } }

    /// Accepts another folder: nothing is compared with the previous content.
    public func startFresh() throws(SaveFolderError) {
        try explaining("the notes about \(place.root)") { () throws(SystemError) in
            try state.withLock { state throws(SystemError) in
                state.unread = .anything
                try state.keeper.forget(notes)
                try state.disk.forget(notes)
            }
        }
    }

    func openRoot() throws(SaveFolderError) -> Folder {
        try explaining(place.root) { () throws(SystemError) in try Folder(at: place.root) }
    }
}
