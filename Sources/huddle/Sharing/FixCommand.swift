import CommandTable
import Control
import Household
import Ledger
import LinuxPlatform
import Vocabulary

/// `huddle fix`: end a conflict.
enum FixCommand {
    private static let keep = Option(
        "keep",
        .text.named("SIDE"),
        help: "the machine whose save counts, a version such as @12, or “merge” to merge by the rules"
    )
    private static let favour = Option(
        "favour",
        .text.named("SIDE"),
        help: "with --keep merge: the machine or version whose files count if no rule merges them"
    )
    private static let note = Option("note", .text.named("TEXT"), help: "a note for the history")

    static let row = Command<CommandAction>(
        "fix",
        summary: "choose which save counts if two machines saved apart",
        discussion: """
            It shows both saves and every difference, and asks. Until you choose, nothing changes in the game's \
            folder. The other save stays in the history, and `huddle undo` or `huddle restore` makes it the newest. A \
            merge that can't merge every file changes nothing, unless --favour says whose files count. Without a \
            terminal the command only shows the conflicts.
            """,
        arguments: [GameAsking.anyGame],
        options: [keep, favour, note] + AskingOptions.all,
        examples: [
            Example("huddle fix", "go through all conflicts"),
            Example("huddle fix celeste --keep Deck", "use the save of Deck"),
            Example("huddle fix celeste --keep merge", "merge both, if rules cover every file"),
            Example("huddle fix celeste --keep merge --favour Deck", "with the files of Deck if no rule merges them"),
        ],
        exitCodes: GameAsking.exitCodes + [.undecided],
        action: run
    )

    private static func run(_ given: GivenValues, _ console: Console, _ signals: Signals) async throws -> ExitCode {
        let report = SessionReport(asJSON: given[LookingOptions.json], console)
        guard let side = given[keep] else {
            guard given[favour] == nil, given[note] == nil else {
                throw CommandError(
                    ErrorCode(.invalid, "command.no-side"),
                    "--favour and --note need --keep, which is missing",
                    nextStep: "add --keep with a machine, a version or merge"
                )
            }
            let canAsk = report.isForUser && console.isTerminal && Terminal.isInForeground
            let code = try await Daemon.ask(given, console, signals) { daemon in
                try await Fixing(at: daemon, report, canAsk: canAsk).run(given[GameAsking.anyGame])
            }
            return code ?? .interrupted
        }
        guard let game = given[GameAsking.anyGame] else {
            throw CommandError(
                ErrorCode(.invalid, "command.no-game"),
                "--keep chooses for one game, but no game is named",
                nextStep: "name the game: huddle fix GAME --keep SIDE"
            )
        }
        guard given[favour] == nil || side == "merge" else {
            throw CommandError(
                ErrorCode(.invalid, "command.favour-alone"),
                "--favour is only for a merge",
                nextStep: "leave out --favour, or use --keep merge"
            )
        }
        let body = Fixing.body(side, favour: given[favour], note: given[note])
        let request = Endpoint.resolveConflict.request(game, saying: body)
        return try await Daemon.show(request, given, console, signals)
    }
}

/// Goes through the conflicts with the user at this terminal.
@Engine
struct Fixing {
    private let daemon: ControlConnection
    private let report: SessionReport
    private let canAsk: Bool

    init(at daemon: ControlConnection, _ report: SessionReport, canAsk: Bool) {
        (self.daemon, self.report, self.canAsk) = (daemon, report, canAsk)
    }

    /// One conflict, with the daemon's events about it.
    private struct Conflict {
        let game: String
        var answers: [DaemonLine]

        var sides: [VersionInfo] { answers.compactMap(\.version) }
        var canMerge: Bool {
            answers.contains { line in
                if case .choose(let choices) = line.event { choices.kind == .merge } else { false }
            }
        }
    }

    private enum Answer {
        case keep(String)
        case later
        case unclear
    }

    func run(_ game: String?) async throws -> ExitCode {
        let answers = try await daemon.all(Endpoint.conflicts.request(query: game.map { ["set": $0] } ?? [:]))
        var conflicts: [Conflict] = []
        for line in answers {
            if case .conflict(let event) = line.event { conflicts.append(Conflict(game: event.game.name, answers: [])) }
            if !conflicts.isEmpty { conflicts[conflicts.count - 1].answers.append(line) }
        }
        guard !conflicts.isEmpty else {
            try await report.say("no conflicts")
            return .success
        }
        guard canAsk else {
            for line in answers { try await report.tell(line) }
            return .success
        }
        var lines = TypedLines()
        for conflict in conflicts { try await fix(conflict, &lines) }
        return .success
    }

    private func fix(_ conflict: Conflict, _ lines: inout TypedLines) async throws {
        var number = 0
        for line in conflict.answers {
            if case .choose = line.event { continue }
            guard let side = line.version else {
                try await report.tell(line)
                continue
            }
            number += 1
            let time = TimeText.local(WallTime(secondsSince1970: side.madeAt))
            try await report.say("  \(number)  \(side.author)  \(time)  @\(side.version)")
        }
        let sides = conflict.sides
        let choices = sides.indices.map { "[\($0 + 1)]" } + (conflict.canMerge ? ["[m]erge"] : []) + ["[l]ater"]
        while true {
            try await report.ask("Keep \(choices.joined(separator: ", "))? ")
            guard let line = try await lines.next() else {
                return try await report.ask(nil)
            }
            await report.wasAnswered()
            switch Self.answer(line, sides, conflict.canMerge) {
            case .later: return
            case .unclear: await report.complain("type one of \(choices.joined(separator: ", ")), or a machine's name")
            case .keep(let side):
                let request = Endpoint.resolveConflict.request(conflict.game, saying: Self.body(side))
                for line in try await daemon.all(request) { try await report.tell(line) }
                return
            }
        }
    }

    private static func answer(_ line: String, _ sides: [VersionInfo], _ canMerge: Bool) -> Answer {
        let word = bare(line)
        if ["l", "later", "n", "no", ""].contains(word) { return .later }
        if canMerge, ["m", "merge"].contains(word) { return .keep("merge") }
        if let number = Int(word), sides.indices.contains(number - 1) {
            return .keep(sides[number - 1].snapshot)
        }
        // The user can type a machine as it is shown, its name, or the beginning of its ID. The shown form tells two
        // machines of one name apart.
        let named = sides.filter { side in
            ["\(side.author)", side.author.name?.text ?? "", side.author.id.short].contains { bare($0) == word }
        }
        return named.count == 1 ? .keep(named[0].snapshot) : .unclear
    }

    private static func bare(_ text: String) -> String { text.filter { !$0.isWhitespace }.lowercased() }

    nonisolated static func body(_ side: String, favour: String? = nil, note: String? = nil) -> GameBody {
        var body = GameBody()
        body.fields.set("take", side)
        body.fields.set("favour", favour)
        body.fields.set("note", note)
        return body
    }
}
