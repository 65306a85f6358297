import CommandTable
import Control
import Glibc
import Household
import LinuxPlatform
import SaveRules
import Vocabulary

/// `huddle wait`: wait until this machine may be switched off.
enum WaitCommand {
    private static let limit = Option("for", .duration, help: "the longest wait (default: until Ctrl-C)")

    static let row = Command<CommandAction>(
        "wait",
        summary: "wait until all machines have a game's newest save",
        discussion: """
            It ends with 0 once every machine that shares the game is known to have the newest save, with 5 if the \
            time of --for is over first, and with 24 if the user needs to decide something.
            """,
        arguments: [GameAsking.anyGame],
        options: [limit] + AskingOptions.all,
        examples: [
            Example("huddle wait celeste --for 30s", "before the machine is switched off"),
            Example("huddle wait", "all games"),
        ],
        exitCodes: GameAsking.exitCodes + [.timedOut, .undecided],
        action: run
    )

    private static func run(_ given: GivenValues, _ console: Console, _ signals: Signals) async throws -> ExitCode {
        let report = SessionReport(asJSON: given[LookingOptions.json], console)
        let code = try await Daemon.ask(given, console, signals) { daemon in
            let waiting = Waiting(at: daemon, report, for: given[GameAsking.anyGame])
            guard let limit = given[limit] else { return try await waiting.run() }
            do {
                return try await EventLoop.shared.withDeadline(limit, "wait") { try await waiting.run() }
            } catch let error as SystemError where error.number == ETIMEDOUT {
                for line in try await waiting.unfinished() { try await report.tell(line) }
                return .timedOut
            }
        }
        return code ?? .interrupted
    }
}

/// Waits for games to be in sync.
@Engine
struct Waiting: Sendable {
    private let daemon: ControlConnection
    private let report: SessionReport
    private let game: String?

    init(at daemon: ControlConnection, _ report: SessionReport, for game: String?) {
        (self.daemon, self.report, self.game) = (daemon, report, game)
    }

    func run() async throws -> ExitCode {
        // Before the first look, so that no change between the two is missed.
        let events = try await daemon.events(Endpoint.events.request())
        try await scanFolders()
        while true {
            let unfinished = try await unfinished()
            if unfinished.isEmpty { return try await tellEnd() }
            if let stuck = unfinished.first(where: { $0.game?.state.needsUser == true }) {
                try await report.tell(stuck)
                return .undecided
            }
            try await waitForChange(in: events)
        }
    }

    /// Returns after the next change of a state, or when the daemon ends. The next question then has the error.
    private func waitForChange(in events: ResponseEvents) async throws {
        while let line = try await events.next() {
            switch line.event {
            case .gameStatus, .missed: return
            default: continue
            }
        }
    }

    /// Lets the daemon scan the folders now, so that a save of a moment ago counts before its quiet period ends.
    private func scanFolders() async throws {
        for name in try await games().compactMap(\.game).filter({ !$0.sharers.all.isEmpty }).map(\.name) {
            // If the daemon can't read a folder, the state of its game says so below.
            _ = try? await daemon.all(Endpoint.scanGame.request(name))
        }
    }

    /// The shared games that are not in sync.
    func unfinished() async throws -> [DaemonLine] {
        try await games().filter { line in
            guard let game = line.game else { return false }
            return game.state != .inSync && !game.sharers.all.isEmpty
        }
    }

    private func games() async throws -> [DaemonLine] {
        if let game { return try await daemon.all(Endpoint.game.request(game)) }
        return try await daemon.all(Endpoint.games.request()).filter { $0.game != nil }
    }

    private func tellEnd() async throws -> ExitCode {
        guard report.isForUser else {
            for line in try await games() { try await report.tell(line) }
            return .success
        }
        let games = try await self.games().compactMap(\.game)
        let alone = games.filter(\.sharers.all.isEmpty).map { "\(PrintableText($0.name, limit: 80))" }
        if alone.count < games.count {
            let all = alone.isEmpty ? "all games are" : "all other games are"
            try await report.say("\(game.map { "\(PrintableText($0, limit: 80)) is" } ?? all) in sync")
        } else if games.isEmpty {
            try await report.say("no game is shared on this machine")
        }
        for name in alone { await report.complain("\(name) is only here: it is shared with no machine") }
        return .success
    }
}
