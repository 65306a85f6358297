import Database

/// A row of Lutris' table of games.
struct LutrisEntry: Sendable, Hashable {
    let name: String
    let slug: String
    let runner: String
    let directory: String?
    let settingsName: String?

    private static let most = 5000

    /// An error in the database of Lutris; the list of games continues without it.
    struct Failure: DatabaseFailure {
        init(_ failure: SQLiteFailure) {}
        init(_ value: UnreadableValue) {}
    }

    /// The installed games.
    static func all(in image: DatabaseImage) throws(Failure) -> [LutrisEntry] {
        let database = try Database<Failure>(image: image)
        let wanted: Set = ["NAME", "SLUG", "RUNNER", "DIRECTORY", "CONFIGPATH", "INSTALLED"]
        guard let columns = try database.ordinaryColumns(ofTable: "games"), wanted.isSubset(of: columns) else {
            return []
        }
        var entries: [LutrisEntry] = []
        try database.forEachRow(
            "SELECT name, slug, runner, directory, configpath FROM games WHERE installed = 1 LIMIT ?",
            [.integer(Int64(Self.most))]
        ) { row throws(Failure) in
            guard let name = text(row, "name"), !name.isEmpty else { return }
            entries.append(
                LutrisEntry(
                    name: name,
                    slug: text(row, "slug") ?? "",
                    runner: text(row, "runner") ?? "",
                    directory: text(row, "directory"),
                    settingsName: text(row, "configpath")
                )
            )
        }
        return entries
    }

    private static func text(_ row: Row, _ column: String) -> String? {
        (try? row.optionalText(column)).flatMap { $0 }
    }
}
