import CommandTable
import FoundationEssentials
import Household
import LinuxPlatform
import Vocabulary

/// The work of a command: it receives the arguments, the console and the signals, and returns an exit code.
typealias CommandAction = @Sendable (GivenValues, Console, Signals) async throws -> ExitCode

/// The `huddle` command: it reads the command line, and runs the command that it names.
@main
enum HuddleProgram {
    static let table = ProgramTable(
        Command<CommandAction>(
            "huddle",
            summary: "keep game saves in sync across the machines of one household",
            discussion: """
                Without a command it shows the shared games with their states, the machines, and what needs you. \
                Machines find each other on the local network and are paired once. From then on they keep the saves of \
                games in sync, and send each other messages and files.
                """,
            options: [HomeScreen.watch] + AskingOptions.all,
            examples: [
                Example("huddle pair", "on two machines: pair them"),
                Example("huddle games", "the games of this machine"),
                Example("huddle share celeste", "keep a game in sync with the other machines"),
                Example("huddle join", "on another machine: take part"),
                Example("huddle fix", "choose between two saves"),
            ],
            exitCodes: ExitCode.calling + [
                .noAvahi, .notPermitted, .transferFailed, .damaged, .notAllowed, .tooLarge, .unreadable, .inexpressible,
                .different, .undecided, .faultFound, .notExecutable, .notFound,
            ],
            subcommands: [
                PairCommand.row, GamesCommand.row, ShareCommand.row, JoinCommand.row, FixCommand.row, UndoCommand.row,
                PlayCommand.row, WaitCommand.row, OpenCommand.row, SendCommand.row, DoctorCommand.row,
            ]
                + filed(
                    "Shared games and their versions",
                    [
                        ListCommand.row, ListCommand.showing, ListCommand.comparing, HistoryCommand.row,
                        HistoryCommand.restoring, UndoCommand.marking, GameSettingsCommand.row,
                        GameSettingsCommand.scanning,
                        PauseCommand.row, PauseCommand.resuming, ExportCommand.row, ExportCommand.importing,
                        ShareCommand.undoing, JoinCommand.stopping, HistoryCommand.checking,
                    ]
                )
                + filed(
                    "Machines",
                    [
                        StatusCommand.row, PeersCommand.row, InviteCommand.row, AcceptCommand.row, DeclineCommand.row,
                        PolicyCommand.row, BlockCommand.row, BlockCommand.undoing, ForgetCommand.row,
                        KeepCommand.row, IdentityCommand.row, RetroArchCommand.row, SyncthingCommand.row,
                    ]
                )
                + filed(
                    "Messages, files and streams",
                    [
                        InboxCommand.row, MsgCommand.row, PipeCommand.row, BenchCommand.row,
                    ]
                )
                + filed(
                    "Other",
                    [
                        LauncherCommand.row, EventsCommand.row, LogCommand.row, BrowseCommand.row, AdvertiseCommand.row,
                        StateCommand.row,
                        ConfigCommand.row, NamesCommand.row,
                    ]
                ),
            action: HomeScreen.run
        ),
        version: Release.version,
        names: NamesCommand.kinds,
        commonOptions: AskingOptions.all
    )

    private static func filed(_ topic: String, _ commands: [Command<CommandAction>]) -> [Command<CommandAction>] {
        commands.map { $0.filed(under: topic) }
    }

    static func main() {
        // All commands hide their memory, since some read the private key, and a later command may do so, too.
        Program.hideMemory()
        Program.run { signals in
            let console = Console()
            do {
                let words = ProgramLaunch.ownWords
                let environment = ProcessInfo.processInfo.environment
                switch try table.read(typed: words, environment: environment, width: console.width) {
                case .show(let text):
                    try await console.print(text, terminator: "")
                    return CInt(ExitCode.success.number)
                case .perform(let action, let given):
                    return CInt(try await action(given, console, signals).number)
                }
            } catch let error as UsageError {
                await console.report(error)
                return CInt(ExitCode.usage.number)
            } catch Console.Failure.readerHasGone {
                // The reader has closed the pipe, as in “huddle browse | head”.
                return CInt(ExitCode.success.number)
            } catch {
                await console.report(error)
                return CInt(ExitCode(of: error).number)
            }
        }
    }
}
