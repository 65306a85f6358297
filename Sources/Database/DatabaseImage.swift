import CSQLite

/// A database file and its log, opened in memory.
///
/// A program that keeps a write-ahead log (`-wal`) may have its latest changes only there. They are applied
/// to the copy in memory, and neither file is touched. As in SQLite, unfinished transactions are left out.
/// The bytes are copied once, into SQLite's own memory.
package struct DatabaseImage: Sendable {
    /// The first bytes of every database file.
    private static let opening = Array("SQLite format 3\0".utf8)

    private let file: [UInt8]
    /// The pages in the log, by number.
    private let pages: [Int: ArraySlice<UInt8>]
    private let pageSize: Int
    /// The size of the whole database.
    let byteCount: Int

    /// True if a file begins as a database does.
    package static func isDatabase(_ file: some Collection<UInt8>) -> Bool { file.starts(with: opening) }

    /// - Parameters:
    ///   - file: the whole file
    ///   - log: the whole file whose name ends in `-wal`; empty if there is none
    package init(
        file: [UInt8],
        log: [UInt8] = [],
        limits: DatabaseLimits = DatabaseLimits()
    ) throws(SQLiteFailure) {
        guard file.count <= limits.bytes, log.count <= limits.bytes else { throw Self.tooLarge(limits) }
        self.file = file
        if let log = WriteAheadLog(log), !log.pages.isEmpty {
            guard log.pageCount <= limits.bytes / log.pageSize else { throw Self.tooLarge(limits) }
            guard file.isEmpty || file.count >= 100 && Self.pageSize(file) == log.pageSize else {
                throw SQLiteFailure(SQLITE_CORRUPT, saying: "the log beside the database belongs to another one")
            }
            pages = log.pages.filter { $0.key <= log.pageCount }
            (pageSize, byteCount) = (log.pageSize, log.pageCount * log.pageSize)
        } else {
            (pages, pageSize, byteCount) = ([:], 0, file.count)
        }
        guard byteCount >= 100, Self.isDatabase(pages[1] ?? file[...]) else {
            throw SQLiteFailure(SQLITE_NOTADB, saying: "the file is not a database")
        }
        // SQLite would fill the rest of the last page with zeros, and so lose scores in it.
        guard pages.isEmpty ? Self.holdsWholePages(file) : hasWholePages else {
            throw SQLiteFailure(SQLITE_CORRUPT, saying: "the file ends in the middle of a page")
        }
    }

    /// True if the log has each page that is cut off in the file, or the database no longer includes that
    /// page.
    private var hasWholePages: Bool {
        let whole = file.count / pageSize
        return file.count.isMultiple(of: pageSize) || pages[whole + 1] != nil || (whole + 1) * pageSize > byteCount
    }

    /// Copies the whole database into memory of its size and initializes all of it.
    func fill(_ room: UnsafeMutableRawBufferPointer) {
        let kept = min(file.count, room.count)
        room.copyBytes(from: file[..<kept])
        // because the room is at least as large as the copied part
        UnsafeMutableRawBufferPointer(rebasing: room[kept...]).initializeMemory(as: UInt8.self, repeating: 0)
        for (page, contents) in pages {
            let start = (page - 1) * pageSize
            // because no page beyond the end of the room is kept
            UnsafeMutableRawBufferPointer(rebasing: room[start..<start + pageSize]).copyBytes(from: contents)
        }
        // A database in memory has no log, so the header must say that this one uses none.
        for place in 18...19 where room[place] == 2 { room[place] = 1 }
    }

    private static func pageSize(_ bytes: [UInt8]) -> Int {
        let stated = Int(bytes[16]) << 8 | Int(bytes[17])
        return stated == 1 ? 65_536 : stated
    }

    /// True also if the page size is invalid: SQLite itself reports that.
    private static func holdsWholePages(_ file: [UInt8]) -> Bool {
        let size = pageSize(file)
        return !(512...65_536).contains(size) || file.count.isMultiple(of: size)
    }

    private static func tooLarge(_ limits: DatabaseLimits) -> SQLiteFailure {
        SQLiteFailure(SQLITE_TOOBIG, saying: "the database is larger than \(limits.bytes) bytes")
    }
}
