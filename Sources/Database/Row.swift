import CSQLite

/// One row of an answer, valid while it is handed out. Nothing that stands in it is believed: each value is checked as if
/// it came from a stranger, for anybody may have edited the file.
package struct Row {
    private let statement: OpaquePointer
    private let columns: [String: CInt]

    init(_ statement: OpaquePointer, _ columns: [String: CInt]) {
        self.statement = statement
        self.columns = columns
    }

    /// Nil where there is no value.
    package func optionalInteger(_ column: String) throws(UnreadableValue) -> Int64? {
        let place = place(of: column)
        switch sqlite3_column_type(statement, place) {
        case SQLITE_NULL: return nil
        case SQLITE_INTEGER: return sqlite3_column_int64(statement, place)
        default: throw UnreadableValue(column: column)
        }
    }

    /// Nil where there is no value.
    package func optionalText(_ column: String) throws(UnreadableValue) -> String? {
        let place = place(of: column)
        switch sqlite3_column_type(statement, place) {
        case SQLITE_NULL: return nil
        case SQLITE_TEXT: break
        default: throw UnreadableValue(column: column)
        }
        // Asked for as text it is UTF-8, also where the database keeps its texts in UTF-16. The address comes first, as below.
        let start = sqlite3_column_text(statement, place)
        let bytes = UnsafeBufferPointer(
            start: start,
            count: start == nil ? 0 : Int(sqlite3_column_bytes(statement, place))
        )
        guard let text = String(validating: bytes, as: UTF8.self) else { throw UnreadableValue(column: column) }
        return text
    }

    /// Whatever stands there, of whatever kind: for tables whose columns hold what their writer liked.
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

    /// A whole number; nothing is a fault.
    package func integer(_ column: String) throws(UnreadableValue) -> Int64 {
        try required(try optionalInteger(column), column)
    }

    /// A text; nothing is a fault.
    package func text(_ column: String) throws(UnreadableValue) -> String {
        try required(try optionalText(column), column)
    }

    /// Nil where there is no value.
    package func optionalBytes(_ column: String) throws(UnreadableValue) -> [UInt8]? {
        let place = place(of: column)
        switch sqlite3_column_type(statement, place) {
        case SQLITE_NULL: return nil
        case SQLITE_BLOB: return copiedBytes(at: place)
        default: throw UnreadableValue(column: column)
        }
    }

    /// Bytes; nothing is a fault.
    package func bytes(_ column: String) throws(UnreadableValue) -> [UInt8] {
        try required(try optionalBytes(column), column)
    }

    /// Nothing is a fault.
    package func required<Value>(_ value: Value?, _ column: String) throws(UnreadableValue) -> Value {
        guard let value else { throw UnreadableValue(column: column) }
        return value
    }

    private func place(of column: String) -> CInt {
        guard let place = columns[column] else { preconditionFailure("a statement has no column “\(column)”") }
        return place
    }

    private func copiedBytes(at place: CInt) -> [UInt8] {
        // The address comes first, for asking for it may change how many bytes there are.
        let start = sqlite3_column_blob(statement, place)
        let count = Int(sqlite3_column_bytes(statement, place))
        return Array(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
    }
}
