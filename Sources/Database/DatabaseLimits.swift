/// Limits for a database from another program.
package struct DatabaseLimits: Sendable, Hashable {
    /// Bytes of the whole file, which is in memory twice while it is read.
    package var bytes = 32 << 20
    /// Bytes of one text or blob, and of one row.
    package var valueBytes = 1 << 20
    /// CPU time for all queries together.
    package var time = Duration.seconds(1)

    package init() {}
}
