import LinuxPlatform
import SaveRules
import Synchronization
import Vocabulary

/// The pieces and snapshots of save sets on disk: each piece once, compressed where that pays, checked whenever it is read, and
/// safe from a power cut once the call that promised it has returned.
///
/// ```swift
/// let history = try History.open(at: "/home/deck/.local/share/huddle/history")
/// let batch = history.beginBatch()
/// try batch.put(piece)                       // for each piece of each file
/// try batch.append(snapshot)                 // one flush for all of it
/// let bytes = try history.read(piece)
/// ```
///
/// Any thread may call. All calls wait for the disk, and for each other where both write: they belong on a loop kept for such work, never
/// on one that others wait for. One program at a time writes; others may open the same folder for reading meanwhile.
public final class History: Sendable {
    /// What a history is opened for.
    public enum Access: Sendable {
        /// Reading and writing, with nobody else writing.
        case writing
        /// Reading only, whoever writes meanwhile.
        case reading
    }

    /// Where everything lies that was there and could not be read at all, so that a new history was begun; nil where all is as it was.
    public let setAside: String?

    let folder: Folder
    let calls: StoreCalls
    let seal: PackSeal
    let access: Access
    /// Held as long as this lives.
    private let lock: LockedFile?
    /// Whoever has this may take `shared` as well, never the other way round.
    let writer: Mutex<WriterState>
    let shared: Mutex<SharedState>
    let decompressors = Spares { Decompressor() }
    /// None are kept once all batches have ended. One for each batch, at 400 KiB, cost 87 MiB while 64 peers gave versions.
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
