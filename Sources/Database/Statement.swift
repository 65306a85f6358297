import CSQLite

/// A prepared statement for repeated use. It belongs to its ``Database``, which keeps it until it closes.
final class Statement<Failure: DatabaseFailure> {
    private let connection: OpaquePointer
    private let raw: OpaquePointer
    let columns: [String: CInt]

    init(_ sql: StaticString, on connection: OpaquePointer) throws(Failure) {
        var made: OpaquePointer?
        let code = sql.withUTF8Buffer { text in
            // because SQLite counts the same bytes as signed characters
            text.withMemoryRebound(to: CChar.self) { characters in
                sqlite3_prepare_v3(
                    connection,
                    characters.baseAddress,
                    CInt(characters.count),
                    UInt32(SQLITE_PREPARE_PERSISTENT),
                    &made,
                    nil
                )
            }
        }
        guard code == SQLITE_OK else { throw Failure(SQLiteFailure(code, of: connection)) }
        guard let made else { preconditionFailure("a statement in the source is not empty") }
        raw = made
        self.connection = connection
        var columns: [String: CInt] = [:]
        for place in 0..<sqlite3_column_count(made) {
            if let name = sqlite3_column_name(made, place) { columns[String(cString: name)] = place }
        }
        self.columns = columns
    }

    deinit {
        sqlite3_finalize(raw)
    }

    /// Binds the parameters, passes each row to the closure, and resets the statement.
    func run(_ values: [SQLValue], _ take: (Row) throws(Failure) -> Void) throws(Failure) {
        precondition(sqlite3_bind_parameter_count(raw) == CInt(values.count), "one value for each place of a statement")
        precondition(sqlite3_stmt_busy(raw) == 0, "a statement is used by one at a time")
        // `sqlite3_reset` returns the failure of the last step, which this method has thrown already.
        defer {
            sqlite3_reset(raw)
            sqlite3_clear_bindings(raw)
        }
        for (place, value) in values.enumerated() { try bind(value, at: CInt(place + 1)) }
        while true {
            let code = sqlite3_step(raw)
            switch code {
            case SQLITE_ROW: try take(Row(raw, columns))
            case SQLITE_DONE: return
            default: throw Failure(SQLiteFailure(code, of: connection))
            }
        }
    }

    private func bind(_ value: SQLValue, at place: CInt) throws(Failure) {
        let code =
            switch value {
            case .null: sqlite3_bind_null(raw, place)
            case .integer(let number): sqlite3_bind_int64(raw, place, number)
            case .real(let number): sqlite3_bind_double(raw, place, number)
            case .text(let text):
                text.withCString { huddle_bind_text(raw, place, $0, sqlite3_uint64(text.utf8.count)) }
            case .bytes(let bytes):
                bytes.withUnsafeBytes {
                    huddle_bind_bytes(raw, place, $0.baseAddress, sqlite3_uint64($0.count))
                }
            }
        guard code == SQLITE_OK else { throw Failure(SQLiteFailure(code, of: connection)) }
    }
}
