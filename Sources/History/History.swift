import LinuxPlatform
public import SaveRules
import Synchronization

/// Pieces and snapshots of games on disk. Each piece is stored once, compressed if that saves space, and checked at
/// every read. It survives a power cut once the call that confirms it has returned.
///
/// ```swift
/// let history = try History.open(at: "/home/deck/.local/share/huddle/history")
/// let batch = history.beginBatch()
/// try batch.put(piece)                       // for each piece of each file
/// try batch.append(snapshot)                 // one flush for all of it
/// let bytes = try history.read(piece)
/// ```
///
/// Any thread may call. All calls block on the disk, and writers block each other. Call them on a loop kept for such
/// work, never on one that other work waits for. One program at a time writes; other programs may open the same folder
/// for reading meanwhile.
public final class History: Sendable {
    /// The path of an unreadable older history that was moved aside for this new one; nil if there was none.
    public let setAside: String?

    let store: HistoryStore

    private init(_ opening: HistoryOpening) throws(HistoryError) {
        (store, setAside) = (opening.store, opening.setAside)
        try store.writer.withLock { writer throws(HistoryError) in try HistoryLoader(store).load(&writer) }
    }

    /// Opens the history in a folder, creates the folder if there is none, and recovers from a crash or power cut:
    /// records that were never confirmed are cut off if they are not whole.
    ///
    /// If nothing can be read, moves the files aside and begins a new history: ``setAside`` has the path.
    ///
    /// - Parameters:
    ///   - path: the folder; only its owner may enter it
    ///   - access: reading, or reading and writing
    /// - Throws: `history.busy` while another program writes
    public static func open(at path: String, for access: HistoryAccess = .writing) throws(HistoryError) -> History {
        try open(at: path, for: access, by: .kernel, packLimit: WriterState.usualPackLimit)
    }

    package static func open(
        at path: String,
        for access: HistoryAccess = .writing,
        by calls: StoreCalls = .kernel,
        packLimit: UInt64 = WriterState.usualPackLimit
    ) throws(HistoryError) -> History {
        try History(HistoryOpening(path, access, calls, packLimit: packLimit))
    }

    /// Begins a batch of pieces and snapshots.
    public func beginBatch() throws(HistoryError) -> HistoryBatch {
        try store.requireWriting()
        return HistoryBatch(store)
    }

    /// Stops keeping snapshots, whether they are kept or expected. The pieces that only they need stay until
    /// ``collectGarbage()`` removes them. When this returns, the drop survives a power cut.
    ///
    /// - Throws: `history.unknown-snapshot`, and then none is dropped
    public func drop(_ ids: some Sequence<SnapshotID>) throws(HistoryError) {
        try store.requireWriting()
        let records = RecordWriter(store)
        try store.writer.withLock { writer throws(HistoryError) in
            for id in ids {
                let state = store.shared.withLock { $0.catalog[id]?.state }
                guard state != nil, state != .dropped else { throw .unknown(id) }
            }
            for id in ids { try records.append(Record(.drop, id: id.digest), &writer) }
            try records.confirm(&writer)
        }
    }

    /// Discards lost snapshots: a garbage collection no longer waits until their packs are back.
    public func forgetLost(_ ids: some Sequence<SnapshotID>) throws(HistoryError) {
        try store.requireWriting()
        try store.writer.withLock { writer throws(HistoryError) in
            let wereLost = store.shared.withLock { shared in
                ids.reduce(false) { shared.losses.snapshots.removeValue(forKey: $1) != nil || $0 }
            }
            guard wereLost else { return }
            try RecordWriter(store).confirm(&writer)
            try IndexWriter(store).save()
        }
    }
}
