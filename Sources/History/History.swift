import LinuxPlatform
import SaveRules
import Synchronization
import Vocabulary

/// Pieces and snapshots of save sets on disk. Each piece is stored once, compressed if that saves space, and checked at
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
    /// The purpose for which a history is opened.
    public enum Access: Sendable {
        /// Reading and writing. No other program can write meanwhile.
        case writing
        /// Reading only. Another program may write meanwhile.
        case reading
    }

    /// The path of an unreadable older history that was moved aside for this new one; nil if there was none.
    public let setAside: String?

    let folder: Folder
    let calls: StoreCalls
    let seal: PackSeal
    let access: Access
    /// The lock on the folder, held for the lifetime of this object.
    private let lock: LockedFile?
    /// The lock order: a thread that holds `writer` may take `shared`, never the other way round.
    let writer: Mutex<WriterState>
    let shared: Mutex<SharedState>
    let decompressors = Spares { Decompressor() }
    /// Compressors for batches; none are kept once all batches have ended. One for each batch, at 400 KiB, cost 87 MiB
    /// while 64 peers sent versions.
    let compressors = Spares { Compressor() }

    init(
        _ folder: consuming Folder,
        _ lock: consuming LockedFile?,
        _ opening: Opening,
        _ access: Access,
        _ calls: StoreCalls,
        packLimit: UInt64
    ) {
        self.folder = folder
        self.lock = lock
        (seal, setAside) = (opening.seal, opening.setAside)
        self.access = access
        self.calls = calls
        writer = Mutex(WriterState(packLimit: packLimit))
        shared = Mutex(SharedState())
    }

    func requireWriting() throws(HistoryError) {
        guard access == .writing else { throw .onlyForReading() }
    }
}
