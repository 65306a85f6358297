import CSQLite
import Glibc

/// What SQLite said about a call that failed. Its sentences name tables and columns, never values.
package struct SQLiteFailure: Error, Hashable, CustomStringConvertible {
    /// The extended code, such as 1034 for a failed `fsync`.
    package let extendedCode: CInt
    package let sentence: String
    /// The kernel's error number, where a call into it lay underneath; else 0.
    package let systemNumber: CInt

    /// The code without what refines it.
    package var code: CInt { extendedCode & 0xFF }

    /// Takes the state of the connection as it stands, so nothing may come between the call and this.
    init(_ code: CInt, of connection: OpaquePointer?) {
        // A connection says more than the bare code, as long as it speaks of the same failure.
        let known = connection.map { sqlite3_extended_errcode($0) } ?? code
        extendedCode = known & 0xFF == code & 0xFF ? known : code
        let text = known & 0xFF == code & 0xFF ? connection.flatMap { sqlite3_errmsg($0) } : sqlite3_errstr(code)
        sentence = text.map { String(cString: $0) } ?? "unknown failure"
        systemNumber = connection.map { sqlite3_system_errno($0) } ?? 0
    }

    /// A refusal of this module's own, under the code that SQLite has for such a thing.
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

    /// What it does not know how to read. A short read is 522; Swift sees only the plain codes.
    package var isDamage: Bool {
        [SQLITE_CORRUPT, SQLITE_NOTADB].contains(code) || extendedCode == SQLITE_IOERR | 2 << 8
    }

    /// Another connection has it locked.
    package var isLocked: Bool { [SQLITE_BUSY, SQLITE_LOCKED].contains(code) }

    /// The file could not be opened, or not for this.
    package var isForbidden: Bool { [SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH].contains(code) }

    /// The statement and the tables don't go together, such as a table that isn't there.
    package var isMismatch: Bool { code == SQLITE_ERROR }

    /// Something in the file computes with a function that is not allowed there, or never is.
    package var isForeignComputation: Bool {
        code == SQLITE_ERROR && (sentence.hasPrefix("unknown function") || sentence.hasPrefix("not authorized"))
    }

    /// It took longer than was allowed.
    package var isOutOfTime: Bool { code == SQLITE_INTERRUPT }

    /// It, or something in it, is larger than was allowed. Of a program of too many steps, SQLite says that memory is missing.
    package var isTooLarge: Bool { [SQLITE_TOOBIG, SQLITE_NOMEM].contains(code) }

    /// For no reason outside of the file: it can't be opened, or can't be written, although the kernel said nothing.
    package var speaksOfTheFileItself: Bool {
        [SQLITE_CANTOPEN, SQLITE_READONLY].contains(code) && systemNumber == 0
    }
}
