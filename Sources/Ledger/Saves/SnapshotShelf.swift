import Database
public import SaveRules
import Synchronization
public import Vocabulary

/// A reader of the known snapshots of all sets in the ledger's file, for any thread. It keeps a few of the latest ones
/// in memory.
///
/// It has a connection of its own, so that it never waits for a writer. A row is trusted only if its digest is the
/// requested id.
public final class SnapshotShelf: SnapshotSource {
    /// A function that decodes a snapshot; nil if the encoding is not that snapshot's.
    public typealias Decoding = @Sendable (_ bytes: [UInt8], _ id: SnapshotID) -> Snapshot?

    private let state: Mutex<State>

    private struct State: ~Copyable {
        let database: LedgerDatabase
        let decode: Decoding
        let folder: LedgerFolder
        var cache: SnapshotCache

        /// Reads a row; nil also if the disk fails.
        func row<Value>(
            _ sql: StaticString,
            of id: SnapshotID,
            _ set: SaveSetID,
            read: (Row) throws(UnreadableValue) -> Value
        ) -> Value? {
            do throws(LedgerError) {
                return try database.row(sql, SQLValue(set), .bytes(id.bytes), read: read)
            } catch {
                if error.failure?.isDamage == true { folder.suspect() }
                return nil
            }
        }
    }

    init(
        _ database: sending LedgerDatabase,
        in folder: LedgerFolder,
        _ decode: @escaping Decoding,
        cacheByteCount: Int
    ) {
        let cache = SnapshotCache(byteCount: cacheByteCount)
        state = Mutex(State(database: database, decode: decode, folder: folder, cache: cache))
    }

    /// Reads a snapshot of a set; nil if it is unknown or can't be read.
    public func snapshot(_ id: SnapshotID, of set: SaveSetID) -> Snapshot? {
        state.withLock { state in
            // A snapshot that this set does not know may be another set's.
            if let known = state.cache[id], known.set == set { return known }
            let sql: StaticString = "SELECT bytes FROM save_snapshots WHERE save_set = ? AND id = ?"
            let bytes = state.row(sql, of: id, set) { row throws(UnreadableValue) in try row.bytes("bytes") }
            guard let bytes, let found = state.decode(bytes, id), found.set == set else { return nil }
            state.cache.add(found)
            return found
        }
    }

    /// The arrival of a snapshot; nil if it is unknown.
    public func arrival(of id: SnapshotID, in set: SaveSetID) -> SnapshotArrival? {
        state.withLock { state in
            let sql: StaticString = "SELECT id, place, came_at FROM save_snapshots WHERE save_set = ? AND id = ?"
            return state.row(sql, of: id, set, read: SnapshotArrival.init)
        }
    }

    /// Empties the memory when there is nothing to do for now, or when a set was forgotten.
    public func forget() {
        state.withLock { $0.cache.forget() }
    }

    /// The approximate size of the snapshots in memory, in bytes.
    public var cachedByteCount: Int { state.withLock { $0.cache.count } }
}

/// A cache of the snapshots that were read last, up to a number of bytes. Half of the bytes are for a young part, which
/// becomes the old part once it is full.
struct SnapshotCache {
    private let limit: Int
    private var (young, old) = ([SnapshotID: Snapshot](), [SnapshotID: Snapshot]())
    private var (youngCount, oldCount) = (0, 0)

    init(byteCount: Int) { limit = byteCount }

    var count: Int { youngCount + oldCount }

    subscript(id: SnapshotID) -> Snapshot? {
        mutating get {
            if let known = young[id] { return known }
            guard let known = old.removeValue(forKey: id) else { return nil }
            oldCount -= Self.cost(of: known)
            add(known)
            return known
        }
    }

    /// Adds a snapshot, unless it takes more than an eighth of the limit.
    mutating func add(_ snapshot: Snapshot) {
        let cost = Self.cost(of: snapshot)
        guard cost <= limit / 8 else { return }
        if youngCount + cost > limit / 2 {
            (old, oldCount) = (young, youngCount)
            (young, youngCount) = ([:], 0)
        }
        if young.updateValue(snapshot, forKey: snapshot.id) == nil { youngCount += cost }
    }

    mutating func forget() { self = SnapshotCache(byteCount: limit) }

    /// The approximate memory of a snapshot: peers, parents and pieces take about their encoded size, and each list
    /// some more.
    private static func cost(of snapshot: Snapshot) -> Int { 512 + snapshot.byteCount * 5 / 4 }
}

extension Ledger {
    /// Opens a reader of the known snapshots.
    /// - Parameters:
    ///   - cacheByteCount: the number of bytes that stay in memory, of all sets together
    ///   - decode: decodes a snapshot
    public func openShelf(
        cacheByteCount: Int = 4 << 20,
        _ decode: @escaping SnapshotShelf.Decoding
    ) throws(LedgerError) -> SnapshotShelf {
        try requireOwnFile()
        let reader = try LedgerDatabase(at: folder.path(of: LedgerFolder.fileName))
        try reader.execute("PRAGMA query_only = ON; PRAGMA trusted_schema = OFF; PRAGMA cache_size = -1024")
        reader.trust()
        return SnapshotShelf(reader, in: folder, decode, cacheByteCount: cacheByteCount)
    }
}
