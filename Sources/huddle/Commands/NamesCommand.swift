import CommandTable
import Control
import Household
import LinuxPlatform
import Session
import Vocabulary

/// `huddle names`: what can be typed where a machine, a save set or a version is wanted. Shells complete it.
enum NamesCommand {
    enum Kind: String, CaseIterable, Sendable {
        case machines, sets, versions, sides, games
    }

    static let kind = Argument("KIND", .choice as ValueForm<Kind>, help: "of what")

    /// By the placeholders of arguments and options.
    static let kinds: [String: String] = [
        "PEER": Kind.machines.rawValue, "SET": Kind.sets.rawValue, "SET@VERSION": Kind.versions.rawValue,
        "SIDE": Kind.sides.rawValue, "GAME": Kind.games.rawValue,
    ]

    static let row = Command<CommandAction>(
        "names",
        summary: "list the names of machines, save sets, versions or games, one a line",
        discussion: "For completions and scripts.",
        arguments: [kind],
        options: [AskingOptions.state],
        examples: [Example("huddle names machines", "all that this one knows")],
        exitCodes: [.success, .failure, .usage, .noDaemon, .interrupted],
        action: run
    )

    private static func run(_ given: GivenValues, _ console: Console, _ signals: Signals) async throws -> ExitCode {
        let kind = given[kind]
        if kind == .sides {
            for name in ["mine", "theirs", "merge"] { try await console.print(name) }
            return .success
        }
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
        case .machines:
            let told = try await all("policy", at: daemon) + all("invitations", at: daemon)
            return Set(told.compactMap { $0.peer.map(typed) }).sorted()
        case .sets: return try await sets(at: daemon)
        case .versions:
            var found: [String] = []
            for set in try await sets(at: daemon) {
                let told = try await all("saves", set, "versions", at: daemon)
                found += told.compactMap { $0.number.map { "\(set)@\($0)" } }
            }
            return found
        case .sides, .games: return []
        }
    }

    @Engine
    private static func sets(at daemon: ControlConnection) async throws -> [String] {
        try await all("saves", at: daemon).filter { $0.event == "save-set" }.compactMap(\.name).sorted()
    }

    @Engine
    private static func all(_ path: String..., at daemon: ControlConnection) async throws -> [SessionNews] {
        var told: [SessionNews] = []
        let lines = try await daemon.news(ControlQuestion("GET", ["v1"] + path))
        while let news = try await lines.next() { told.append(news) }
        return told
    }

    /// What would be shown with escapes is typed as the beginning of an id instead.
    private static func typed(_ peer: PeerTag) -> String {
        guard let name = peer.name, name.description == name.text else { return peer.id.short }
        return name.text
    }
}
