package import Database

extension StateError: DatabaseFailure {
    /// Says in the words of a save what SQLite said.
    package init(_ failure: SQLiteFailure) {
        let words =
            if failure.isDamage {
                "the database is damaged, or is none"
            } else if failure.isTooLarge {
                "the database, or a value in it, is larger than is read here"
            } else if failure.isOutOfTime {
                "the database takes longer to read than it should"
            } else if failure.isLocked {
                "another program keeps the database locked"
            } else if failure.isWantOfSpace {
                "there is no space left for the database"
            } else if failure.isReadOnly || failure.isForbidden {
                "the database can't be opened, or can't be written"
            } else {
                "the database could not be read or written"
            }
        self.init(.database, words, cause: failure)
    }

    /// Says that a value in the database is not what it has to be.
    package init(_ value: UnreadableValue) {
        self.init(.database, "something in the database is \(value)", cause: value)
    }
}
