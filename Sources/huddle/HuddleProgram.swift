import CommandTable
import FoundationEssentials
import Household
import LinuxPlatform
import Vocabulary

/// What a command does: it gets what was read, a terminal to speak to and the signals, and answers with an exit code.
typealias CommandAction = @Sendable (GivenValues, Console, Signals) async throws -> ExitCode

/// The `huddle` command: it reads the command line and hands over.
@main
enum HuddleProgram {
    static let table = ProgramTable(
        Command<CommandAction>(
            group: "huddle",
            summary: "keep game saves in sync across the machines of one household",
            discussion: """
                Machines find each other on the local network, are let in by a person once, and then send each other \
                messages, files, folders and streams, and keep the saves of games in sync.
                """,
            examples: [
                Example("huddle status", "whether the daemon runs, and who is there"),
                Example("huddle invite Deck", "get to know another machine"),
                Example("huddle send Deck photos", "send it a folder"),
                Example("huddle saves list", "the saves that are kept in sync"),
                Example("huddle doctor", "what is in the way"),
            ],
            exitCodes: ExitCode.calling + [
                .noAvahi, .notPermitted, .transferFailed, .damaged, .notAllowed, .tooLarge, .unreadable, .inexpressible,
                .nothingThere,
                .different, .undecided, .faultFound, .notExecutable, .notFound,
            ],
            subcommands: [
                StatusCommand.row, OpenCommand.row, DoctorCommand.row, InboxCommand.row, EventsCommand.row,
                PeersCommand.row,
                InviteCommand.row,
                AcceptCommand.row, DeclineCommand.row,
                SendCommand.row, MsgCommand.row, PipeCommand.row, BenchCommand.row, PolicyCommand.row, BlockCommand.row,
                BlockCommand.undoing, ForgetCommand.row, LogCommand.row, IdentityCommand.row, BrowseCommand.row,
                AdvertiseCommand.row, GamesCommand.row, SavesCommand.row, HistoryCommand.row, HistoryCommand.restoring,
                ConflictsCommand.row, ConflictsCommand.resolving, PlayCommand.row, HistoryCommand.checking,
                StateCommand.row, ConfigCommand.row, NamesCommand.row,
            ]
        ),
        version: Release.version,
        names: NamesCommand.kinds
    )

    static func main() {
        // Some commands read the key, and which do may change.
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
                await console.complain(error.description)
                return CInt(ExitCode.usage.number)
            } catch Console.Failure.readerHasGone {
                // Whoever reads our output has seen enough, as in “huddle browse | head”.
                return CInt(ExitCode.success.number)
            } catch {
                await console.complain("\(error)")
                return CInt(ExitCode(of: error).number)
            }
        }
    }
}
