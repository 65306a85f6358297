/// How deep writers go. They call themselves for each level, so the depth has an end that every stack survives, whatever tree a
/// program has made.
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
