import CSQLite

/// The library that was found on this machine.
package enum SQLiteLibrary {
    /// Such as 3040001 for 3.40.1.
    package static var version: Int { Int(sqlite3_libversion_number()) }
}
