/// How much of somebody else's database is taken in.
package struct DatabaseLimits: Sendable, Hashable {
    /// Of the whole file.
    package var bytes = 64 << 20
    /// Of one text or blob, and of one row.
    package var valueBytes = 1 << 20
    /// For everything that is asked of it, counted from its opening.
    package var time = Duration.seconds(5)

    package init() {}
}
