import CSQLite
import Glibc

/// A failed call of SQLite. Its sentence names tables and columns, never values.
package struct SQLiteFailure: Error, Hashable, CustomStringConvertible {
    /// The extended code, such as 1034 for a failed `fsync`.
    package let extendedCode: CInt
    package let sentence: String
    /// The `errno` of the system call that failed; 0 if there was none.
    package let systemNumber: CInt

    /// The primary result code.
    package var code: CInt { extendedCode & 0xFF }

    /// Reads the state of the connection, so nothing may happen between the failed call and this one.
    init(_ code: CInt, of connection: OpaquePointer?) {
        // A connection knows more than the bare code, as long as its state is about the same failure.
        let known = connection.map { sqlite3_extended_errcode($0) } ?? code
        extendedCode = known & 0xFF == code & 0xFF ? known : code
        let text = known & 0xFF == code & 0xFF ? connection.flatMap { sqlite3_errmsg($0) } : sqlite3_errstr(code)
        sentence = text.map { String(cString: $0) } ?? "unknown failure"
        systemNumber = connection.map { sqlite3_system_errno($0) } ?? 0
    }

    /// A refusal by this module, under SQLite's code for such a failure.
    init(_ code: CInt, saying sentence: String) {
        extendedCode = code
        self.sentence = sentence
        systemNumber = 0
    }

    package var description: String { "SQLite \(extendedCode): \(sentence)" }
}

extension SQLiteFailure {
    package var isWantOfSpace: Bool {
        code == SQLITE_FULL || (code == SQLITE_IOERR && [ENOSPC, EDQUOT].contains(systemNumber))
    }

    package var isReadOnly: Bool {
        code == SQLITE_READONLY || ([SQLITE_CANTOPEN, SQLITE_IOERR].contains(code) && systemNumber == EROFS)
    }

    /// True if SQLite can't parse the file. A short read is 522, `SQLITE_IOERR_SHORT_READ`; Swift imports
    /// only the primary codes.
    package var isDamage: Bool {
        [SQLITE_CORRUPT, SQLITE_NOTADB].contains(code) || extendedCode == SQLITE_IOERR | 2 << 8
    }

    /// True if another connection holds the lock.
    package var isLocked: Bool { [SQLITE_BUSY, SQLITE_LOCKED].contains(code) }

    /// True if the file could not be opened, or not for this access.
    package var isForbidden: Bool { [SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH].contains(code) }

    /// True if the statement does not match the tables, for example if a table is missing.
    package var isMismatch: Bool { code == SQLITE_ERROR }

    /// True if the file computes something with a function that is not allowed.
    package var isForeignComputation: Bool {
        code == SQLITE_ERROR && (sentence.hasPrefix("unknown function") || sentence.hasPrefix("not authorized"))
    }

    /// True if the time limit was reached.
    package var isOutOfTime: Bool { code == SQLITE_INTERRUPT }

    /// True if the database or a part of it exceeds a limit. SQLite reports a program with too many steps as
    /// a lack of memory.
    package var isTooLarge: Bool { [SQLITE_TOOBIG, SQLITE_NOMEM].contains(code) }

    /// True if the cause is the file itself: it can't be opened or written, although no system call failed.
    package var speaksOfTheFileItself: Bool {
        [SQLITE_CANTOPEN, SQLITE_READONLY].contains(code) && systemNumber == 0
    }
}
