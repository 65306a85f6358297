import Glibc
package import LinuxPlatform
public import SaveRules
import Synchronization
public import Vocabulary

/// One save set's place on this machine: read when it has settled, changed as a whole, and mended after a crash.
///
/// ```swift
/// let folder = try SaveFolder(set, at: SetPlace(root: "/home/deck/.local/share/Celeste"), notes: notes)
/// let batch = try history.beginBatch()
/// if case .captured(let capture) = try folder.capture(into: batch) { … }     // then append the snapshot with this batch
/// let outcome = try folder.apply(theirs, over: capture.manifest, from: history)
/// ```
///
/// Any thread may call. The calls wait for the disk and for each other: they belong on a loop kept for such work or on
/// `runBlocking`.
public final class SaveFolder: Sendable {
    /// Which set.
    public let set: SaveSetID
    /// Where it lies, and what belongs to it.
    public let place: SetPlace
    /// A folder of the program's own: what is known of the files, and the journal of a change.
    let notes: Folder
    /// Told of each step of a change, before the next one is taken.
    let observe: @Sendable (ApplyPoint) -> Void
    /// What the disk says when the journal is flushed at a step, where a test wants it to fail.
    let failing: @Sendable (ApplyPoint) -> SystemError?
    let state = Mutex(State())
    /// How many changes of the folder are under way, with those that are mended.
    let changes = Atomic(0)

    struct State {
        var keeper = RecordKeeper()
        /// The file system on which the set was read last, where that is known.
        var disk: UInt64?
        var leftOut = LeftOutFiles()
        /// Whether the journal was looked at: nothing may be read or changed before what a crash interrupted is ended.
        var isSound = false
        /// What the folder was changed to, until the caller has noted that as well; the journal stays so long.
        var changedTo: SnapshotID?
    }

    /// - Parameters:
    ///   - set: which set
    ///   - place: where it lies
    ///   - notes: the path of a folder that this set has for itself, in which the program keeps what it needs; made where there is none
    public convenience init(_ set: SaveSetID, at place: SetPlace, notes: String) throws(SaveFolderError) {
        try self.init(set, at: place, notes: notes, observe: { _ in })
    }

    package init(
        _ set: SaveSetID,
        at place: SetPlace,
        notes path: String,
        observe: @escaping @Sendable (ApplyPoint) -> Void,
        failing: @escaping @Sendable (ApplyPoint) -> SystemError? = { _ in nil }
    ) throws(SaveFolderError) {
        (self.set, self.place, self.observe, self.failing) = (set, place, observe, failing)
        notes = try explaining(path) { () throws(SystemError) in
            do throws(SystemError) {
                return try Folder(at: path)
            } catch let error where error.number == ENOENT {
                try retrying("mkdir", on: path) { mkdir(path, FileMode.privateFolder.rawValue) }
                return try Folder(at: path)
            }
        }
    }

    /// Writes down what is known of the files, so that they need not be read again after a restart: when the program ends.
    public func saveCache() throws(SaveFolderError) {
        try explaining("the notes about \(place.root)") { () throws(SystemError) in
            try state.withLock { state throws(SystemError) in try state.keeper.save(notes) }
        }
    }

    /// What can't be part of the set, as it was when the folder was read last.
    public var leftOut: LeftOutFiles { state.withLock { $0.leftOut } }

    /// Another folder is meant from now on, whatever lies there: nothing is compared with what was there before.
    public func beginAnew() throws(SaveFolderError) {
        try explaining("the notes about \(place.root)") { () throws(SystemError) in
            try state.withLock { state throws(SystemError) in
                try state.keeper.forget(notes)
                try forgetDisk(&state)
            }
        }
    }

    func openRoot() throws(SaveFolderError) -> Folder {
        try explaining(place.root) { () throws(SystemError) in try Folder(at: place.root) }
    }
}
