import Database
public import SaveRules
import Synchronization
public import Vocabulary

/// Reads the snapshots that are known, of all sets, from the ledger's file, on whatever thread wants one, and keeps a few of the latest
/// that were asked for in memory.
///
/// It has a connection of its own, so that it never waits for a writer. What a row says is believed only if it has the digest that it is
/// called by.
public final class SnapshotShelf: SnapshotSource {
    /// Makes a snapshot of its encoding; nil if the encoding is not that snapshot's.
    public typealias Decoding = @Sendable (_ bytes: [UInt8], _ id: SnapshotID) -> Snapshot?

    private let state: Mutex<State>

    private struct State: ~Copyable {
        let database: LedgerDatabase
        let decode: Decoding
        let folder: LedgerFolder
        var cache: SnapshotCache

        /// Nil also if the disk fails.
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

    /// A snapshot that is known of a set; nil if there is none, or if it can't be read.
    public func snapshot(_ id: SnapshotID, of set: SaveSetID) -> Snapshot? {
        state.withLock { state in
            // What a set does not know, another may.
            if let known = state.cache[id], known.set == set { return known }
            let sql: StaticString = "SELECT bytes FROM save_snapshots WHERE save_set = ? AND id = ?"
            let bytes = state.row(sql, of: id, set) { row throws(UnreadableValue) in try row.bytes("bytes") }
            guard let bytes, let found = state.decode(bytes, id), found.set == set else { return nil }
            state.cache.add(found)
            return found
        }
    }

    /// When a snapshot came here; nil if it is not known.
    public func arrival(of id: SnapshotID, in set: SaveSetID) -> SnapshotArrival? {
        state.withLock { state in
            let sql: StaticString = "SELECT id, place, came_at FROM save_snapshots WHERE save_set = ? AND id = ?"
            return state.row(sql, of: id, set, read: SnapshotArrival.init)
        }
    }

    /// Forgets what is in memory, because there is nothing to do for now, or a set was forgotten.
    public func forget() {
        state.withLock { $0.cache.forget() }
    }

    /// How many bytes of snapshots are in memory now, about.
    public var cachedByteCount: Int { state.withLock { $0.cache.count } }
}

/// The latest snapshots that were asked for, up to so many bytes: half of them in a young part, which becomes the old one once it is full.
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

    /// One that takes more than a part of it is not kept in memory.
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

    /// Peers, parents and pieces take about as much in memory as they are long, and each list something beside that.
    private static func cost(of snapshot: Snapshot) -> Int { 512 + snapshot.byteCount * 5 / 4 }
}

extension Ledger {
    /// Opens what reads the snapshots that are known.
    /// - Parameters:
    ///   - cacheByteCount: how many bytes of them stay in memory, of all sets together
    ///   - decode: makes a snapshot of its encoding
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
