import CommandTable
import Control
import Household
import LinuxPlatform
import Vocabulary

/// `huddle names`: list the names that the user can type for a machine, a game or a version. Shells complete them.
enum NamesCommand {
    enum Kind: String, CaseIterable, Sendable {
        case machines, shared, offers, versions, sides, games
    }

    static let kind = Argument("KIND", .choice as ValueForm<Kind>, help: "the kind of names")

    /// The kind of names for each placeholder of an argument or option.
    static let kinds: [String: String] = [
        "PEER": Kind.machines.rawValue, "GAME": Kind.shared.rawValue, "GAME@VERSION": Kind.versions.rawValue,
        "SIDE": Kind.sides.rawValue, "TITLE": Kind.games.rawValue, "GAME|PATH": Kind.games.rawValue,
        "OFFER": Kind.offers.rawValue,
    ]

    static let row = Command<CommandAction>(
        "names",
        summary: "list the names of machines, games or versions, one a line",
        discussion: "For completions and scripts.",
        arguments: [kind],
        options: [AskingOptions.state],
        examples: [Example("huddle names machines", "the machines that this one knows")],
        exitCodes: [.success, .failure, .usage, .noDaemon, .interrupted],
        action: run
    )

    private static func run(_ given: GivenValues, _ console: Console, _ signals: Signals) async throws -> ExitCode {
        let kind = given[kind]
        if kind == .games {
            for name in try await GamesCommand.names(given) { try await console.print(name) }
            return .success
        }
        let code = try await Daemon.ask(given, console, signals) { daemon in
            for name in try await names(kind, at: daemon) { try await console.print(name) }
            return .success
        }
        return code ?? .interrupted
    }

    @Engine
    private static func names(_ kind: Kind, at daemon: ControlConnection) async throws -> [String] {
        switch kind {
        case .machines: return try await machines(at: daemon)
        case .shared: return try await names({ $0.game?.name }, at: daemon)
        case .offers: return try await names({ $0.offer?.name }, at: daemon)
        case .versions:
            var found: [String] = []
            for game in try await names({ $0.game?.name }, at: daemon) {
                let answers = try await daemon.all(Endpoint.versions.request(game))
                found += answers.compactMap(\.version).map { "\(game)@\($0.version)" }
            }
            return found
        case .sides: return try await machines(at: daemon) + ["merge"]
        case .games: return []
        }
    }

    @Engine
    private static func machines(at daemon: ControlConnection) async throws -> [String] {
        let answers = try await daemon.all(Endpoint.policies.request()) + daemon.all(Endpoint.invitations.request())
        return Set(answers.compactMap { $0.event.peer?.typed }).sorted()
    }

    @Engine
    private static func names(
        _ name: (DaemonLine) -> String?,
        at daemon: ControlConnection
    ) async throws -> [String] {
        Set(try await daemon.all(Endpoint.games.request()).compactMap(name)).sorted()
    }
}

extension PeerTag {
    /// The word that the user types for this machine. It is the name, or the beginning of the ID if the name is shown
    /// with escapes or another machine has it, too.
    var typed: String {
        guard let name, "\(self)" == name.text else { return id.short }
        return name.text
    }
}
