import CSQLite
import Glibc

/// How long a statement waits for another program's writing to end.
private let patienceMilliseconds: CInt = 5000

extension Database {
    /// Opens a file of one's own that exists, or a database in memory.
    package convenience init(at path: String) throws(Failure) {
        self.init(
            owning: try Self.connection(to: path, SQLITE_OPEN_READWRITE),
            allowance: nil
        )
        sqlite3_busy_timeout(connection, patienceMilliseconds)
        huddle_defend(connection)
        huddle_keep_log_on_close(connection, 1)
    }

    /// Has the log written into the file when the last one closes it. Until this is called the file may be damaged, and what
    /// is set aside is to be what was found.
    package func trust() {
        huddle_keep_log_on_close(connection, 0)
    }

    /// Opens somebody else's file where it lies, to change it: nothing that the file itself brings is run, and it is looked
    /// through before anything is believed. The file may not be a link; the folders on the way may be, as where saves are gathered in one place.
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

    /// Opens the bytes of somebody else's file in memory, for looking and for making other bytes of it. No file is touched.
    package convenience init(image: DatabaseImage, limits: DatabaseLimits = DatabaseLimits()) throws(Failure) {
        let allowance = TimeAllowance(limits.time)
        self.init(owning: try Self.connection(to: ":memory:", SQLITE_OPEN_READWRITE), allowance: allowance)
        try load(image)
        try distrust(limits, allowance)
        try requireSound(limits)
    }

    /// The bytes of the file that this database would be, for one that was opened in memory.
    package func image() throws(Failure) -> [UInt8] {
        var count: sqlite3_int64 = 0
        // Where it was opened from bytes, SQLite shows them as they lie; else it makes a copy.
        if let bytes = sqlite3_serialize(connection, "main", &count, UInt32(SQLITE_SERIALIZE_NOCOPY)) {
            return Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
        }
        guard let bytes = sqlite3_serialize(connection, "main", &count, 0) else {
            throw Failure(SQLiteFailure(SQLITE_NOMEM, saying: "there is no memory for a copy of the database"))
        }
        defer { sqlite3_free(bytes) }
        return Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
    }

    /// SQLite refuses links anywhere in a path, or nowhere.
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
            throw Failure(SQLiteFailure(SQLITE_NOMEM, saying: "there is no memory for the database"))
        }
        // because the buffer was just made for so many bytes, all of which are set here
        image.fill(UnsafeMutableRawBufferPointer(start: buffer, count: count))
        // From here on the buffer is SQLite's, also where this fails.
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
