import Database
import LinuxPlatform

/// The files of Lutris in a home.
public final class LutrisTree {
    private let tree: GameTree
    private let root: String
    private let database: Database<Failure>

    /// A failure of SQLite, which is a fault of the test.
    struct Failure: DatabaseFailure {
        init(_ failure: SQLiteFailure) { preconditionFailure("\(failure)") }
        init(_ value: UnreadableValue) { preconditionFailure("\(value)") }
    }

    /// Makes the files of a first start.
    public init(in tree: GameTree, at root: String = ".local/share/lutris") throws {
        (self.tree, self.root) = (tree, root)
        tree.put([], at: "\(root)/pga.db")
        database = try Database<Failure>(at: tree.path("\(root)/pga.db"))
        try database.execute(
            """
            CREATE TABLE games (id INTEGER PRIMARY KEY, name TEXT, slug TEXT, platform TEXT, runner TEXT, executable TEXT,
                directory TEXT, installed INTEGER, installed_at INTEGER, configpath TEXT, playtime REAL)
            """
        )
    }

    /// Its folder in the Flatpak.
    public static let flatpakRoot = ".var/app/net.lutris.Lutris/data/lutris"

    /// Installs a game.
    ///
    /// - Parameter settings: the lines of its settings below `game:`
    public func install(
        _ name: String,
        slug: String,
        runner: String,
        directory: String?,
        settings: [String] = []
    ) throws {
        let settingsName = "\(slug)-1700000000"
        try database.run(
            "INSERT INTO games (name, slug, platform, runner, directory, installed, configpath) VALUES (?, ?, 'Windows', ?, ?, 1, ?)",
            .text(name),
            .text(slug),
            .text(runner),
            SQLValue(directory.map(tree.path)),
            .text(settingsName)
        )
        let lines = ["game:"] + settings.map { "  \($0)" } + ["game_slug: \(slug)", "name: \(name)", "system: {}"]
        tree.put(lines.joined(separator: "\n") + "\n", at: "\(root)/games/\(settingsName).yml")
    }
}
