import CommandTable
import Control
import Games
import Household
import LinuxPlatform
import Vocabulary

/// `huddle join` and `huddle stop`: start and stop syncing a game on this machine.
enum JoinCommand {
    private static let game = Argument(
        optional: "OFFER",
        .text.named("OFFER"),
        help: "a game that another machine offers (default: the only one)"
    )
    private static let place = Option(
        "at",
        .folder,
        help: "the folder of the game's saves here (default: the one that `huddle games` finds)"
    )
    private static let name = Option("name", .text.named("NAME"), help: "its name here (default: its name there)")
    private static let offerer = Option(
        "from",
        .text.named("PEER"),
        help: "the machine whose offer it is, if several offer that name"
    )

    static let row = Command<CommandAction>(
        "join",
        summary: "take part in a game that another machine shares",
        discussion: """
            Saves that are in the folder already are kept as a version first. If they differ from the saves of the \
            other machine, that is a conflict: `huddle fix` asks which counts, and nothing is overwritten.
            """,
        arguments: [game],
        options: [place, name, offerer] + SaveOptions.all + AskingOptions.all,
        examples: [
            Example("huddle join celeste", "in the folder where that game saves here"),
            Example("huddle join celeste --at ~/Celeste/Saves", "in a folder of your choice"),
        ],
        exitCodes: GameAsking.exitCodes
    ) { given, console, signals in
        let report = SessionReport(asJSON: given[LookingOptions.json], console)
        let code = try await Daemon.ask(given, console, signals) { daemon in
            let offered = try await offer(given[game], at: daemon)
            let kind = given[place] == nil ? try await requireOffer(offered, at: daemon) : nil
            let found = kind == .folderKnown ? nil : try await place(given, offered, kind)
            // Files beside the saves stay on this machine, even if the other machine shares its folder as a whole.
            var body = try GameBody(given, keeping: found?.keeping ?? [])
            body.fields.set("path", found?.path)
            body.fields.set("name", given[name])
            body.fields.set("peer", given[offerer])
            let lines = try await daemon.events(Endpoint.joinGame.request(offered, saying: body))
            while let line = try await lines.next() { try await report.tell(line) }
            return lines.failure.map { ExitCode(of: $0) } ?? .success
        }
        if let code { return code }
        await console.complain("the daemon continues by itself: `huddle list` shows the state")
        return .interrupted
    }

    @Engine
    private static func offer(_ typed: String?, at daemon: ControlConnection) async throws -> String {
        if let typed { return typed }
        let own = try await daemon.all(Endpoint.status.request()).first?.status?.machine.id
        let offers = try await daemon.all(Endpoint.games.request()).compactMap(\.offer)
        let others = offers.filter { $0.machine.id != own }
        // Offers of this machine are games that it has left. They count only if no other machine offers a game.
        let names = Set((others.isEmpty ? offers : others).map(\.name))
        switch names.count {
        case 1: return names.first ?? ""
        case 0:
            throw CommandError(
                ErrorCode(.notFound, "command.no-offer"),
                "no machine offers a game that is new here",
                nextStep: "share a game on another machine: huddle share GAME"
            )
        default:
            let list = names.sorted().map { "\(PrintableText($0, limit: 80))" }.joined(separator: ", ")
            throw CommandError(
                ErrorCode(.notFound, "command.several-offers"),
                "several games are offered: \(list)",
                nextStep: "name one, such as: huddle join \(ShellWord(names.sorted()[0]))"
            )
        }
    }

    /// The offers of a game.
    private enum Offered {
        /// The daemon knows the folder, because this machine shares a game of that name or has left it.
        case folderKnown
        /// They name the files of the game, so that no others are touched.
        case names
        case wholeFolder
    }

    /// Throws if no machine offers the game, so that a wrong name is reported before a missing folder.
    @Engine
    private static func requireOffer(_ name: String, at daemon: ControlConnection) async throws -> Offered {
        let answers = try await daemon.all(Endpoint.games.request())
        let isHere = answers.compactMap(\.game).contains { $0.name == name || $0.set == name }
        let offers = answers.compactMap(\.offer).filter { $0.name == name || $0.set == name }
        if !offers.isEmpty {
            if isHere || offers.contains(where: { $0.path != nil }) { return .folderKnown }
            return offers.allSatisfy { $0.files != nil } ? .names : .wholeFolder
        }
        let shown = PrintableText(name, limit: 80)
        if isHere {
            throw CommandError(
                "command.joined-already",
                "\(shown) is shared on this machine already",
                nextStep: "`huddle show \(ShellWord(name))` shows its state and its folder"
            )
        }
        throw CommandError(
            ErrorCode(.notFound, "command.not-offered"),
            "no machine offers a game “\(shown)”",
            nextStep: "`huddle list` shows the offers; to share it, on the other machine: huddle share GAME"
        )
    }

    @Engine
    private static func place(
        _ given: GivenValues,
        _ offered: String,
        _ kind: Offered?
    ) async throws -> (path: String, keeping: [String]) {
        if let place = given[place] { return (WholePath.of(place), []) }
        let found = try await GamesCommand.found(given).games.first { $0.id == offered.lowercased() }
        if let place = found?.sharedPlace { return (place.path, kind == .names ? [] : place.keeping) }
        let reason = found?.shareObstacle.map { ": \($0)" } ?? ""
        let shown = PrintableText(offered, limit: 80)
        throw CommandError(
            "command.place-missing",
            found == nil
                ? "no game “\(shown)” was found on this machine, so its folder is not known"
                : "the folder of “\(shown)” on this machine is not clear\(reason)",
            nextStep: "name the folder of its saves: huddle join \(ShellWord(offered)) --at FOLDER"
        )
    }

    static let stopping = Command<CommandAction>(
        "stop",
        summary: "stop syncing a game on this machine",
        discussion: """
            The folder and the versions stay as they are. `huddle list` still names the game, and `huddle join` takes \
            part again. `huddle history --clean --left` deletes the versions.
            """,
        arguments: [GameAsking.game],
        options: AskingOptions.all,
        examples: [Example("huddle stop celeste", "other machines keep syncing it")],
        exitCodes: GameAsking.exitCodes
    ) { given, console, signals in
        let game = given[GameAsking.game]
        let sentence = "Stopped syncing \(PrintableText(game, limit: 80)) here. Its files and versions are kept."
        let request = Endpoint.leaveGame.request(game)
        return try await Daemon.show(request, given, console, signals, ifNothing: .result(sentence))
    }
}
