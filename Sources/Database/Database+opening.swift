import CSQLite
import Glibc

/// The time that a statement waits for another program's write to end.
private let patienceMilliseconds: CInt = 5000

extension Database {
    /// Opens an existing file of Huddle's own, or a database in memory.
    package convenience init(at path: String) throws(Failure) {
        self.init(
            owning: try Self.connection(to: path, SQLITE_OPEN_READWRITE),
            allowance: nil
        )
        sqlite3_busy_timeout(connection, patienceMilliseconds)
        huddle_defend(connection)
        huddle_keep_log_on_close(connection, 1)
    }

    /// Checkpoints the log into the file when the last connection closes. Before this call the file may be
    /// damaged, and a damaged file must be set aside unchanged.
    package func trust() {
        huddle_keep_log_on_close(connection, 0)
    }

    /// Opens another program's file at its path, for changes. It runs no code from the file and checks the
    /// file before any query. The file may not be a link. Folders on the way may be links, because some users
    /// gather their saves in one folder.
    package convenience init(strangerAt path: String, limits: DatabaseLimits = DatabaseLimits()) throws(Failure) {
        let allowance = TimeAllowance(limits.time)
        self.init(
            owning: try Self.connection(
                to: Self.withoutFolderLinks(path),
                SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOFOLLOW
            ),
            allowance: allowance
        )
        sqlite3_busy_timeout(connection, patienceMilliseconds)
        try distrust(limits, allowance)
        try requireSound(limits)
    }

    /// Opens the bytes of another program's file in memory, to read them and to make changed bytes of them.
    /// It touches no file.
    package convenience init(image: DatabaseImage, limits: DatabaseLimits = DatabaseLimits()) throws(Failure) {
        let allowance = TimeAllowance(limits.time)
        self.init(owning: try Self.connection(to: ":memory:", SQLITE_OPEN_READWRITE), allowance: allowance)
        try load(image)
        try distrust(limits, allowance)
        try requireSound(limits)
    }

    /// The bytes of this database as a file, for one that was opened in memory.
    package func image() throws(Failure) -> [UInt8] {
        var count: sqlite3_int64 = 0
        // For a database opened from bytes, SQLite exposes its own memory; otherwise it makes a copy.
        if let bytes = sqlite3_serialize(connection, "main", &count, UInt32(SQLITE_SERIALIZE_NOCOPY)) {
            return Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
        }
        guard let bytes = sqlite3_serialize(connection, "main", &count, 0) else {
            throw Failure(SQLiteFailure(SQLITE_NOMEM, saying: "not enough memory for a copy of the database"))
        }
        defer { sqlite3_free(bytes) }
        return Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
    }

    /// The path with the links in its folders resolved: SQLite refuses links anywhere in a path, or nowhere.
    private static func withoutFolderLinks(_ path: String) -> String {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex,
            let folder = realpath(String(path[..<slash]), nil)
        else { return path }
        defer { free(folder) }
        return String(cString: folder) + path[slash...]
    }

    private static func connection(to path: String, _ flags: CInt) throws(Failure) -> OpaquePointer {
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(path, &opened, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
        guard code == SQLITE_OK, let opened else {
            let failure = SQLiteFailure(code, of: opened)
            sqlite3_close_v2(opened)
            throw Failure(failure)
        }
        return opened
    }

    private func load(_ image: DatabaseImage) throws(Failure) {
        let count = image.byteCount
        guard let buffer = sqlite3_malloc64(sqlite3_uint64(count)) else {
            throw Failure(SQLiteFailure(SQLITE_NOMEM, saying: "not enough memory for the database"))
        }
        // because the buffer was just made for so many bytes, all of which are set here
        image.fill(UnsafeMutableRawBufferPointer(start: buffer, count: count))
        // From here on SQLite owns the buffer, even if this call fails.
        let code = sqlite3_deserialize(
            connection,
            "main",
            buffer.assumingMemoryBound(to: UInt8.self),
            sqlite3_int64(count),
            sqlite3_int64(count),
            UInt32(SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE)
        )
        guard code == SQLITE_OK else { throw Failure(SQLiteFailure(code, of: connection)) }
    }
}
