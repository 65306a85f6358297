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
        /// As the last scan left it.
        case whole(ScanCache)
        /// Encoded, which takes a third of the memory, and not on disk.
        case encoded([UInt8])
    }

    private var memory = Memory.none
    /// True if the cache in memory is on disk, too.
    private var isSaved = true
    /// The identity on disk; nil if there is none.
    private var savedLook: Look?
    /// Number of bytes to read again if the program ended now.
    private var unsaved: UInt64 = 0

    /// The cache; nil if there is none or it is damaged. A temporary error of the disk must not empty it: an empty
    /// folder would count as one whose files were removed.
    mutating func record(_ notes: borrowing Folder) throws(SystemError) -> ScanCache? {
        let record: ScanCache?
        switch memory {
        case .whole(let known): return known
        case .encoded(let bytes): record = ScanCache(decoding: bytes)
        case .none:
            record = ScanCache(decoding: try saved(notes))
            savedLook = record.map(Look.init)
        }
        if let record { memory = .whole(record) }
        return record
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
            (memory, isSaved) = (.whole(record), false)
            unsaved += bytes + UInt64(files) * Self.costOfFile
        }
        let look = Look(record)
        // After a crash, a root that this program created must not count as one that a user has put there, either.
        guard savedLook != look || unsaved >= max(Self.leastCost, record.leastByteCount) else { return }
        // The next call tries again; other errors report a full disk.
        if (try? save(notes)) != nil { savedLook = look }
    }

    private func holds(_ record: ScanCache) -> Bool {
        if case .whole(let known) = memory { known == record } else { false }
    }

    mutating func save(_ notes: borrowing Folder) throws(SystemError) {
        let encoded: [UInt8]
        switch memory {
        case .whole(let record) where !isSaved: encoded = record.encoded
        case .encoded(let bytes): encoded = bytes
        case .whole, .none: return
        }
        try Self.file.write(encoded, in: notes, overwriting: .allowed)
        if case .encoded = memory { memory = .none }
        (isSaved, unsaved) = (true, 0)
    }

    /// Keeps the cache in less memory until the next scan.
    mutating func rest() {
        guard case .whole(let record) = memory else { return }
        memory = isSaved ? .none : .encoded(record.encoded)
    }

    /// Drops the cache: the next scan reads everything, and compares with nothing.
    mutating func forget(_ notes: borrowing Folder) throws(SystemError) {
        do throws(SystemError) { try notes.remove(Self.file.name) } catch {
            if error.number != ENOENT { throw error }
        }
        self = ScanCacheStore()
    }
}
