import CommandTable
import Control
import Glibc
import Household
import LinuxPlatform
import SaveFolder
import SaveRules
import Vocabulary

/// `huddle play`: fetch the newest save, run the game, and send the saves that it made.
enum PlayCommand {
    private static let game = Argument(rest: "COMMAND", help: "the game, and its arguments")
    private static let wait = Option(
        "wait",
        .duration,
        default: .seconds(10),
        help:
            """
            the time to wait for machines and the newest version before the game, and for machines to get the save \
            after it
            """
    )
    private static let anyway = Flag(
        "anyway",
        help: "play the save of this machine, also if another may be newer or the daemon does not run"
    )
    private static let fromLauncher = Flag(
        "from-launcher",
        help: "ask in a window; if no window can be shown, play the save of this machine unless that can lose one"
    )
    private static let takeover = Option(
        "takeover",
        .oneOf(["ask", "force"]),
        help: "if another machine plays: ask it to stop, or force, which makes a conflict"
    )

    static let row = Command<CommandAction>(
        "play",
        summary: "run a game with its newest save, and hand on what it saves",
        discussion: """
            It waits for the other machines and the newest version, shows them that the game is played here, and runs \
            it. Afterwards it keeps and sends the game's saves. While the game runs, nothing changes in its folder, \
            and the daemon may restart. The exit code is the game's; if the game was not started, it is one of those \
            below. Messages go to standard error, since standard output is the game's; with --json they go to standard \
            output.
            """,
        arguments: [GameAsking.game, game],
        options: [wait, anyway, takeover, fromLauncher] + AskingOptions.all,
        examples: [
            Example("huddle play celeste -- ./Celeste", "from a menu or a terminal"),
            Example(
                "huddle play celeste --from-launcher -- %command%",
                "as the launch option in Steam, as `huddle launcher on` writes it"
            ),
        ],
        exitCodes: GameAsking.exitCodes + [.notExecutable, .notFound],
        action: run
    )

    private static func run(_ given: GivenValues, _ console: Console, _ signals: Signals) async throws -> ExitCode {
        let asJSON = given[LookingOptions.json]
        // Standard output belongs to the game, unless --json asks for events there.
        let report = SessionReport(asJSON: asJSON, bytesGoOut: !asJSON, console)
        // If the user presses Ctrl-C during the wait, the game does not start either.
        let known: GameAtDaemon?
        do {
            known = try await unlessSignalled(signals) { try await agreed(given, console, telling: report) }
        } catch let error where (given[anyway] || given[fromLauncher]) && ExitCode(of: error) == .noDaemon {
            try await requireWhole(given, without: error)
            let why = (error as? any ExplainedError)?.message ?? "\(error)"
            await console.complain("\(why); Huddle keeps the game's saves once the daemon runs")
            known = await GameAtDaemon(given[GameAsking.game], given, console)
        }
        guard let known else { return .interrupted }
        let ending = try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask { await known.stayConnected() }
            return try await play(given[game], signals)
        }
        await conclude(known, given, console, signals, telling: report)
        return ExitCode(UInt8(truncatingIfNeeded: ending.shellCode), "the game's own")
    }

    /// Asks the daemon for permission to start the game. If it refuses, asks the user at the terminal or in a window of
    /// the launcher.
    private static func agreed(
        _ given: GivenValues,
        _ console: Console,
        telling report: SessionReport
    ) async throws -> GameAtDaemon {
        var terms = PlayTerms(anyway: given[anyway], takeover: given[takeover])
        let isAtTerminal =
            !given[LookingOptions.json] && Terminal.isInForeground && Terminal.isTerminal(.errors)
        while true {
            do {
                return try await begin(given, terms, console, telling: report)
            } catch let error as PassedOnError where given[fromLauncher] {
                if terms.wasOverridden(error) { return await GameAtDaemon(given[GameAsking.game], given, console) }
                let mayAsk = error.word == PlayTerms.playingElsewhere && terms.takeover == nil
                let choice = try await LauncherDialog().ask(given[GameAsking.game], error, mayAsk: mayAsk)
                switch choice {
                case .cancel: throw CommandError.notPlayed
                case .ask: terms.takeover = "ask"
                case nil where !PlayTerms.isHarmless(error): throw error
                case .play, nil:
                    // The game starts as it would without Huddle. The daemon stores its saves all the same.
                    if !terms.override(error) { return await GameAtDaemon(given[GameAsking.game], given, console) }
                }
            } catch let error as PassedOnError
                where error.word == "saves.cut-off" && isAtTerminal && !terms.inSpiteOfCutOff
            {
                try await askWhetherToPlay(inSpiteOf: error, console)
                terms.inSpiteOfCutOff = true
            }
        }
    }

    /// Throws if the folder of a game may hold half of a version. The game would continue from that half and save it,
    /// which `--anyway` does not mean. A folder whose state can't be read counts as half changed.
    ///
    /// - Parameter reason: the reason why the daemon does not respond
    private static func requireWhole(_ given: GivenValues, without reason: any Error) async throws {
        let (places, typed) = ("\(StateFolder.path(given))/places", given[GameAsking.game])
        let halves: [String: HalfChange]
        do {
            halves = try await runBlocking("saves") { try HalfChange.all(in: places) }
        } catch let error as SaveFolderError {
            throw CommandError.halfChanged(typed, .possible(error), reason)
        }
        // Only the daemon knows which game the folder belongs to. So it may belong to the one that the user typed.
        if let half = halves.values.first { throw CommandError.halfChanged(typed, half, reason) }
    }

    /// Asks the user on standard error, since standard output belongs to the game.
    private static func askWhetherToPlay(inSpiteOf error: PassedOnError, _ console: Console) async throws {
        await console.complain(error.message)
        var lines = TypedLines()
        while true {
            await console.ask("Play the save of this machine? [y]es / [n]o: ")
            guard let line = try await lines.next() else { throw CommandError.notPlayed }
            switch UserAnswer(line) {
            case .yes: return
            case .no: throw CommandError.notPlayed
            case .once, .block, .code, .unclear: continue
            }
        }
    }

    /// Reports the end of the run to the daemon, even if the game crashed: its saves count.
    private static func conclude(
        _ known: GameAtDaemon,
        _ given: GivenValues,
        _ console: Console,
        _ signals: Signals,
        telling report: SessionReport
    ) async {
        let later = "the game's saves are kept once huddled runs again"
        do {
            let kept: Void? = try await unlessSignalled(signals) {
                try await known.end(within: given[wait], telling: report)
            }
            // Ctrl-C may have ended the wait for other machines, after the daemon stored the save.
            if kept == nil { await console.complain("\(later), if they are not yet") }
        } catch let refusal as PassedOnError {
            await console.report(refusal.lines(about: "the game's saves are in no version yet: \(refusal.message)"))
        } catch {
            let fault = PassedOnError(error)
            await console.report(fault.lines(about: "\(later): \(fault.message)"))
        }
    }

    /// Waits until the newest version is in the folder and no other machine plays.
    @Engine
    private static func begin(
        _ given: GivenValues,
        _ terms: PlayTerms,
        _ console: Console,
        telling report: SessionReport
    ) async throws -> GameAtDaemon {
        let daemon = try Daemon.required(given, telling: console)
        var body = GameBody()
        body.fields.set("wait", seconds: given[wait] / .seconds(1))
        body.fields.set("takeover", terms.takeover)
        body.fields.set("anyway", terms.anyway)
        if terms.inSpiteOfCutOff { body.fields.set("cutOff", true) }
        let playing = try await daemon.events(Endpoint.playGame.request(given[GameAsking.game], saying: body))
        var set = given[GameAsking.game]
        var number: Int64?
        while let line = try await playing.next() {
            if case .playing(let event) = line.event {
                (set, number) = (event.game.set, event.number)
                break
            }
            try await report.tell(line)
        }
        return GameAtDaemon(set, given, console, known: (playing, number))
    }

    /// Runs the game at this terminal. The terminal itself sends Ctrl-C to the game; this passes other signals on.
    private static func play(_ words: [String], _ signals: Signals) async throws -> ProgramEnding {
        var launch = ProgramLaunch(words[0], Array(words.dropFirst()))
        launch.standardInput = .inherited
        let game: ChildProcess
        do throws(SystemError) {
            game = try ChildProcess.launch(launch)
        } catch {
            throw CommandError.notStarted(words[0], error)
        }
        // Signals that came while the game ran were meant for the game, also the Ctrl-C that ended it.
        defer { signals.forgetPending() }
        return try await withThrowingTaskGroup(of: ProgramEnding?.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await game.wait() }
            group.addTask {
                while let signal = await signals.next() {
                    if signal != .interrupt { game.send(signal.rawValue) }
                }
                return nil
            }
            while let ending = try await group.next() {
                if let ending { return ending }
            }
            return try await game.wait()
        }
    }
}

extension CommandError {
    fileprivate static let notPlayed = CommandError(
        "command.not-played",
        "the game was not started",
        nextStep: "start the machine that was playing, and then the game again"
    )

    /// - Parameter reason: the reason why the daemon does not respond
    fileprivate static func halfChanged(_ set: String, _ half: HalfChange, _ reason: any Error) -> CommandError {
        let name = PrintableText(set, limit: 1024)
        let why = (reason as? any ExplainedError)?.message ?? "\(reason)"
        let what =
            switch half {
            case .certain:
                """
                a change of a game's folder was interrupted: the folder of \(name) may hold half of one \
                version and half of another
                """
            case .possible(let error):
                """
                the folder of \(name) can't be checked for half of a version: \
                \(error.message)\(error.cause.map { " (\($0))" } ?? "")
                """
            }
        return CommandError(
            ErrorCode(.unavailable, "command.half-changed"),
            "\(why), and \(what)",
            nextStep:
                """
                start the daemon, which repairs the folder or reports why it can't, and then play: \
                `systemctl --user restart huddled`
                """
        )
    }

    /// Returns the error of a game that does not start, with the exit codes 127 and 126 of shells.
    fileprivate static func notStarted(_ program: String, _ error: SystemError) -> CommandError {
        let shown = PrintableText(program, limit: 4096)
        guard error.number == ENOENT else {
            return CommandError(
                "command.game-not-started",
                "“\(shown)” can't be started: \(error)",
                nextStep: "check with `ls -l` that you may run it; `chmod +x` allows it",
                exitCode: .notExecutable
            )
        }
        let isPath = program.contains("/")
        return CommandError(
            "command.game-not-found",
            "“\(shown)” can't be started: \(error)",
            nextStep: isPath
                ? """
                check the path, and for a script also the program in its first line; after -- come the game and its \
                arguments
                """
                : """
                it is in no folder of PATH, so give its path, as in ./\(shown); after -- come the game and its arguments
                """,
            exitCode: .notFound
        )
    }
}
