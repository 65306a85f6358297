import CommandTable
import FoundationEssentials
import Games
import Household
import LinuxPlatform
import Vocabulary

/// `huddle games`: list the games of this machine and where they save.
enum GamesCommand {
    static let name = Argument(
        optional: "TITLE",
        .text.named("TITLE"),
        help: "one game, by its name in the list or a part of its title (default: all)"
    )
    static let source = Argument("FILE|URL", .file, help: "a manifest.yaml of Ludusavi, or its address")

    static let row = Command<CommandAction>(
        "games",
        summary: "list the games of this machine and where they save",
        discussion: """
            It looks at Steam, Heroic, Lutris, Bottles, Flatpaks, emulators, EmuDeck and RetroDECK, and at the folders \
            where programs keep their saves. Huddle knows emulators and well-known games by itself. For all others \
            give it the list that Ludusavi uses: `huddle games update FILE|URL`. If Ludusavi has fetched its list \
            already, Huddle reads that.
            """,
        arguments: [name],
        options: AskingOptions.all,
        examples: [
            Example("huddle games", "all games of this machine"),
            Example("huddle games celeste", "where its saves are, and how to share them"),
            Example("huddle games --json", "for a script"),
        ],
        exitCodes: [.success, .failure, .usage, .interrupted],
        subcommands: [updating],
        action: list
    )

    private static let updating = Command<CommandAction>(
        "update",
        summary: "read a list of games and their saves",
        discussion: """
            The list replaces the one before. It is the manifest of Ludusavi, at \
            https://raw.githubusercontent.com/mtkennerly/ludusavi-manifest/master/data/manifest.yaml, which is made \
            from PCGamingWiki. Huddle fetches nothing by itself: the program curl fetches the address, now and at no \
            other time.
            """,
        arguments: [source],
        options: [AskingOptions.state],
        examples: [
            Example("huddle games update ~/Downloads/manifest.yaml", "from a file"),
            Example("huddle games update https://example.net/manifest.yaml", "from the web, by curl"),
        ],
        exitCodes: [.success, .failure, .usage, .interrupted],
        action: update
    )

    // MARK: Listing

    private static func list(_ given: GivenValues, _ console: Console, _ signals: Signals) async throws -> ExitCode {
        let wanted = given[name]
        let outcome = Outcome()
        try await untilSignalled(signals) { group in
            group.addTask { try await console.readerLeaves() }
            group.addTask {
                outcome.set(try await print(wanted, given, console))
                throw CancellationError()
            }
        }
        return outcome.code ?? .interrupted
    }

    private static func print(_ wanted: String?, _ given: GivenValues, _ console: Console) async throws -> ExitCode {
        let found = try await found(given)
        for failure in found.failures { await console.report(failure) }
        let shared = await SharedFolders.ask(given)
        let games = try wanted.map { [try GameChoice.game($0, among: found.games)] } ?? found.games
        if given[LookingOptions.json] {
            let report = JSONReport(console)
            for game in games { try await report.print(GameShape(game, shared)) }
        } else if wanted != nil, let game = games.first {
            try await console.print(console.fitted(GameDetails(game, shared).text))
        } else {
            if !games.isEmpty { try await console.print(GameTable(games, shared, width: console.width).text) }
            if let words = advice(found) { await console.complain(words) }
        }
        return .success
    }

    /// The found games, the names of games without known saves, and the lists that could not be read.
    struct Found: Sendable {
        var games: [FoundGame]
        var unknown: [String]
        var failures: [ManifestFailure]
    }

    static func found(_ given: GivenValues) async throws -> Found {
        let lists = GameLists(in: folder(given))
        let environment = ProcessInfo.processInfo.environment
        return try await runBlocking("games") {
            let surroundings = GameSurroundings(environment)
            let known = lists.knowledge(for: surroundings)
            let findings = GameFinder(surroundings, known.knowledge).find()
            return Found(games: findings.games, unknown: findings.unknown, failures: known.failures)
        }
    }

    /// Returns the names of games that the user can type.
    static func names(_ given: GivenValues) async throws -> [String] { try await found(given).games.map(\.id) }

    private static func advice(_ found: Found) -> String? {
        if found.games.isEmpty, found.unknown.isEmpty { return "no games with saves were found here" }
        guard let first = found.unknown.first else { return nil }
        let others = found.unknown.count - 1
        let whom = "“\(PrintableText(first, limit: 60))”" + (others > 0 ? " and \(others) more" : "")
        let verb = others > 0 ? "are" : "is"
        return """
            \(whom) \(verb) installed, and no list says where \(others > 0 ? "they save" : "it saves"): \
            read a larger list with `huddle games update FILE|URL`
            """
    }

    private static func folder(_ given: GivenValues) -> String { StateFolder.path(given) + "/games" }

    // MARK: Updating

    private static func update(_ given: GivenValues, _ console: Console, _ signals: Signals) async throws -> ExitCode {
        let outcome = Outcome()
        try await untilSignalled(signals) { group in
            group.addTask {
                let count = try await read(given[source], given)
                try await console.print(
                    count == 1
                        ? "this list has 1 game with saves"
                        : "this list has \(count) games with saves"
                )
                outcome.set(.success)
                throw CancellationError()
            }
        }
        return outcome.code ?? .interrupted
    }

    private static func read(_ source: String, _ given: GivenValues) async throws -> Int {
        let lists = GameLists(in: folder(given))
        if ManifestDownload.isAddress(source) {
            let bytes = try await ManifestDownload.fetch(source)
            return try await runBlocking("manifest") { try lists.update(fromBytes: bytes, of: source) }
        }
        let path = WholePath.of(source)
        return try await runBlocking("manifest") { try lists.update(from: path) }
    }
}
