import CSQLite

/// A database file and the log beside it, as they are opened in memory.
///
/// A program that keeps a log beside its database (`-wal`) may have left its last words there. They are put where they
/// belong without touching either file; what was begun and not finished is left out, as SQLite would. The bytes are copied once, into SQLite's own
/// memory.
package struct DatabaseImage: Sendable {
    /// The first bytes of every such file.
    private static let opening = Array("SQLite format 3\0".utf8)

    private let file: [UInt8]
    /// The pages that stand in the log, by number, and how large each is.
    private let pages: [Int: ArraySlice<UInt8>]
    private let pageSize: Int
    /// Of the whole database.
    let byteCount: Int

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
        // SQLite would take zeros for the rest of the last page, and so for scores that stood there.
        guard pages.isEmpty ? Self.holdsWholePages(file) : hasWholePages else {
            throw SQLiteFailure(SQLITE_CORRUPT, saying: "the file ends in the middle of a page")
        }
    }

    /// Whether a page that is cut off in the file stands whole in the log, or belongs to the database no more.
    private var hasWholePages: Bool {
        let whole = file.count / pageSize
        return file.count.isMultiple(of: pageSize) || pages[whole + 1] != nil || (whole + 1) * pageSize > byteCount
    }

    /// Puts the whole database into room of its size, all of which is set.
    func fill(_ room: UnsafeMutableRawBufferPointer) {
        let kept = min(file.count, room.count)
        room.copyBytes(from: file[..<kept])
        // because the room has more than is kept, or just as much
        UnsafeMutableRawBufferPointer(rebasing: room[kept...]).initializeMemory(as: UInt8.self, repeating: 0)
        for (page, contents) in pages {
            let start = (page - 1) * pageSize
            // because no page is kept that lies beyond the room
            UnsafeMutableRawBufferPointer(rebasing: room[start..<start + pageSize]).copyBytes(from: contents)
        }
        // A database in memory has no log, so that this one says of itself that it keeps none.
        for place in 18...19 where room[place] == 2 { room[place] = 1 }
    }

    private static func pageSize(_ bytes: [UInt8]) -> Int {
        let stated = Int(bytes[16]) << 8 | Int(bytes[17])
        return stated == 1 ? 65_536 : stated
    }

    /// Also true where the size of its pages can't be right, which SQLite says itself.
    private static func holdsWholePages(_ file: [UInt8]) -> Bool {
        let size = pageSize(file)
        return !(512...65_536).contains(size) || file.count.isMultiple(of: size)
    }

    private static func tooLarge(_ limits: DatabaseLimits) -> SQLiteFailure {
        SQLiteFailure(SQLITE_TOOBIG, saying: "the database is larger than \(limits.bytes) bytes")
    }
}
