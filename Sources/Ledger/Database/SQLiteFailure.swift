import CSQLite
import Glibc

/// What SQLite said about a call that failed. Its sentences name tables and columns, never values.
struct SQLiteFailure: Error, Hashable, CustomStringConvertible {
    /// The extended code, such as 1034 for a failed `fsync`.
    let extendedCode: CInt
    let sentence: String
    /// The kernel's error number, where a call into it lay underneath; else 0.
    let systemNumber: CInt

    /// The code without what refines it.
    var code: CInt { extendedCode & 0xFF }

    /// Takes the state of the connection as it stands, so nothing may come between the call and this.
    init(_ code: CInt, of connection: OpaquePointer?) {
        // A connection says more than the bare code, as long as it speaks of the same failure.
        let known = connection.map { sqlite3_extended_errcode($0) } ?? code
        extendedCode = known & 0xFF == code & 0xFF ? known : code
        let text = known & 0xFF == code & 0xFF ? connection.flatMap { sqlite3_errmsg($0) } : sqlite3_errstr(code)
        sentence = text.map { String(cString: $0) } ?? "unknown failure"
        systemNumber = connection.map { sqlite3_system_errno($0) } ?? 0
    }

    var description: String { "SQLite \(extendedCode): \(sentence)" }
}

extension SQLiteFailure {
    var isWantOfSpace: Bool {
        code == SQLITE_FULL || (code == SQLITE_IOERR && [ENOSPC, EDQUOT].contains(systemNumber))
    }

    var isReadOnly: Bool {
        code == SQLITE_READONLY || ([SQLITE_CANTOPEN, SQLITE_IOERR].contains(code) && systemNumber == EROFS)
    }

    /// What it does not know how to read. A short read is 522; Swift sees only the plain codes.
    var isDamage: Bool { [SQLITE_CORRUPT, SQLITE_NOTADB].contains(code) || extendedCode == SQLITE_IOERR | 2 << 8 }
}
