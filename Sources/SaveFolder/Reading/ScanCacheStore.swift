import Digests
import Glibc
import LinuxPlatform
import SaveRules
import Vocabulary

/// Stores the scan cache on disk once reading the files again would cost more than writing it, and in memory until
/// then. The identity of the folder is stored at once: after a crash, only it distinguishes an emptied folder from one
/// whose disk is not mounted.
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

    /// Encoded cache that is not on disk yet; nil if all is.
    private var waiting: [UInt8]?
    /// The identity on disk; nil if there is none.
    private var savedLook: Look?
    /// The digest at the end of the cache.
    private var digest: [UInt8] = []
    /// Number of bytes to read again if the program ended now.
    private var unsaved: UInt64 = 0

    /// The cache; nil if there is none or it is damaged. A temporary error of the disk must not empty it: an empty
    /// folder would count as one whose files were removed.
    mutating func record(_ notes: borrowing Folder) throws(SystemError) -> ScanCache? {
        let bytes: [UInt8]
        if let waiting { bytes = waiting } else { bytes = try saved(notes) }
        let record = ScanCache(decoding: bytes)
        if waiting == nil { savedLook = record.map(Look.init) }
        digest = record == nil ? [] : Array(bytes.suffix(Digest.byteCount))
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
        let encoded = record.encoded
        if !encoded.suffix(Digest.byteCount).elementsEqual(digest) {
            digest = Array(encoded.suffix(Digest.byteCount))
            waiting = encoded
            unsaved += bytes + UInt64(files) * Self.costOfFile
        }
        let look = Look(record)
        // After a crash, a root that this program created must not count as one that a user has put there, either.
        guard savedLook != look || unsaved >= max(Self.leastCost, UInt64(encoded.count)) else { return }
        // The next call tries again; other errors report a full disk.
        if (try? save(notes)) != nil { savedLook = look }
    }

    mutating func save(_ notes: borrowing Folder) throws(SystemError) {
        guard let encoded = waiting else { return }
        try Self.file.write(encoded, in: notes, overwriting: .allowed)
        (waiting, unsaved) = (nil, 0)
    }

    /// Drops the cache: the next scan reads everything, and compares with nothing.
    mutating func forget(_ notes: borrowing Folder) throws(SystemError) {
        do throws(SystemError) { try notes.remove(Self.file.name) } catch {
            if error.number != ENOENT { throw error }
        }
        self = ScanCacheStore()
    }
}
