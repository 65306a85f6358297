package import Database

extension StateError: DatabaseFailure {
    /// Creates the error for a failure of SQLite.
    package init(_ failure: SQLiteFailure) {
        let (kind, words): (Kind, String) =
            if failure.isDamage {
                (.damaged, "this is no sound database")
            } else if failure.isForeignComputation {
                (.notAllowed, "the database computes with a function that is not run here")
            } else if failure.isTooLarge {
                (.tooLarge, "the database, or a value in it, is larger than is read here")
            } else if failure.isOutOfTime {
                (.tooLarge, "reading the database takes too long")
            } else if failure.isLocked {
                (.database, "another program keeps the database locked")
            } else if failure.isWantOfSpace {
                (.database, "there is no space left for the database")
            } else if failure.isReadOnly || failure.isForbidden {
                (.database, "the database can't be opened, or can't be written")
            } else {
                (.database, "the database could not be read or written")
            }
        self.init(kind, words, cause: failure)
    }

    /// Creates the error for a value of the wrong kind in the database.
    package init(_ value: UnreadableValue) {
        self.init(.damaged, "something in the database is \(value)", cause: value)
    }
}
