import CSQLite

/// One row of a result, valid only while the closure that received it runs. Each value is checked like
/// untrusted input, because anyone may have edited the file.
package struct Row {
    private let statement: OpaquePointer
    private let columns: [String: CInt]

    init(_ statement: OpaquePointer, _ columns: [String: CInt]) {
        self.statement = statement
        self.columns = columns
    }

    /// The integer; nil for NULL.
    package func optionalInteger(_ column: String) throws(UnreadableValue) -> Int64? {
        let place = place(of: column)
        switch sqlite3_column_type(statement, place) {
        case SQLITE_NULL: return nil
        case SQLITE_INTEGER: return sqlite3_column_int64(statement, place)
        default: throw UnreadableValue(column: column)
        }
    }

    /// The text; nil for NULL.
    package func optionalText(_ column: String) throws(UnreadableValue) -> String? {
        let place = place(of: column)
        switch sqlite3_column_type(statement, place) {
        case SQLITE_NULL: return nil
        case SQLITE_TEXT: break
        default: throw UnreadableValue(column: column)
        }
        // SQLite converts the text to UTF-8 even if the database uses UTF-16. The address must come first, as
        // in `copiedBytes`.
        let start = sqlite3_column_text(statement, place)
        let bytes = UnsafeBufferPointer(
            start: start,
            count: start == nil ? 0 : Int(sqlite3_column_bytes(statement, place))
        )
        guard let text = String(validating: bytes, as: UTF8.self) else { throw UnreadableValue(column: column) }
        return text
    }

    /// The value of any type, for tables whose columns are not restricted to one.
    package func value(_ column: String) throws(UnreadableValue) -> SQLValue {
        let place = place(of: column)
        switch sqlite3_column_type(statement, place) {
        case SQLITE_NULL: return .null
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, place))
        case SQLITE_FLOAT: return .real(sqlite3_column_double(statement, place))
        case SQLITE_TEXT: return .text(try text(column))
        default: return .bytes(copiedBytes(at: place))
        }
    }

    /// The integer; NULL throws.
    package func integer(_ column: String) throws(UnreadableValue) -> Int64 {
        try required(try optionalInteger(column), column)
    }

    /// The text; NULL throws.
    package func text(_ column: String) throws(UnreadableValue) -> String {
        try required(try optionalText(column), column)
    }

    /// The bytes; nil for NULL.
    package func optionalBytes(_ column: String) throws(UnreadableValue) -> [UInt8]? {
        let place = place(of: column)
        switch sqlite3_column_type(statement, place) {
        case SQLITE_NULL: return nil
        case SQLITE_BLOB: return copiedBytes(at: place)
        default: throw UnreadableValue(column: column)
        }
    }

    /// The bytes; NULL throws.
    package func bytes(_ column: String) throws(UnreadableValue) -> [UInt8] {
        try required(try optionalBytes(column), column)
    }

    /// The value; nil throws.
    package func required<Value>(_ value: Value?, _ column: String) throws(UnreadableValue) -> Value {
        guard let value else { throw UnreadableValue(column: column) }
        return value
    }

    private func place(of column: String) -> CInt {
        guard let place = columns[column] else { preconditionFailure("a statement has no column “\(column)”") }
        return place
    }

    private func copiedBytes(at place: CInt) -> [UInt8] {
        // The address must come first, because asking for it may convert the value and change the number of
        // bytes.
        let start = sqlite3_column_blob(statement, place)
        let count = Int(sqlite3_column_bytes(statement, place))
        return Array(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
    }
}
