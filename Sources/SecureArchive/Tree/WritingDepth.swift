/// The depth limit for writers. They recurse for each level, so the depth must end before any stack does, even for a
/// tree that a program made.
enum WritingDepth {
    static func check(_ level: Int) throws(ArchiveError) {
        guard level <= ArchiveLimits.deepest else {
            throw ArchiveError(
                .inexpressible,
                "values that stand in each other more than \(ArchiveLimits.deepest) deep are not written"
            )
        }
    }
}
