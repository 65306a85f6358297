/// The error type of a module with a database: it explains SQLite's failures in its own words.
package protocol DatabaseFailure: Error {
    /// A call of SQLite failed.
    init(_ failure: SQLiteFailure)

    /// A value has the wrong type or form.
    init(_ value: UnreadableValue)
}
