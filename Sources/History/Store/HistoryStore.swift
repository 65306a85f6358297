import LinuxPlatform
import SaveRules
import Synchronization

/// The opened folder of a history, and the state that all parts of the history share.
final class HistoryStore: Sendable {
    let folder: Folder
    let calls: StoreCalls
    let seal: PackSeal
    let access: HistoryAccess
    /// The lock on the folder, held for the lifetime of this object.
    private let lock: LockedFile?
    /// The lock order: a thread that holds `writer` may take `shared`, never the other way round.
    let writer: Mutex<WriterState>
    let shared = Mutex(SharedState())
    let manifests = Mutex(KnownManifests())
    let decompressors = Spares { Decompressor() }
    /// Compressors for batches; none are kept once all batches have ended. One for each batch, at 400 KiB, cost 87 MiB
    /// while 64 peers sent versions.
    let compressors = Spares { Compressor() }

    init(
        _ folder: consuming Folder,
        _ lock: consuming LockedFile?,
        _ seal: PackSeal,
        _ access: HistoryAccess,
        _ calls: StoreCalls,
        packLimit: UInt64
    ) {
        self.folder = folder
        self.lock = lock
        self.seal = seal
        self.access = access
        self.calls = calls
        writer = Mutex(WriterState(packLimit: packLimit))
    }

    func requireWriting() throws(HistoryError) {
        guard access == .writing else { throw .onlyForReading() }
    }

    /// Returns true if a piece is known and not known to be damaged.
    func has(_ piece: PieceID) throws(HistoryError) -> Bool {
        try explaining { () throws(SystemError) in
            try shared.withLock { shared throws(SystemError) in try shared.has(piece) }
        }
    }

    func location(of piece: PieceID) throws(HistoryError) -> PieceLocation? {
        try explaining { () throws(SystemError) in
            try shared.withLock { shared throws(SystemError) in try shared.location(of: piece) }
        }
    }

    func pack(_ number: UInt32) throws(HistoryError) -> PackFile {
        try explaining { () throws(SystemError) in
            try shared.withLock { shared throws(SystemError) in try shared.packs.file(number, in: folder) }
        }
    }

    func record(_ header: RecordHeader, _ offset: UInt64, in file: PackFile) throws(HistoryError) -> Record {
        let body = try explaining { () throws(SystemError) in
            try file.read(header.storedCount, at: offset + UInt64(RecordHeader.byteCount))
        }
        return Record(header, body: body)
    }

    /// Runs one check or collection at a time.
    func underCare<Value>(_ body: () throws(HistoryError) -> Value) throws(HistoryError) -> Value {
        let isFree = shared.withLock { shared in
            defer { shared.isUnderCare = true }
            return !shared.isUnderCare
        }
        guard isFree else { throw .underCare() }
        defer { shared.withLock { $0.isUnderCare = false } }
        return try body()
    }
}
