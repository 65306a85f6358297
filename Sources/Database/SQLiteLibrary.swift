import CSQLite

/// The SQLite library of this machine.
package enum SQLiteLibrary {
    /// The version, such as 3040001 for 3.40.1.
    package static var version: Int { Int(sqlite3_libversion_number()) }
}
