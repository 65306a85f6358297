/// The error of a module that keeps something in a database: it says in its own words what SQLite said.
package protocol DatabaseFailure: Error {
    /// A call of SQLite failed.
    init(_ failure: SQLiteFailure)

    /// A value is not what it has to be, where one was asked for.
    init(_ value: UnreadableValue)
}
