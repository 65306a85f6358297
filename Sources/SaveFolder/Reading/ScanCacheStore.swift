import Digests
import Glibc
import LinuxPlatform
import SaveRules
import Vocabulary

/// Keeps the scan cache in memory, and stores it on disk once reading the files again would cost more than writing it.
/// The identity of the folder is stored at once: after a crash, only it distinguishes an emptied folder from one whose
/// disk is not mounted.
struct ScanCacheStore {
    private static let file: AtomicFile = {
        guard let name = try? FileName("known-files") else { preconditionFailure("letters make a name") }
        return AtomicFile(name)
    }()
    /// Cost of opening a file, in bytes.
    private static let costOfFile: UInt64 = 4 << 10
    private static let leastCost: UInt64 = 1 << 20

    /// The identity of a folder.
    private struct Look: Equatable {
        let root: UInt64
        let isEmpty: Bool

        init(_ record: ScanCache) { (root, isEmpty) = (record.root, record.manifest == .empty) }
    }

    /// The cache in memory.
    private enum Memory {
        /// Only the disk has it, if it has any.
        case none
        /// As the last scan left it, and on disk, too.
        case saved(ScanCache)
        /// As the last scan left it.
        case unsaved(ScanCache)
        /// Encoded, which takes a third of the memory, and not on disk.
        case encoded([UInt8])
    }

    private var memory = Memory.none
    /// The identity on disk; nil if there is none.
    private var savedLook: Look?
    /// Number of bytes to read again if the program ended now.
    private var unsaved: UInt64 = 0

    /// The cache; nil if there is none or it is damaged. A temporary error of the disk must not empty it: an empty
    /// folder would count as one whose files were removed.
    mutating func record(_ notes: borrowing Folder) throws(SystemError) -> ScanCache? {
        switch memory {
        case .saved(let known), .unsaved(let known): return known
        case .encoded(let bytes):
            guard let record = ScanCache(decoding: bytes) else { return nil }
            memory = .unsaved(record)
            return record
        case .none:
            let record = ScanCache(decoding: try saved(notes))
            savedLook = record.map(Look.init)
            if let record { memory = .saved(record) }
            return record
        }
    }

    private func saved(_ notes: borrowing Folder) throws(SystemError) -> [UInt8] {
        do throws(SystemError) {
            return try Self.file.read(in: notes, limit: ScanCache.maximumByteCount)
        } catch {
            if error.number == ENOENT || error.number == EFBIG { return [] }
            throw error
        }
    }

    /// - Parameters:
    ///   - record: the present cache
    ///   - bytes: number of bytes that were read for it
    ///   - files: number of files that were read
    mutating func keep(_ record: ScanCache, read bytes: UInt64, files: Int, _ notes: borrowing Folder) {
        if !holds(record) {
            memory = .unsaved(record)
            unsaved += bytes + UInt64(files) * Self.costOfFile
        }
        let look = Look(record)
        // After a crash, a root that this program created must not count as one that a user has put there, either.
        guard savedLook != look || unsaved >= max(Self.leastCost, record.leastByteCount) else { return }
        // The next call tries again; other errors report a full disk.
        if (try? save(notes)) != nil { savedLook = look }
    }

    private func holds(_ record: ScanCache) -> Bool {
        switch memory {
        case .saved(let known), .unsaved(let known): known == record
        case .encoded, .none: false
        }
    }

    mutating func save(_ notes: borrowing Folder) throws(SystemError) {
        switch memory {
        case .unsaved(let record):
            try Self.file.write(record.encoded, in: notes, overwriting: .allowed)
            memory = .saved(record)
        case .encoded(let bytes):
            try Self.file.write(bytes, in: notes, overwriting: .allowed)
            memory = .none
        case .saved, .none: return
        }
        unsaved = 0
    }

    /// Keeps the cache in less memory until the next scan.
    mutating func rest() {
        switch memory {
        case .saved: memory = .none
        case .unsaved(let record): memory = .encoded(record.encoded)
        case .encoded, .none: return
        }
    }

    /// Drops the cache: the next scan reads everything, and compares with nothing.
    mutating func forget(_ notes: borrowing Folder) throws(SystemError) {
        do throws(SystemError) { try notes.remove(Self.file.name) } catch {
            if error.number != ENOENT { throw error }
        }
        self = ScanCacheStore()
    }
}
