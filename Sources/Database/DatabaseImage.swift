import CSQLite

/// The bytes of a database file, with its log worked in, as they are opened in memory.
///
/// A program that keeps a log beside its database (`-wal`) may have left its last words there. Here they are put where they
/// belong without touching either file; what was begun and not finished is left out, as SQLite would.
package struct DatabaseImage: Sendable {
    /// The first bytes of every such file.
    private static let opening = Array("SQLite format 3\0".utf8)

    /// The whole file.
    package private(set) var bytes: [UInt8]

    /// Whether a file begins as a database does.
    package static func isDatabase(_ file: some Collection<UInt8>) -> Bool { file.starts(with: opening) }

    /// - Parameters:
    ///   - file: all of the file
    ///   - log: all of the file beside it whose name ends in `-wal`; nothing where there is none
    package init(
        file: [UInt8],
        log: [UInt8] = [],
        limits: DatabaseLimits = DatabaseLimits()
    ) throws(SQLiteFailure) {
        guard file.count <= limits.bytes, log.count <= limits.bytes else { throw Self.tooLarge(limits) }
        bytes = file
        if let log = WriteAheadLog(log), !log.pages.isEmpty { try workIn(log, limits) }
        guard bytes.count >= 100, Self.isDatabase(bytes) else {
            throw SQLiteFailure(SQLITE_NOTADB, saying: "the file is not a database")
        }
        // A database in memory has no log, so that this one says of itself that it keeps none.
        for place in 18...19 where bytes[place] == 2 { bytes[place] = 1 }
    }

    private mutating func workIn(_ log: WriteAheadLog, _ limits: DatabaseLimits) throws(SQLiteFailure) {
        guard log.pageCount <= limits.bytes / log.pageSize else { throw Self.tooLarge(limits) }
        guard bytes.isEmpty || bytes.count >= 100 && Self.pageSize(bytes) == log.pageSize else {
            throw SQLiteFailure(SQLITE_CORRUPT, saying: "the log beside the database belongs to another one")
        }
        let wanted = log.pageCount * log.pageSize
        bytes.removeLast(max(0, bytes.count - wanted))
        bytes.append(contentsOf: repeatElement(0, count: wanted - bytes.count))
        for (page, contents) in log.pages where page <= log.pageCount {
            let start = (page - 1) * log.pageSize
            bytes.replaceSubrange(start..<start + log.pageSize, with: contents)
        }
    }

    private static func pageSize(_ bytes: [UInt8]) -> Int {
        let stated = Int(bytes[16]) << 8 | Int(bytes[17])
        return stated == 1 ? 65_536 : stated
    }

    private static func tooLarge(_ limits: DatabaseLimits) -> SQLiteFailure {
        SQLiteFailure(SQLITE_TOOBIG, saying: "the database is larger than \(limits.bytes) bytes")
    }
}
