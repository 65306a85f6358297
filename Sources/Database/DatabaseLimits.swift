/// How much of somebody else's database is taken in.
package struct DatabaseLimits: Sendable, Hashable {
    /// Of the whole file, which stands in memory twice while it is looked at.
    package var bytes = 32 << 20
    /// Of one text or blob, and of one row.
    package var valueBytes = 1 << 20
    /// Of the processor's, for everything that is asked of it.
    package var time = Duration.seconds(1)

    package init() {}
}
